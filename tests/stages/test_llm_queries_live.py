"""The live path: a real chat model, behind a real server, is asked for queries and for scores."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from isogloss.files import read_parquet, write_json, write_parquet
from isogloss.llm.outcomes import Outcome
from isogloss.llm.recordings import Recordings
from isogloss.project import Project, find_project
from isogloss.qac.candidates import CANDIDATES, candidate_table, read_candidates
from isogloss.qac.llm_queries import selection_counts
from isogloss.qac.verified import VERIFIED
from isogloss.schema import CORPUS
from llm.smollm2 import ChatServer
from stages.test_llm_queries import row

pytestmark = pytest.mark.slow
PLANNED = 1


def project_at(folder: Path, server: ChatServer) -> Project:
    common = {
        "base_url": server.url,
        "max_tokens": 32,
        "max_tokens_field": "max_tokens",
        "temperature": 0.0,
        "structured_output": False,
    }
    wish = {"source": "small", "corpus": "small", "queries": PLANNED}
    settings = {
        "run": {},
        "sources": {"small": {"format": "epo", "languages": ["de", "en"]}},
        "llm_benchmarks": {"small-llm": {**wish, "modes": ["technical"], "languages": ["en"]}},
        "chat": {
            # One set of weights under two names: this shows the path, not the worth of the scores.
            "generator": {"name": str(server.model), **common},
            "verifier": {"name": server.named("judge", folder), **common},
            "concurrency": 2,
        },
    }
    # JSON is YAML.
    write_json(folder / "params.yaml", settings)
    project = find_project(folder)
    rows = [row(family, code) for family in "AB" for code in ("de", "en")]
    write_parquet(project.corpus("small"), pa.Table.from_pylist(rows, schema=CORPUS))
    return project


def isogloss(project: Project, *words: str) -> tuple[int, str]:
    """Exit code and standard error of ``isogloss queries small-llm``."""
    verb = [str(Path(sys.executable).parent / "isogloss"), "queries", "small-llm", *words]
    done = subprocess.run(verb, cwd=project.root, capture_output=True, text=True, timeout=900)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stderr


def recorded(project: Project, task: str) -> list[Any]:
    with Recordings(project.recording("small-llm", task)) as recordings:
        return [recordings.get(key) for key in recordings]


def test_a_real_model_is_asked_recorded_replayed_and_accounted_for(
    tmp_path: Path, chat_server: ChatServer
) -> None:
    project = project_at(tmp_path, chat_server)
    assert isogloss(project, "--plan-only")[0] == 0
    assert len((project.written("small-llm") / "plan.csv").read_text().splitlines()) == 1 + PLANNED

    code, said = isogloss(project, "--only", "generate")
    assert code == 0, said
    path = project.written("small-llm") / "candidates.parquet"
    candidates = read_candidates(read_parquet(path), str(path))
    assert len(candidates) == CANDIDATES * PLANNED
    # Each has its question or the reason why not, and every call its recording.
    assert all(bool(one.question) != bool(one.generation_reason) for one in candidates)
    asked = recorded(project, "generate")
    repaired = [one for one in asked if one.attempt == 2]
    assert len(asked) == len(candidates) + len(repaired)
    assert f"generate small-llm: {len(asked)} calls" in said
    assert all(one.response["usage"]["completion_tokens"] > 0 for one in asked)
    assert not any(one.outcome is Outcome.FAILED for one in asked)

    before = path.read_bytes()
    assert isogloss(project, "--only", "generate", "--offline")[0] == 0
    assert path.read_bytes() == before
    if not any(one.question for one in candidates):
        # So small a model seldom keeps to a schema: one question by hand, so that one is verified.
        first = replace(
            candidates[0],
            generation="answered",
            generation_reason=None,
            question="Heating temperature of catalyst K-A",
            answer="80 °C",
            evidence="80 °C",
        )
        write_parquet(path, candidate_table([first, *candidates[1:]]))

    code, said = isogloss(project, "--only", "verify")
    assert code == 0, said
    verified = project.written("small-llm") / "verified.parquet"
    before = verified.read_bytes()
    assert isogloss(project, "--only", "verify", "--offline")[0] == 0
    assert verified.read_bytes() == before
    judged = recorded(project, "verify")
    assert f"verify small-llm: {len(judged)} calls" in said
    assert judged
    rows = read_parquet(verified, VERIFIED).to_pylist()
    counts: dict[str, Any] = selection_counts(rows)
    assert counts["planned"] == PLANNED == counts["queries"] + sum(counts["skipped"].values())
    ends = dict(counts["candidates"])
    assert ends.pop("asked") == len(candidates) == sum(ends.values())

    # Selection: a benchmark of what was kept, or an error that tells where all queries went.
    code, said = isogloss(project, "--only", "dataset")
    if counts["queries"]:
        assert code == 0, said
        stats = json.loads((project.benchmark("small-llm") / "stats.json").read_text("utf-8"))
        assert stats["made"]["skipped"] == counts["skipped"]
    else:
        assert code == 1
        assert "gives the maker llm no query" in said
        assert f"planned {PLANNED}" in said
