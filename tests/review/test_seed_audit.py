"""Audits of machine-translated seed documents."""

import pyarrow as pa
import pytest
from scipy.stats import binomtest

from isogloss.errors import DataError
from isogloss.review.seed_audit import SEED_AUDIT, SeedRating, checked_seeds, seed_figures


def test_figures_of_the_published_shape() -> None:
    ratings = [SeedRating(f"d{n}", "ana", 5 if n < 25 else 4, 5, n < 34, "") for n in range(40)]
    figures = seed_figures(ratings, 40)
    assert figures["adequacy"] == 4.625
    assert figures["fluency"] == 5.0
    assert figures["accepted"] == 34
    assert figures["acceptance"] == 0.85
    interval = binomtest(34, 40).proportion_ci(method="wilson")
    assert figures["acceptance_ci"] == pytest.approx([interval.low, interval.high], abs=1e-12)
    assert figures["notes"] == []


def test_several_annotators_are_averaged_and_a_tie_rejects() -> None:
    ratings = [
        SeedRating("d", "ana", 5, 3, True, ""),
        SeedRating("d", "ben", 2, 4, False, ""),
        SeedRating("e", "ana", 4, 4, True, ""),
    ]
    figures = seed_figures(ratings, 3)
    assert (figures["adequacy"], figures["fluency"], figures["accepted"]) == (3.75, 3.75, 1)
    assert figures["notes"] == ["1 sampled translations are not rated"]


def test_nothing_rated() -> None:
    figures = seed_figures([], 3)
    assert figures["acceptance"] is None
    assert figures["notes"]


def test_an_id_that_comes_twice() -> None:
    row = {"document": "d", "stratum": "", "source": "s", "translation": "t"}
    with pytest.raises(DataError, match="row 2, document 'd': is there already"):
        checked_seeds(pa.Table.from_pylist([row, row], schema=SEED_AUDIT), "t.parquet")
