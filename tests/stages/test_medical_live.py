"""The live path: a real chat model answers three items, is classified and judged, and replays."""

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from isogloss.files import write_json
from isogloss.llm.recordings import Recordings
from isogloss.project import Project, find_project
from llm.smollm2 import ChatServer
from stages.medical_project import ITEMS, read, write

pytestmark = pytest.mark.slow
# One item of each task.
ASKED = [ITEMS[0], ITEMS[3], ITEMS[4]]


def project_at(folder: Path, server: ChatServer) -> Project:
    common = {
        "base_url": server.url,
        "max_tokens": 24,
        "max_tokens_field": "max_tokens",
        "structured_output": False,
    }
    # One set of weights under three names: this shows the path, not the worth of the answers.
    chat = {
        "answerers": {"smollm2": {"name": str(server.model), "temperature": 0.7, **common}},
        "refusal_classifier": {"name": server.named("classifier", folder), **common},
        "judge": {"name": server.named("judge", folder), **common},
        "concurrency": 2,
    }
    # JSON is YAML.
    settings = {"run": {}, "chat": chat, "medical": {"models": ["smollm2"]}}
    write_json(folder / "params.yaml", settings)
    write(folder / "data" / "medical" / "items.jsonl", ASKED)
    return find_project(folder)


def isogloss(project: Project, *words: str) -> str:
    """Standard output of ``isogloss medical ...``."""
    verb = [str(Path(sys.executable).parent / "isogloss"), "medical", *words]
    done = subprocess.run(verb, cwd=project.root, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_three_items_are_answered_classified_judged_and_replayed(
    tmp_path: Path, chat_server: ChatServer
) -> None:
    project = project_at(tmp_path, chat_server)
    begun = time.monotonic()
    said = isogloss(project, "answer", "smollm2", "reviewed")
    assert f"asked {len(ASKED)}" in said
    rows = read(project.answers("smollm2", "reviewed"))
    assert [row["id"] for row in rows] == [item["id"] for item in ASKED]
    assert {row["outcome"] for row in rows} == {"answered"}
    with Recordings(project.recording("medical", "answer.smollm2.reviewed")) as recordings:
        found: list[Any] = [recordings.get(key) for key in recordings]
    assert len(found) >= len(ASKED)
    assert all(one.response["usage"]["completion_tokens"] > 0 for one in found)
    # Whatever so small a model says of the answers, each is accounted for.
    said = isogloss(project, "refusals", "smollm2", "reviewed")
    assert f"{len(ASKED)} replies" in said
    isogloss(project, "judge", "smollm2", "reviewed")
    outputs = {
        path: path.read_bytes() for path in project.medical.rglob("*.jsonl") if path.is_file()
    }
    assert len(outputs) == 3
    assert time.monotonic() - begun < 240
    for verb in ("answer", "refusals", "judge"):
        isogloss(project, verb, "smollm2", "reviewed", "--offline")
    assert {path: path.read_bytes() for path in outputs} == outputs
