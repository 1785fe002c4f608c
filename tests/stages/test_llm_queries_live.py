"""The live path: a real chat model, behind a real server, is asked for queries and for scores."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from isogloss.files import read_parquet, write_parquet
from isogloss.llm.recordings import Recordings
from isogloss.project import Project
from isogloss.qac.candidates import candidate_table, read_candidates
from isogloss.qac.llm_queries import selection_counts
from isogloss.qac.verified import VERIFIED
from isogloss.schema import CORPUS
from isogloss.settings import Settings
from isogloss.stages import llm_queries as stage
from stages.test_llm_queries import row

MODEL = os.environ.get("ISOGLOSS_CHAT_MODEL", "")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not MODEL, reason="ISOGLOSS_CHAT_MODEL names no folder; llm/smollm2.py"),
]


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # Without a model of its own, so that both names are served.
    command = [str(Path(sys.executable).parent / "transformers"), "serve"]
    command += ["--host", "127.0.0.1", "--port", str(port), "--device", "cpu"]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1"}
    with (tmp_path / "server.log").open("wb") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
        try:
            until = time.monotonic() + 90
            while time.monotonic() < until and server.poll() is None:
                with suppress(OSError):
                    urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=2)
                    break
                time.sleep(0.5)
            else:
                pytest.fail((tmp_path / "server.log").read_text("utf-8", "replace")[-2000:])
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.terminate()
            server.wait(20)


def project_at(folder: Path, url: str) -> Project:
    # One server, one set of weights, two names: this shows the path, not the worth of the scores.
    judge = folder / "judge"
    judge.symlink_to(MODEL)
    common = {
        "base_url": url,
        # Two or three tokens a second on a busy machine.
        "max_tokens": 24,
        "max_tokens_field": "max_tokens",
        "temperature": 0.0,
        "structured_output": False,
    }
    wish = {"source": "small", "queries": 2, "modes": ["technical"], "languages": ["en"]}
    settings = {
        "run": {},
        "sources": {"small": {"format": "epo", "languages": ["de", "en"]}},
        "llm_benchmarks": {"small-llm": wish},
        "chat": {
            "generator": {"name": MODEL, **common},
            "verifier": {"name": str(judge), **common},
            "concurrency": 2,
        },
    }
    return Project(folder, Settings.model_validate(settings))


def test_a_real_model_is_asked_recorded_and_replayed(tmp_path: Path, url: str) -> None:
    project = project_at(tmp_path, url)
    rows = [row(family, code) for family in "AB" for code in ("de", "en")]
    write_parquet(project.corpus("small"), pa.Table.from_pylist(rows, schema=CORPUS))
    stage.generate(project, "small-llm")
    path = project.written("small-llm") / stage.CANDIDATES_FILE
    candidates = read_candidates(read_parquet(path), str(path))
    assert len(candidates) == 6
    assert all(one.question or one.generation_reason for one in candidates)
    before = path.read_bytes()
    stage.generate(project, "small-llm", offline=True)
    assert path.read_bytes() == before
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
    stage.verify(project, "small-llm")
    verified = project.written("small-llm") / stage.VERIFIED_FILE
    before = verified.read_bytes()
    stage.verify(project, "small-llm", offline=True)
    assert verified.read_bytes() == before
    found = read_parquet(verified, VERIFIED).to_pylist()
    counts = selection_counts(found)
    skipped = counts["skipped"]
    assert isinstance(skipped, dict)
    assert (
        counts["planned"]
        == 2
        == sum(row["fate"] == "kept" for row in found) + sum(skipped.values())
    )
    for task in ("generate", "verify"):
        with Recordings(project.recording("small-llm", task)) as recordings:
            assert len(recordings) >= 1
            for key in recordings:
                recorded = recordings.get(key)
                assert recorded is not None
                assert recorded.response["usage"]["completion_tokens"] > 0
