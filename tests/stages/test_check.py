import json
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from isogloss.errors import DataError
from isogloss.project import Project
from isogloss.settings import Settings
from isogloss.stages import check


def project(folder: Path, sources: list[str], run: dict[str, Any] | None = None) -> Project:
    source = {"format": "parallel", "languages": ["en"]}
    values = {"run": run or {}, "sources": dict.fromkeys(sources, source)}
    return Project(folder, Settings.model_validate(values))


def put(made: Project, source: str, name: str, content: str) -> None:
    made.raw(source).mkdir(parents=True, exist_ok=True)
    (made.raw(source) / name).write_text(content, "utf-8")


def test_raw_data_is_looked_into(tmp_path, capsys) -> None:
    made = project(tmp_path, ["good", "wrong", "other", "absent"])
    line = {"id": "D:1", "texts": {"en": "a"}}
    put(made, "good", "a.jsonl", json.dumps(line))
    put(made, "wrong", "a.jsonl", json.dumps(line | {"id": "D1"}))
    put(made, "other", "a.csv", "x")
    with pytest.raises(DataError, match=r"^3 faults found, named above$"):
        check.run(made)
    faults = [line for line in capsys.readouterr().out.splitlines() if line.startswith("fault:")]
    assert len(faults) == 3
    assert "wrong/a.jsonl: no parallel data: its first records cannot be used (the id" in faults[0]
    assert "other: holds no file of a parallel source (.tmx, .jsonl, .zip)" in faults[1]
    assert "absent: no raw data" in faults[2]


def test_one_fault_is_one_fault(tmp_path, capsys) -> None:
    with pytest.raises(DataError, match=r"^1 fault found, named above$"):
        check.run(project(tmp_path, [], {"benchmarks": ["nowhere"]}))
    told = capsys.readouterr().out
    assert "fault: run.benchmarks: nowhere is neither under benchmarks nor imported" in told


def test_a_whole_project_passes(tmp_path, capsys) -> None:
    made = project(tmp_path, ["good"])
    put(made, "good", "a.jsonl", '{"id": "D:1", "texts": {"en": "a"}}')
    check.run(made)
    assert "params.yaml: valid; 1 source, 0 made benchmarks, 0 x 0" in capsys.readouterr().out


def test_the_medical_section_is_checked(tmp_path, capsys) -> None:
    medical = {"languages": ["de", "fr"], "models": ["nearest", "nobody"], "items": "items.jsonl"}
    made = Project(tmp_path, Settings.model_validate({"run": {}, "medical": medical}))
    with pytest.raises(DataError, match=r"^5 faults found, named above$"):
        check.run(made)
    faults = [line for line in capsys.readouterr().out.splitlines() if line.startswith("fault:")]
    for fault, told in zip(
        faults,
        (
            "items.jsonl: no such file",
            "no prompt answer-MCQA-fr.txt",
            "use-multilingual-v3.yaml: no such file; nearest needs that encoder",
            "no answerer 'nobody'",
            "reviews: no such folder; returned review sheets belong there",
        ),
        strict=True,
    ):
        assert told in fault


def test_a_budget_of_money_for_answers_needs_the_prices_of_each_model(tmp_path, capsys) -> None:
    (tmp_path / "items.jsonl").write_text("", "utf-8")
    prices = {"input_price": 1, "output_price": 1}
    own = {"cheap": {"name": "cheap", **prices}, "own": {"name": "own"}}
    values = {
        "run": {},
        "medical": {"models": ["majority", "cheap", "own", "gpt-5-4"], "items": "items.jsonl"},
        "chat": {"answerers": own, "budgets": {"answer": {"money": 9}}},
    }
    with pytest.raises(DataError):
        check.run(Project(tmp_path, Settings.model_validate(values)))
    told = [line for line in capsys.readouterr().out.splitlines() if "has no prices" in line]
    assert [line.split()[2] for line in told] == ["own", "gpt-5-4"]


def test_translations_of_documents_are_checked(tmp_path, capsys) -> None:
    values = {
        "run": {},
        "sources": {
            "patents": {"format": "epo", "languages": ["en"]},
            "passages": {"format": "parallel", "languages": ["en"]},
        },
        "seed_translations": {
            "patents": {"language": "sw", "documents": 1},
            "passages": {"documents": 1},
        },
    }
    made = Project(tmp_path, Settings.model_validate(values))
    with pytest.raises(DataError, match=r"^4 faults found, named above$"):
        check.run(made)
    told = capsys.readouterr().out
    assert "fault: seed_translations: no prompt prompts/translations/seed-sw.txt" in told
    assert "seed_translations.passages: a source of format parallel is not translated" in told


def test_roles_that_only_replay_need_their_recordings(tmp_path, capsys) -> None:
    source = {"format": "parallel", "languages": ["en"]}
    model = {"name": "maintainers", "replay_only": True}
    reader = {"name": "reader", "replay_only": True}
    values = {
        "run": {},
        "sources": {"good": source},
        "llm_benchmarks": {"asked": {"source": "good", "corpus": "good", "queries": 2}},
        "chat": {"generator": model, "verifier": reader},
    }
    made = Project(tmp_path, Settings.model_validate(values))
    put(made, "good", "a.jsonl", '{"id": "D:1", "texts": {"en": "a"}}')
    with pytest.raises(DataError, match=r"^2 faults found, named above$"):
        check.run(made)
    told = capsys.readouterr().out
    assert "asked.generate.jsonl: no such file, and chat.generator only replays" in told
    for stage in ("generate", "verify"):
        made.recording("asked", stage).parent.mkdir(exist_ok=True)
        made.recording("asked", stage).touch()
    check.run(made)


REMOTE = "{kind: hub, name: a/b, revision: %s, dimension: 8, pooling: mean, licence: mit, %s}"
RERANK = """{{kind: rerank, first: plain, top: 10, licence: mit,
scorer: {{kind: cross-encoder, name: a/b, revision: {commit}, max_length: 8, {trust}}}}}"""
COMMIT = "0123456789abcdef0123456789abcdef01234567"


def test_what_runs_code_or_weights_that_nobody_pinned_is_a_fault(tmp_path, capsys) -> None:
    models = tmp_path / "models"
    models.mkdir()
    trust = "trust_remote_code: true"
    for key, content in {
        "plain": "{kind: full-text, licence: none}",
        "pinned": REMOTE % (COMMIT, f"{trust}, code_revision: {COMMIT}"),
        "code": REMOTE % (COMMIT, trust),
        "weights": REMOTE % ("null", "dtype: float32"),
        "not-run": REMOTE % ("null", trust),
        "second": RERANK.format(commit=COMMIT, trust=trust),
    }.items():
        (models / f"{key}.yaml").write_text(content, "utf-8")
    (tmp_path / "benchmark" / "b").mkdir(parents=True)
    derived = {"b--second": {"benchmark": "b", "model": "second", "parts": ["plain"]}}
    run = {"benchmarks": ["b"], "models": ["plain", "pinned", "code", "weights"]}
    with pytest.raises(DataError, match=r"^3 faults found, named above$"):
        check.run(project(tmp_path, [], run | {"derived": derived}))
    faults = [line for line in capsys.readouterr().out.splitlines() if line.startswith("fault:")]
    assert faults[0].startswith("fault: code: runs remote code but code_revision is null; read")
    assert faults[1].startswith("fault: second: runs remote code but scorer.code_revision is null")
    assert faults[2].startswith("fault: weights: revision is null; pin the commit hash of a/b")


def test_an_engine_that_is_not_installed_is_a_fault(tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(DataError, match=r"^1 fault found, named above$"):
        check.run(Project(tmp_path, Settings.model_validate({"run": {}, "engine": "ray"})))
    assert "fault: engine ray needs an optional dependency" in capsys.readouterr().out


def test_a_device_that_is_named_and_not_here_is_a_fault(tmp_path, capsys) -> None:
    absent = f"cuda:{torch.cuda.device_count()}"
    values = {"run": {}, "search": {"device": absent}, "embedding": {"device": "cpu"}}
    with pytest.raises(DataError, match=r"^1 fault found, named above$"):
        check.run(Project(tmp_path, Settings.model_validate(values)))
    told = f"fault: params.yaml: search.device: device {absent}: cannot be used here"
    assert told in capsys.readouterr().out
