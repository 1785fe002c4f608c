"""The medical stages by DVC: translated, reviewed, answered, judged; nothing is paid twice."""

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from isogloss.project import find_project
from isogloss.stages import review_make
from llm.chats import SECRET
from llm.loopback import Loopback
from stages.medical_project import ITEMS, read, settings, well, write
from stages.test_review import fill

pytestmark = pytest.mark.slow


def run(folder: Path, *command: str, **environment: str) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PATH": path, "DVC_NO_ANALYTICS": "1", **environment},
        text=True,
        capture_output=True,
        timeout=1800,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def repro(folder: Path) -> str:
    targets = ("medical-refusals", "medical-judge")
    return run(folder, sys.executable, "-m", "dvc", "repro", *targets, LOOPBACK_KEY=SECRET)


@pytest.fixture
def clone(tmp_path: Path, root: Path) -> Path:
    for part in ("dvc.yaml", ".dvcignore", ".gitignore"):
        shutil.copy(root / part, tmp_path / part)
    shutil.copytree(root / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    write(tmp_path / "data" / "medical" / "items.jsonl", ITEMS)
    (tmp_path / "data" / "medical" / "reviews").mkdir()
    run(tmp_path, "git", "init", "-q")
    run(tmp_path, sys.executable, "-m", "dvc", "init", "-q")
    return tmp_path


def configure(folder: Path, url: str) -> None:
    found = settings(url, languages=["de"], models=["own"]).model_dump(mode="json")
    lists = {name: {} for name in ("sources", "benchmarks", "llm_benchmarks", "seed_translations")}
    content = {**lists, **{key: found[key] for key in ("run", "chat", "medical")}}
    # JSON is YAML.
    (folder / "params.yaml").write_text(json.dumps(content), encoding="utf-8")


def test_returned_sheets_ask_only_what_is_new(clone: Path) -> None:
    with Loopback(well) as server:
        configure(clone, server.url)
        repro(clone)
        project = find_project(clone)
        asked = Counter(call.json["model"] for call in server.calls)
        # Five items, two languages, and English alone in the arm that has no review yet.
        assert asked["translator"] == len(ITEMS)
        assert asked["own"] == 2 * len(ITEMS) + len(ITEMS)
        assert asked["judge"] == 3
        assert read(project.reviewed("de")) == []

        calls = len(server.calls)
        assert "Data and pipelines are up to date" in repro(clone)
        assert len(server.calls) == calls

        sheets, back = clone / "sheets", clone / "data" / "medical" / "reviews"
        items, machine = clone / "data/medical/items.jsonl", project.translations("de")
        before = machine.read_bytes()
        review_make.run("de", items, machine, "anna", sheets)
        fill(sheets / "de-1-anna.xlsx", back, (5, 4, 5), {})
        review_make.run("de", items, machine, "bert", sheets, stage=2, returned=[back])
        final = read(machine)[4]["input"] + " Warum?"
        fill(sheets / "de-2-bert.xlsx", back, (5, 5, 5), {"qa-liveqa-0000": final})
        repro(clone)
        new = Counter(call.json["model"] for call in server.calls[calls:])
    # The German items of the reviewed arm: asked once each, unchanged texts too; nothing else is.
    assert new == {"own": len(ITEMS), "judge": 1, "classifier": 1}
    assert machine.read_bytes() == before
    rows = read(project.answers("own", "reviewed"))
    assert Counter(row["language"] for row in rows) == {"en": 5, "de": 5}
    assert read(project.reviewed("de"))[4]["input"] == final
    assert len(read(project.reviews("de"))) == len(ITEMS)
    statistics = json.loads(project.reviewed("de").with_suffix(".json").read_text("utf-8"))
    assert statistics["scores"]["fluency"] == {"first": 4.0, "second": 5.0, "both": 4.5}
    assert len(read(project.verdicts("own", "reviewed"))) == 2
    assert SECRET not in "".join(
        path.read_text("utf-8") for path in (clone / "recordings").iterdir()
    )
