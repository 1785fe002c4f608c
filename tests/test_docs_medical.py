"""What docs/medical.md says can be done: its settings are valid, its verbs and variables exist."""

import re
from pathlib import Path

import pytest
from ruamel.yaml import YAML
from typer.main import get_command

from isogloss.chat_settings import ROLES
from isogloss.cli.main import app
from isogloss.medical.answerers import answerer
from isogloss.medical.conversion import SOURCES
from isogloss.medical.data import load
from isogloss.medical.records import AnswerRow, ExpertRow, RefusalRow, VerdictRow
from isogloss.medical.refusal_check import refusal_samples
from isogloss.settings import Settings


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    return (root / "docs" / "medical.md").read_text("utf-8")


def test_the_example_is_valid_and_everyone_in_it_can_be_found(page: str) -> None:
    (example,) = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    content = YAML(typ="safe", pure=True).load(example)
    settings = Settings.model_validate({"run": {}, **content})
    assert settings.medical is not None
    found = [answerer(key, settings.chat.answerers) for key in settings.medical.models]
    # Loading refuses a budget of money without prices, so the example shows how one is written.
    limited = [task for task, budget in settings.chat.budgets.items() if budget.money]
    assert [getattr(settings.chat, ROLES[task]).priced for task in limited] == [True]
    assert {who.group for who in found} == {"proprietary", "medical", "other", "floor"}


def test_every_verb_and_option_exists(page: str) -> None:
    medical = get_command(app).commands["medical"].commands  # type: ignore[attr-defined]
    named = re.findall(r"`isogloss medical (\w+)", page)
    assert set(named) <= set(medical)
    assert {"items", "translate", "review", "answer", "refusals", "judge"} <= set(named)
    options = {
        option
        for verb in medical.values()
        for command in [verb, *getattr(verb, "commands", {}).values()]
        for parameter in command.params
        for option in parameter.opts
    }
    assert set(re.findall(r"--[a-z][a-z-]+", page)) <= options


def test_variables_sources_and_files_are_those_of_the_code(page: str) -> None:
    endpoints = [entry["endpoint"] for entry in load("panel")["models"].values()]
    variables = set(re.findall(r"`([A-Z0-9_]+_BASE_URL)`", page))
    assert variables
    assert variables <= {endpoint["base_url_env"] for endpoint in endpoints}
    assert {name for name in SOURCES if f"`{name}`" not in page} == set()
    assert f"{len(refusal_samples())} labelled replies" in page
    table = page.partition("## Answers from elsewhere")[2]
    kinds = {"answers": AnswerRow, "refusals": RefusalRow, "verdicts": VerdictRow}
    for name, kind in {**kinds, "experts": ExpertRow}.items():
        (line,) = re.findall(rf"^\| {name} \| (.*) \|$", table, re.MULTILINE)
        fields = set(re.findall(r"`(\w+)`", line)) - {"answered", "failed", "cut"}
        assert fields <= set(kind.__struct_fields__), name
