"""Who writes and who verifies, and benchmarks that ask for it."""

from typing import Any

import pytest

from isogloss.chat_settings import ROLES, ChatTask
from isogloss.errors import SettingsError
from isogloss.settings import Settings, parse

GOOD: dict[str, Any] = {
    "run": {},
    "sources": {"a": {"format": "epo", "languages": ["de", "en"]}},
    "benchmarks": {"a-title": {"source": "a", "maker": "title"}},
    "llm_benchmarks": {"a-llm": {"source": "a", "corpus": "a", "queries": 4}},
}


def load(**over: Any) -> Settings:
    return parse(Settings, {**GOOD, **over}, "params.yaml")


def test_defaults_are_the_paper_s() -> None:
    chat = load().chat
    assert (chat.generator.name, chat.verifier.name) == ("gpt-5-mini", "claude-sonnet-4.6")


@pytest.mark.parametrize(
    "same",
    [
        *("gpt-5-mini", "openai/GPT-5-mini", " gpt-5-mini"),
        *("gpt-5-mini:latest", "x/GPT-5-Mini:Free"),
    ],
)
def test_a_model_must_not_verify_what_it_wrote(same: str) -> None:
    with pytest.raises(SettingsError, match=r"chat: .*verifier: .* is the generator too"):
        load(chat={"verifier": {"name": same}})


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        (
            {"source": "b", "corpus": "b", "queries": 4},
            r"llm_benchmarks\.a-llm\.source: no source 'b'",
        ),
        ({"source": "a", "corpus": "a"}, r"a-llm\.queries: is missing"),
        ({"source": "a", "queries": 4}, r"a-llm\.corpus: is missing"),
        ({"source": "a", "corpus": "b", "queries": 4}, r"corpus: must be a or a\.seeded"),
        ({"source": "a", "corpus": "a.seeded", "queries": 4}, "seed_translations has no .a."),
        ({"source": "a", "corpus": "a", "queries": 0}, r"a-llm\.queries"),
        ({"source": "a", "corpus": "a", "queries": 4, "modes": ["other"]}, r"a-llm\.modes\.0"),
        ({"source": "a", "corpus": "a", "queries": 4, "setups": []}, r"a-llm\.setups"),
        (
            {"source": "a", "corpus": "a", "queries": 4, "setups": ["all", "all"]},
            "setups: one is named twice",
        ),
        (
            {"source": "a", "corpus": "a", "queries": 4, "languages": ["xx"]},
            "'xx' is no ISO 639-1 code",
        ),
        ({"source": "a", "corpus": "a", "queries": 4, "maker": "title"}, r"a-llm\.maker"),
    ],
)
def test_a_faulty_wish_is_named(wish: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        load(llm_benchmarks={"a-llm": wish})


def test_one_name_is_one_benchmark() -> None:
    with pytest.raises(SettingsError, match="benchmarks has one of that name"):
        load(llm_benchmarks={"a-title": {"source": "a", "corpus": "a", "queries": 4}})


def test_a_key_in_the_settings_is_an_unknown_key() -> None:
    with pytest.raises(SettingsError, match=r"chat\.generator\.api_key: unknown key"):
        load(chat={"generator": {"name": "g", "api_key": "x"}})


@pytest.mark.parametrize("task", sorted(ROLES))
def test_a_budget_of_money_needs_prices(task: ChatTask) -> None:
    money: dict[str, Any] = {"budgets": {task: {"money": 50}}}
    role = ROLES[task]
    with pytest.raises(SettingsError, match=rf"budgets\.{task}\.money: {role} .* has no prices"):
        load(chat=money)
    prices = {"input_price": 1, "output_price": 2}
    assert load(chat={**money, role: {"name": "own", **prices}}).chat.budgets[task].money == 50
    # What is only replayed is sent nothing.
    assert load(chat={**money, role: {"name": "own", "replay_only": True}}).chat.budgets
    assert load(chat={"budgets": {task: {"calls": 50}}}).chat.budgets


@pytest.mark.parametrize("note", ["", "  ", None])
def test_an_empty_note_is_none(note: str | None) -> None:
    medical = load(medical={"note": note}).medical
    assert medical is not None
    assert medical.note is None


@pytest.mark.parametrize("same", ["maintainers:latest", "Maintainers", "MAINTAINERS:v2"])
def test_a_tag_makes_no_other_model(same: str) -> None:
    with pytest.raises(SettingsError, match="is the generator too"):
        load(chat={"generator": {"name": "maintainers"}, "verifier": {"name": same}})


@pytest.mark.parametrize(("one", "other"), [("m:8b", "m:70b"), ("ft:m:us::a", "ft:m:us::b")])
def test_sizes_and_fine_tunings_are_models_of_their_own(one: str, other: str) -> None:
    assert load(chat={"generator": {"name": one}, "verifier": {"name": other}})


@pytest.mark.parametrize(
    "body",
    [
        {"api_key": "x"},
        {"apiKey": 7},
        {"headers": {"Authorization": "x"}},
        {"a": [{"access_token": "x"}]},
        {"client_secret": "x"},
        {"token": "x"},
        {"x-api-key": "x"},
        {"password": None},
    ],
)
def test_no_key_may_stand_in_the_settings(body: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match="looks like a key; keys come from api_key_env only"):
        load(chat={"judge": {"name": "j", "extra_body": body}})


def test_what_only_sounds_like_a_key_is_let_in() -> None:
    body: dict[str, Any] = {"max_new_tokens": 5, "prompt_cache_key": "a", "stop_token": "</s>"}
    body["self"] = body
    inner = {"monkey": 1, "keys": [1, 2], "tokenizer": "x"}
    assert load(chat={"judge": {"name": "j", "extra_body": {"inner": inner, "top_k": 3}}})
    from isogloss.chat_settings import _secret_name

    assert _secret_name(body) is None
