"""The sample's hand-written queries: replayed without a key, accounted for, and made again."""

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from authored.recording import record

from authored import texts
from isogloss.benchmark import read_benchmark
from isogloss.errors import DataError
from isogloss.files import read_parquet
from isogloss.llm.faults import OfflineError
from isogloss.llm.recordings import Recordings
from isogloss.project import Project
from isogloss.qac.verified import VERIFIED
from isogloss.settings import Settings, load_settings
from isogloss.stages import corpus, queries, seed_translations
from isogloss.stages.asking import Asking
from isogloss.stages.evaluation_figures import remarks

BENCHMARKS = ("epo-llm", "google-patents-llm")
NAMES = (
    "google-patents.seed",
    *(f"{one}.{task}" for one in BENCHMARKS for task in ("generate", "verify")),
)
# A port that nobody listens on: a call would fail.
NOWHERE = {"base_url": "http://127.0.0.1:9/v1", "retries": 0, "replay_only": False}


def corpora(place: Path, settings: Settings, root: Path) -> Project:
    (place / "data").symlink_to(root / "data", target_is_directory=True)
    project = Project(place, settings)
    for source in ("epo", "google-patents"):
        corpus.run(project, source)
    return project


@pytest.fixture(scope="module")
def project(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The sample with its recordings, and models at an address where nobody answers."""
    place = tmp_path_factory.mktemp("authored")
    plain = load_settings(root / "params.yaml").model_dump()
    for role in ("generator", "verifier", "translator"):
        plain["chat"][role] |= NOWHERE
    made = corpora(place, Settings.model_validate(plain), root)
    (place / "recordings").mkdir()
    for name in NAMES:
        shutil.copy(root / "recordings" / f"{name}.jsonl", place / "recordings")
    seed_translations.run(made, "google-patents")
    for benchmark in BENCHMARKS:
        queries.run(made, benchmark, asking=Asking(offline=benchmark == BENCHMARKS[0]))
    return made


@pytest.fixture(scope="module")
def rows(project: Project) -> list[dict[str, Any]]:
    tables = [
        read_parquet(project.written(one) / "verified.parquet", VERIFIED) for one in BENCHMARKS
    ]
    return [row for table in tables for row in table.to_pylist()]


def made(project: Project, benchmark: str) -> dict[str, Any]:
    return json.loads((project.benchmark(benchmark) / "stats.json").read_text("utf-8"))["made"]


def test_every_planned_query_replays_without_a_call(project: Project, rows) -> None:
    planned = {row["id"]: row for row in rows}
    assert len(planned) == 66
    assert Counter(row["language"] for row in planned.values()) == {
        "de": 13, "en": 12, "es": 15, "fr": 13, "zh": 13,
    }  # fmt: skip
    assert Counter(row["mode"] for row in planned.values()) == {"technical": 33, "general": 33}
    assert set(Counter(row["setup"] for row in planned.values()).values()) == {22}
    assert {row["setup"] for row in rows} == {"random-existing", "random-missing", "all"}
    assert len(rows) == 3 * len(planned)
    assert {(row["generation"], row["verification"]) for row in rows} == {("answered", "answered")}
    for name, count in zip(NAMES, (6, 90, 90, 108, 108), strict=True):
        with Recordings(project.root / "recordings" / f"{name}.jsonl") as recordings:
            assert len(recordings) == count
            assert recordings.faults is None


def test_kept_and_left_add_up(project: Project, rows) -> None:
    for benchmark in BENCHMARKS:
        counts = made(project, benchmark)
        candidates = dict(counts["candidates"])
        assert candidates.pop("asked") == sum(candidates.values()) == 3 * counts["planned"]
        assert counts["planned"] == counts["queries"] + sum(counts["skipped"].values())
        assert counts["bands"]["reject"] == 0
        assert set(counts["checks"].values()) == {0}
        assert len(read_benchmark(project.benchmark(benchmark)).queries) == counts["queries"]
    assert sum(row["fate"] == "kept" for row in rows) >= 60
    # Selection has something to choose from.
    assert {row["candidate"] for row in rows if row["fate"] == "kept"} == {0, 1, 2}
    assert {row["band"] for row in rows} == {"good", "fair", "reject"}
    assert len({row["composite"] for row in rows}) > 12


def test_what_can_be_checked_without_a_model_holds(rows) -> None:
    # Of all candidates, the worst included.
    assert all(row["evidence_occurs"] for row in rows)
    kept = [row for row in rows if row["fate"] == "kept"]
    assert all(row["in_planned_language"] and not row["missing_quantities"] for row in kept)
    overlaps = [row["lexical_overlap"] for row in kept if row["mode"] == "general"]
    assert sum(overlaps) / len(overlaps) < 0.2
    assert max(overlaps) < 0.5
    asked = {(row["id"], row["question"]) for row in rows}
    assert len(asked) == len(rows)


def test_translations_are_marked_and_whole(project: Project) -> None:
    report = json.loads((project.root / "corpora/google-patents.seeded.json").read_text("utf-8"))
    assert report["translator"] == "maintainers"
    assert (report["counts"]["sampled"], report["counts"]["translated"]) == (6, 6)
    found = read_benchmark(project.benchmark("google-patents-llm"))
    origins = Counter(document.metadata.origin for document in found.documents)
    assert origins == {"synthetic": 113, "machine-translated": 6}


def test_everything_says_who_wrote_it(project: Project, rows) -> None:
    assert {(row["generator"], row["verifier"]) for row in rows} == {
        ("maintainers", "maintainers-second-reader")
    }
    for benchmark in BENCHMARKS:
        found = read_benchmark(project.benchmark(benchmark))
        assert {query.metadata.generator for query in found.queries} == {"maintainers"}
        assert "questions written by hand by the maintainers" in " ".join(remarks(found))
        card = (project.benchmark(benchmark) / "card.md").read_text("utf-8")
        assert "written by hand by the maintainers" in card
    replies = b"".join(path.read_bytes() for path in (project.root / "recordings").iterdir())
    lines = [json.loads(line) for line in replies.splitlines()]
    models = Counter(line["response"]["model"] for line in lines)
    assert models == {"maintainers": 204, "maintainers-second-reader": 198}


def test_only_chemistry_is_asked_about(project: Project, rows) -> None:
    asked = {row["family"] for row in rows if row["generator"] and row["family"].startswith("EP0")}
    assert "EP0138357B1" in asked
    # A projection exposure apparatus: it stands in the pool only.
    assert "EP0449582B1" not in asked
    found = read_benchmark(project.benchmark("epo-llm"))
    assert "EP0449582B1" in {document.metadata.family for document in found.documents}


def test_a_name_that_is_only_replayed_is_never_asked(project: Project, tmp_path: Path) -> None:
    plain = project.settings.model_dump()
    plain["chat"]["generator"]["replay_only"] = True
    bare = Project(tmp_path, Settings.model_validate(plain))
    shutil.copytree(project.root / "corpora", tmp_path / "corpora")
    with pytest.raises(OfflineError, match=r"epo-llm\.generate\.jsonl.*and 89 more.*replay_only"):
        queries.run(bare, "epo-llm", step="generate")


def test_what_nobody_wrote_is_counted_and_the_rest_stands(
    project: Project, root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As where a patent was added: some of what is asked now, nobody wrote a reply to."""
    as_shipped = Project(tmp_path, load_settings(root / "params.yaml"))
    shutil.copytree(project.root / "corpora", tmp_path / "corpora")
    (tmp_path / "recordings").mkdir()
    for name in ("epo-llm.generate", "epo-llm.verify"):
        lines = (root / "recordings" / f"{name}.jsonl").read_bytes().splitlines(keepends=True)
        (tmp_path / "recordings" / f"{name}.jsonl").write_bytes(b"".join(lines[4:]))
    for _ in range(2):
        queries.run(as_shipped, "epo-llm")
        told = capsys.readouterr().err
        assert "nobody recorded what maintainers says to 4 of 90 requests" in told
        counts = made(as_shipped, "epo-llm")
        candidates = dict(counts["candidates"])
        assert candidates.pop("asked") == sum(candidates.values()) == 90
        assert counts["planned"] == counts["queries"] + sum(counts["skipped"].values()) == 30
        assert 20 < counts["queries"] < made(project, "epo-llm")["queries"]
        for name in ("epo-llm.generate", "epo-llm.verify"):
            path = tmp_path / "recordings" / f"{name}.jsonl"
            assert len(path.read_bytes().splitlines()) == 86


@pytest.mark.slow
def test_the_same_texts_give_the_same_recordings(root: Path, tmp_path: Path) -> None:
    again = corpora(tmp_path, load_settings(root / "params.yaml"), root)
    assert record(again) == 402
    for name in NAMES:
        path = Path("recordings") / f"{name}.jsonl"
        assert (tmp_path / path).read_bytes() == (root / path).read_bytes(), name


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"scores": [5, 5, 5, 5, 5, 5, 5]}, "8 scores from 0 to 5"),
        ({"scores": [5, 5, 5, 5, 5, 5, 5, 6]}, "8 scores from 0 to 5"),
        ({"answer": 6.4}, "put numbers in quotes"),
        ({"note": "x"}, "a proposal has question, answer, evidence and scores"),
    ],
)
def test_a_fault_in_a_text_is_named(
    change: dict[str, Any], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = {"question": "q", "answer": "a", "evidence": "e", "scores": [5] * 8}
    written = {"F:en:technical": [whole, whole, {**whole, **change}]}
    (tmp_path / "b.yaml").write_text(json.dumps(written), "utf-8")
    monkeypatch.setattr(texts, "FOLDER", tmp_path)
    with pytest.raises(DataError, match=rf"b\.yaml: F:en:technical: .*{said}"):
        texts.proposals("b")


def test_what_is_not_written_or_not_asked_for_is_named() -> None:
    with pytest.raises(DataError, match="b: 1 not written, the first is x"):
        texts.expected({"x", "y"}, {"y"}, "b")
    with pytest.raises(DataError, match="b: 2 not asked for, the first is u"):
        texts.expected({"y"}, {"y", "v", "u"}, "b")
