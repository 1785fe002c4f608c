from typing import Any

import pytest

from isogloss.errors import SettingsError
from isogloss.llm.api_keys import read_api_key, safe_reason
from isogloss.llm.chat_models import OFFICIAL, ChatModelSettings, address
from isogloss.llm.faults import MissingKeyError
from isogloss.settings import parse


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"api_key_env": "sk-abcdef0123456789"}, "api_key_env"),
        ({"base_url": "https://user:secret-word@host/v1"}, "base_url"),
        ({"base_url": "https://host/v1?key=secret-word"}, "base_url"),
        ({"base_url": "host/v1"}, "base_url"),
        ({"base_url": "http://a/v1", "base_url_env": "HOST"}, "base_url_env"),
        ({"kind": "azure", "base_url": "http://a"}, "api_version"),
        ({"extra_body": {"stream": True}}, "stream"),
        ({"temperature": float("nan")}, "temperature"),
        ({"retries": 7}, "retries"),
        ({"apikey": "secret-word"}, "apikey"),
    ],
)
def test_bad_settings_are_named_and_secrets_not_repeated(
    settings: dict[str, Any], named: str
) -> None:
    with pytest.raises(SettingsError, match=named) as caught:
        parse(ChatModelSettings, {"name": "m", **settings}, "params.yaml")
    assert "secret-word" not in str(caught.value)
    assert "abcdef" not in str(caught.value)


def test_the_address_comes_from_settings_and_never_from_the_package(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://elsewhere/v1")
    assert address(ChatModelSettings(name="m")) == OFFICIAL
    model = ChatModelSettings(name="m", base_url_env="CHAT_HOST")
    with pytest.raises(MissingKeyError, match="CHAT_HOST"):
        address(model)
    monkeypatch.setenv("CHAT_HOST", "http://localhost:1/v1")
    assert address(model) == "http://localhost:1/v1"


@pytest.mark.parametrize("value", ["", "  ", "two words", "schlüssel-abcdefgh", "a\nb-12345678"])
def test_an_unusable_key_is_refused_by_the_name_of_its_variable(
    monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("CHAT_KEY", value)
    with pytest.raises(MissingKeyError, match="CHAT_KEY") as caught:
        read_api_key(ChatModelSettings(name="m", api_key_env="CHAT_KEY"))
    assert not value.strip() or value not in str(caught.value)


def test_messages_lose_the_key_and_what_looks_like_one() -> None:
    text = "bad key 0123456789abcdef,\n also sk-abc***xyz"
    assert safe_reason(text, "0123456789abcdef") == "bad key [key removed], also [key removed]"
    assert safe_reason("there is none", "none") == "there is none"
