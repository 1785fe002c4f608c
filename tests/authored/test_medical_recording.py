"""The medical sample through the real verbs: recorded once, then replayed without any server."""

import json
from pathlib import Path
from typing import Any

import pytest
from authored.medical.recording import ANSWERER, AUDITS, record
from authored.medical.texts import items, replies, translations
from ruamel.yaml import YAML

from isogloss.medical.panel import ARMS
from isogloss.project import Project
from isogloss.settings import load_settings
from isogloss.stages import (
    audit_experts_export,
    audit_experts_import,
    medical_answer,
    medical_judge,
    medical_refusals,
    medical_score,
    medical_translate,
    review_merge,
)
from isogloss.stages.asking import Asking

REPOSITORY = Path(__file__).parents[2]
LANGUAGE = "sw"
OFFLINE = Asking(offline=True)


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project with the repository's own settings, English and one other language."""
    root = tmp_path_factory.mktemp("medical")
    yaml = YAML(typ="safe", pure=True)
    params = yaml.load(REPOSITORY / "params.yaml")
    params["medical"]["languages"] = [LANGUAGE]
    yaml.dump(params, root / "params.yaml")
    made = Project(root, load_settings(root / "params.yaml"))
    assert record(made) > 27 + 2 * (54 + 18)
    return made


def made_files(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes()
        for folder in ("medical", "recordings", "data")
        for path in sorted((root / folder).rglob("*"))
        if path.is_file()
    }


def replay(project: Project) -> None:
    medical_translate.run(project, LANGUAGE, OFFLINE)
    review_merge.run_project(project, LANGUAGE, strict=True)
    for arm in ARMS:
        medical_answer.run(project, ANSWERER, arm, OFFLINE)
        medical_refusals.run(project, ANSWERER, arm, OFFLINE)
        medical_judge.run(project, ANSWERER, arm, OFFLINE)


def test_replays_offline_to_the_same_bytes(project: Project) -> None:
    before = made_files(project.root)
    for name in before:
        if name.startswith("medical"):
            (project.root / name).unlink()
    replay(project)
    assert made_files(project.root) == before


def test_recording_again_gives_the_same_bytes(project: Project) -> None:
    before = made_files(project.root)
    record(project)
    assert made_files(project.root) == before


def test_the_repositorys_recordings_are_these(project: Project) -> None:
    name = f"medical.translate.{LANGUAGE}.jsonl"
    theirs = REPOSITORY / "recordings" / name
    assert theirs.is_file(), "recordings are not pulled: run `make data`"
    assert theirs.read_bytes() == project.recording("medical", f"translate.{LANGUAGE}").read_bytes()


def test_the_untouched_translation_survives(project: Project) -> None:
    kept = {row["id"]: row for row in rows(project.translations(LANGUAGE))}
    reviewed = {row["id"]: row for row in rows(project.reviews(LANGUAGE))}
    final = {row["id"]: row for row in rows(project.reviewed(LANGUAGE))}
    revised = 0
    for id_, one in translations(LANGUAGE).items():
        assert kept[id_]["input"] == reviewed[id_]["machine"]["input"] == one.input
        assert kept[id_]["target"] == reviewed[id_]["machine"]["target"] == one.target
        revised += (final[id_]["input"], final[id_]["target"]) != (one.input, one.target)
    assert revised == 21


def test_every_translation_passes_or_is_reported(project: Project) -> None:
    report = json.loads(project.translations(LANGUAGE).with_suffix(".json").read_text("utf-8"))
    assert report["asked"] == report["translated"] == len(items()) == 27
    assert report["left_out"] == {}
    # "For 40 minutes" was dropped, and found.
    assert [one["id"] for one in report["look_again"]] == ["mcqa-medqa-0001"]


def test_reviewers_are_two_and_all_rows_count(project: Project) -> None:
    figures = json.loads(project.reviewed(LANGUAGE).with_suffix(".json").read_text("utf-8"))
    assert figures["n_items"] == figures["n_first"] == figures["n_finished"] == 27
    assert figures["n_refused"] == 0
    assert figures["reviewers"] == {"first": ["maintainer-a"], "second": ["maintainer-b"]}


def test_scores_account_for_every_question(project: Project, tmp_path: Path) -> None:
    for name, files in {
        "items": [project.root / "data/medical/items.jsonl", project.reviewed(LANGUAGE)],
        "items-mt": [project.root / "data/medical/items.jsonl", project.translations(LANGUAGE)],
        "answers": [project.answers(ANSWERER, arm) for arm in ARMS],
        "refusals": [project.refusals(ANSWERER, arm) for arm in ARMS],
        "verdicts": [project.verdicts(ANSWERER, arm) for arm in ARMS],
    }.items():
        text = "".join(path.read_text("utf-8") for path in files)
        (tmp_path / f"{name}.jsonl").write_text(text, "utf-8")
    audit_experts_export.run(
        tmp_path / "items.jsonl",
        tmp_path / "answers.jsonl",
        tmp_path / "verdicts.jsonl",
        tmp_path,
        [ANSWERER],
        ["maintainer-c"],
        languages=["en", LANGUAGE],
    )
    audit_experts_import.run(tmp_path, [project.root / AUDITS], strict=True)
    medical_score.run(
        tmp_path / "items.jsonl",
        tmp_path / "answers.jsonl",
        tmp_path / "out",
        items_mt=tmp_path / "items-mt.jsonl",
        refusals=tmp_path / "refusals.jsonl",
        verdicts=tmp_path / "verdicts.jsonl",
        experts=tmp_path / "experts.jsonl",
        resamples=100,
        permutations=100,
    )
    scores = json.loads((tmp_path / "out" / "scores.json").read_text("utf-8"))
    for arm in ARMS:
        cells = scores["arms"][arm]["accuracy"]["cells"][ANSWERER]
        for language in ("en", LANGUAGE):
            held = cells[language].values()
            parts = {
                name: sum(cell[name] for cell in held)
                for name in ("answered", "unanswered", "refused", "failed")
            }
            assert sum(parts.values()) == 18
            declined = sum(
                reply.refused
                for (its_arm, id_), reply in replies(language).items()
                if its_arm == arm and not id_.startswith("qa")
            )
            assert parts["refused"] == declined
    assert scores["agreement"]["en"]["n"] == scores["agreement"][LANGUAGE]["n"] == 9
