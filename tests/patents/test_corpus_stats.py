import statistics
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isogloss.patents.corpus_stats import CorpusStatistics, Spread, evidence


def row(identifier: str, **values: Any) -> dict[str, Any]:
    family, _, language = identifier.partition(":")
    return {
        "id": identifier,
        "family": family,
        "cluster": "7",
        "language": language,
        "title": "",
        "abstract": "",
        "claim": "",
        "codes": [],
        "office": "EP",
        "date": None,
    } | values


def test_table_one_by_hand() -> None:
    found = CorpusStatistics()
    codes = ["C07D401/04", "C07H21/00", "A61K31/44", "Y02E60/10", "C"]
    found.add(
        row("A:en", title="A Dye", abstract="The dye, a DYE.", codes=codes, date="2006-01-02")
    )
    found.add(row("A:zh", claim="染料", office="", codes=["C07"]))
    report = found.report()
    assert report["documents"] == 2
    assert (report["families"], report["clusters"]) == (1, 1)
    assert report["languages"] == {"en": 1, "zh": 1}
    assert report["offices"] == {"EP": 1, "none": 1}
    assert report["ipc_classes_top_25"] == [
        {"class": "C07", "documents": 2},
        {"class": "A61", "documents": 1},
    ]
    assert report["tokens"] == {"n": 2, "mean": 3.5, "sd": pytest.approx(12.5**0.5)}
    assert report["tokens_by_language"]["zh"] == {
        "n": 1,
        "mean": 1.0,
        "sd": None,
        "reason": "one document has no spread",
    }
    assert report["vocabulary_by_language"] == {"en": 3, "zh": 1}
    assert report["vocabulary"] == 4
    assert report["documents_without"] == {"title": 1, "abstract": 1, "claim": 1, "date": 1}


def test_no_documents_is_not_a_number() -> None:
    assert CorpusStatistics().report()["tokens"] == {
        "n": 0,
        "mean": None,
        "sd": None,
        "reason": "no documents",
    }


def test_only_the_commonest_25_classes() -> None:
    found = CorpusStatistics()
    for number in range(30):
        found.add(row(f"{number}:en", codes=[f"C{number:02}B1/00"]))
    classes = [entry["class"] for entry in found.report()["ipc_classes_top_25"]]
    assert classes == [f"C{number:02}" for number in range(25)]


def test_contradicted_languages_are_named() -> None:
    found = CorpusStatistics()
    found.add(row("A:de", abstract="The catalyst comprises a zeolite and a binder of the kind."))
    assert found.report()["language_mismatches"] == {"n": 1, "first": ["A:de"]}


@given(st.lists(st.integers(0, 10**9), min_size=2, max_size=30))
def test_spread_is_exact(values: list[int]) -> None:
    spread = Spread()
    for value in values:
        spread.add(value)
    report = spread.report()
    assert report["mean"] == pytest.approx(statistics.fmean(values))
    assert report["sd"] == pytest.approx(statistics.stdev(values), rel=1e-12, abs=1e-12)


def test_evidence_leaves_empty_parts_out() -> None:
    assert evidence(row("A:en", title="T", claim="C")) == "T\nC"
