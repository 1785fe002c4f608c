"""The panel's endpoints are whole declarations, and everyone takes what the panel says."""

import pytest

from isogloss.chat_settings import ChatModelSettings
from isogloss.errors import UsageError
from isogloss.medical.answerers import answerer
from isogloss.medical.data import load
from isogloss.medical.panel import FLOOR_GROUP, models_asked

# Models that take no temperature other than their own (our reading).
FIXED = {"gpt-5-4", "o4-mini", "claude-sonnet-5", "claude-opus-4-8"}


@pytest.mark.parametrize("key", list(load("panel")["models"]))
def test_every_model_of_the_panel_can_be_reached(key: str) -> None:
    who = answerer(key, {})
    assert who.endpoint is not None
    assert who.endpoint.base_url_env is not None
    assert who.endpoint.api_key_env is not None
    assert who.endpoint.temperature == (None if key in FIXED else 0.7)
    assert not {"top_p", "top_k"} & who.endpoint.extra_body.keys()
    assert who.takes("MCQA", "mt")
    assert who.takes("NLI", "reviewed")
    assert who.takes("QA", "reviewed") == (key in models_asked("qa"))
    assert who.takes("QA", "mt") == (key in models_asked("qa-mt"))


def test_thinking_and_not_thinking_are_two_models_of_one_server() -> None:
    thinking, plain = (answerer(key, {}).endpoint for key in ("qwen3-32b-thinking", "qwen3-32b"))
    assert thinking is not None
    assert plain is not None
    assert thinking.name == plain.name
    assert thinking.extra_body != plain.extra_body


def test_floors_have_no_endpoint_and_take_no_open_ended_items() -> None:
    for key in load("panel")["floors"]:
        who = answerer(key, {})
        assert (who.group, who.endpoint) == (FLOOR_GROUP, None)
        assert who.method in ("majority", "nearest")
        assert who.takes("MCQA", "mt")
        assert not who.takes("QA", "reviewed")


def test_own_models_take_everything_and_may_stand_in_for_one_of_the_panel() -> None:
    own = {
        "ours": ChatModelSettings(name="ours-7b"),
        "mediphi": ChatModelSettings(name="local-mediphi"),
    }
    who = answerer("ours", own)
    assert who.group == "other"
    assert all(who.takes(task, arm) for task in ("MCQA", "NLI", "QA") for arm in ("mt", "reviewed"))
    stand_in = answerer("mediphi", own)
    assert stand_in.endpoint is not None
    assert (stand_in.group, stand_in.endpoint.name) == ("medical", "local-mediphi")
    assert not stand_in.takes("QA", "mt")
    with pytest.raises(
        UsageError, match=r"no answerer 'mediphy': declare it.*; did you mean mediphi\? there are: "
    ):
        answerer("mediphy", own)
