"""The sample rows: what they are made to show, so that no edit takes it away unseen."""

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from isogloss.languages import normalise_language
from isogloss.words import count_words, sentences

FOLDER = Path("data/patents/google-patents")
FIVE = {"de", "en", "es", "fr", "zh"}


@pytest.fixture(scope="module")
def rows(root: Path) -> list[dict[str, Any]]:
    plain, packed = sorted((root / FOLDER).glob("publications-*"))
    lines = plain.read_bytes().splitlines() + gzip.decompress(packed.read_bytes()).splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def versions(rows) -> dict[str, dict[str, str]]:
    """Abstracts by publication number and language; the longest untruncated one of each."""
    found: dict[str, dict[str, str]] = {}
    for row in rows:
        number = row["publication_number"].upper().replace("-", "").replace(" ", "")
        for text in row.get("abstract_localized", []):
            code = normalise_language(text["language"])
            if code in FIVE and not text["truncated"]:
                found.setdefault(number, {})[code] = " ".join(text["text"].split())
    return found


def chemical(row: dict[str, Any]) -> bool:
    codes = [entry["code"].removeprefix("5").strip() for entry in row["cpc"] + row["ipc"]]
    return any(code.startswith(("C", "A61K", "A61P")) for code in codes)


def test_size_and_marks(rows, root: Path) -> None:
    assert len(rows) == 34
    assert all(row["synthetic"] is True for row in rows)
    packed = (root / FOLDER / "publications-000000000001.jsonl.gz").read_bytes()
    assert packed[4:8] == bytes(4), "gzip carries a time"
    assert "`synthetic: true`" in (root / FOLDER / "ATTRIBUTION.md").read_text("utf-8")


def test_every_hand_written_abstract_is_long_enough(rows, versions) -> None:
    kept = {
        number: texts
        for number, texts in versions.items()
        if len(texts) > 1 and all(count_words(text, code) >= 50 for code, text in texts.items())
    }
    # Two of them, a derailleur and a traffic sensor, are no chemistry.
    assert len(kept) == 29
    assert sum(set(texts) == FIVE for texts in kept.values()) == 16
    assert sum(len(texts) for texts in kept.values()) == 117
    offices = Counter(number[:2] for number in kept)
    assert set(offices) == {"WO", "EP", "US", "CN", "MX", "DE", "FR", "ES"}


def test_versions_are_aligned_but_for_one_family(versions) -> None:
    uneven = {
        number
        for number, texts in versions.items()
        if len({len(sentences(text, code)) for code, text in texts.items()}) > 1
    }
    assert uneven == {"WO2016900120A1"}


def test_rows_that_exercise_the_rules(rows, versions) -> None:
    numbers = [row["publication_number"] for row in rows]
    assert "EP-9900103-A1" in numbers
    assert "ep 9900103 a1" in numbers
    tags = {text["language"] for row in rows for text in row.get("abstract_localized", [])}
    assert {"zh-CN", "ZH", "cn", "EN", "De", "fr-FR", "ja"} <= tags
    assert sum("abstract_localized" not in row for row in rows) == 1
    assert sum(not chemical(row) for row in rows) == 2
    assert any(text["truncated"] for row in rows for text in row.get("abstract_localized", []))
    assert {row["publication_date"] for row in rows} >= {0, "20201203"}
    assert Counter(row["family_id"] for row in rows)["-1"] == 2
    assert sum(len(texts) == 1 for texts in versions.values()) == 1


def test_twins_stand_in_one_cluster(rows, versions) -> None:
    families = {row["publication_number"]: row["family_id"] for row in rows}
    assert families["WO-2021900114-A1"] == families["EP-9900125-B1"]
    assert families["CN-199000104-A"] == families["CN-199000126-A"]
    twin, original = versions["EP9900125B1"], versions["WO2021900114A1"]
    assert set(twin) == {"de", "en", "fr"}
    assert all(original[code] == text for code, text in twin.items())
