"""The gate on a real encoder: a planted silent error is caught, an equal release passes."""

import json
import shutil
from pathlib import Path

import pytest

from isogloss.cli.main import main
from isogloss.project import Project, find_project
from isogloss.stages import corpus, embed, queries

pytestmark = pytest.mark.slow

BENCHMARK = "epo-title"
MODEL = "minilm-l6-en"
PLANTED = "minilm-l6-en-cut"
EQUAL = "renamed"


@pytest.fixture(scope="module")
def project(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The sample's smallest benchmark with vectors of the model and of its planted error."""
    place = tmp_path_factory.mktemp("planted")
    (place / "data").symlink_to(root / "data", target_is_directory=True)
    shutil.copy(root / "params.yaml", place)
    (place / "models").mkdir()
    for key in (MODEL, PLANTED):
        shutil.copy(root / f"models/{key}.yaml", place / "models")
    declared = (root / f"models/{MODEL}.yaml").read_text("utf-8")
    # What is said about a model is no part of its release.
    renamed = declared.replace("note: ", "note: The same under another key. ")
    assert renamed != declared
    (place / f"models/{EQUAL}.yaml").write_text(renamed, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("MLFLOW_TRACKING_URI", raising=False)
        made = find_project(place)
        corpus.run(made, "epo")
        queries.run(made, BENCHMARK)
        for key in (MODEL, PLANTED):
            embed.run(made, BENCHMARK, key)
        yield made


def gate(project: Project, monkeypatch: pytest.MonkeyPatch, after: str) -> int:
    monkeypatch.chdir(project.root)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    with pytest.raises(SystemExit) as done:
        main(["releases", MODEL, MODEL, after, "--benchmark", BENCHMARK, "--gate"])
    return int(done.value.code or 0)


def test_a_planted_error_fails_the_gate_and_is_named(
    project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert gate(project, monkeypatch, PLANTED) == 1
    said = capsys.readouterr().err.splitlines()[-1]
    assert "significant loss on recall_at_10/cross, recall_at_10/all" in said
    (found,) = (project.root / "results/releases" / BENCHMARK / MODEL).glob("*/releases.json")
    content = json.loads(found.read_text("utf-8"))
    change = content["headlines"]["recall_at_10/cross"]
    assert change["delta"] < -0.1
    assert change["p_holm"] < 0.01
    # Titles fit into 16 pieces, abstracts and claims do not.
    assert content["cosine"]["queries"]["mean"] > 0.9 > content["cosine"]["documents"]["mean"]


def test_an_equal_release_under_another_key_passes(
    project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert gate(project, monkeypatch, EQUAL) == 0
    assert "gate: passed (no difference" in capsys.readouterr().out
