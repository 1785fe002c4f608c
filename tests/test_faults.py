"""What a wrong value is told, in our words and not in the validator's."""

import re
from pathlib import Path

import pytest

from isogloss.errors import SettingsError
from isogloss.settings import Settings, parse

SOURCE = {"format": "epo", "languages": ["de", "en"]}


@pytest.mark.parametrize(
    ("section", "told"),
    [
        ({"evaluation": {"gates": 0.1}}, "evaluation.gates: unknown key; did you mean gate?"),
        (
            {"sources": {"a": SOURCE | {"exlude": []}}},
            "sources.a.exlude: unknown key; did you mean exclude?",
        ),
        (
            {"sources": {"a": SOURCE | {"selection": {"limt": 3}}}},
            "sources.a.selection.limt: unknown key; did you mean limit?",
        ),
        ({"evaluation": {"qqqq": 1}}, "evaluation.qqqq: unknown key"),
        ({"embedding": {"batch_size": 0}}, "embedding.batch_size: must be at least 1, is 0"),
        ({"releases": {"alpha": -1.0}}, "releases.alpha: must be above 0, is -1.0"),
        (
            {"embedding": {"batch_size": "many"}},
            "embedding.batch_size: must be an integer, is 'many'",
        ),
        ({"evaluation": {"gate": "x"}}, "evaluation.gate: must be a number, is 'x'"),
        ({"lancedb": {"uri": 3}}, "lancedb.uri: must be a text, is 3"),
        ({"pools": {"a": "b"}}, "pools.a: must be a list, is 'b'"),
        ({"pools": []}, "pools: must be a mapping of keys, is a list"),
        ({"search": None}, "search: must be a mapping of keys, is null"),
        ({"sources": {"a": {"format": "epo"}}}, "sources.a.languages: is missing"),
        (
            {"sources": {"a": SOURCE | {"languages": []}}},
            "sources.a.languages: must hold at least 1 item, holds 0",
        ),
        (
            {"sources": {"a": SOURCE | {"format": "epos"}}},
            "sources.a.format: must be one of google-patents, epo, parallel, is 'epos'",
        ),
        (
            {"sources": {"a": SOURCE | {"selection": {"chemistry": 1}}}},
            "sources.a.selection.chemistry: must be true or false, is 1",
        ),
        (
            {"run": {"models": ["A b"]}},
            "run.models.0: must hold only a-z, 0-9 and hyphens, 100 of them at most",
        ),
        ({"run": {"models": ["a", "a"]}}, "run: models: a is named twice"),
    ],
)
def test_a_fault_is_told_plainly(section: dict[str, object], told: str) -> None:
    with pytest.raises(SettingsError, match=f"^{re.escape(f'here: {told}')}$"):
        parse(Settings, {"run": {}} | section, str(Path("here")))
