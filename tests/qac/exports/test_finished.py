import json
from pathlib import Path

import pytest

from isogloss.errors import BenchmarkError
from isogloss.qac.exports.finished import read_finished, without_front_matter


def test_card_and_attribution_come_apart(finished, attribution) -> None:
    assert finished.attribution == attribution
    assert finished.card.startswith("# tiny-title\n\n")
    assert finished.description in finished.card
    assert finished.description.startswith("A benchmark for cross-lingual retrieval of known items")
    assert "Layout" not in finished.card
    assert "Licence" not in finished.card
    assert finished.languages == ["de", "en", "no", "zh"]
    assert finished.labels == ["known-item", "synthetic"]


@pytest.mark.parametrize("part", ["card.md", "stats.json"])
def test_what_is_missing_is_named(folder: Path, part: str) -> None:
    (folder / part).unlink()
    with pytest.raises(BenchmarkError, match=f"{part} is missing; make the benchmark again"):
        read_finished(folder)


def test_statistics_of_other_data_are_refused(folder: Path) -> None:
    with (folder / "corpus.jsonl").open("a") as corpus:
        corpus.write('{"_id":"X","text":"x","metadata":{"language":"en","family":"X"}}\n')
    with pytest.raises(BenchmarkError, match=r"stats\.json: is not of dataset version"):
        read_finished(folder)


@pytest.mark.parametrize(
    ("part", "content", "message"),
    [
        ("stats.json", "{", r"stats\.json: "),
        ("stats.json", '{"languages": {}}', "lacks cross_qrels, dataset_version, made"),
        ("card.md", "# no card", r"card\.md: is not of dataset version"),
    ],
)
def test_broken_parts_are_refused(folder: Path, part: str, content: str, message: str) -> None:
    (folder / part).write_text(content, "utf-8")
    with pytest.raises(BenchmarkError, match=message):
        read_finished(folder)


def test_a_card_without_its_sections_is_refused(folder: Path) -> None:
    version = json.loads((folder / "stats.json").read_text("utf-8"))["dataset_version"]
    (folder / "card.md").write_text(f"# tiny\n\nOf `{version}`.\n", "utf-8")
    with pytest.raises(BenchmarkError, match="has no section"):
        read_finished(folder)


def test_front_matter_is_taken_off() -> None:
    assert without_front_matter("---\na: 1\n---\n\n# B\n\n---\n") == "\n# B\n\n---\n"
    assert without_front_matter("# B\n---\nc\n") == "# B\n---\nc\n"
