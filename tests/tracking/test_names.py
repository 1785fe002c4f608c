"""O01: names one to one; nothing undefined is a metric."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isogloss.errors import TrackingError
from isogloss.tracking.names import flatten, metric_name, metric_names, metric_values

SAFE = re.compile(r"^[A-Za-z0-9_./ -]+$")


@pytest.mark.parametrize("case", ["O01"], indirect=True)
def test_every_name_is_safe(case: dict[str, Any]) -> None:
    for name in case["safe"]["input"]:
        spelled = metric_name(name)
        assert SAFE.match(spelled)
        assert "//" not in spelled
        assert not spelled.startswith("/")


@pytest.mark.parametrize("case", ["O01"], indirect=True)
def test_colliding_names_are_refused_and_named(case: dict[str, Any]) -> None:
    names = case["injective"]["input"]
    with pytest.raises(TrackingError, match=r"'recall@10' and 'recall_at_10'"):
        metric_names(names)
    kept = [name for name in names if name not in ("recall_at_10", "zh-en")]
    assert len(set(metric_names(kept).values())) == len(kept)


@given(st.lists(st.text(min_size=1, max_size=12), unique=True, max_size=6))
def test_names_are_safe_and_one_to_one_or_refused(names: list[str]) -> None:
    from mlflow.utils.validation import _validate_metric_name

    try:
        spelled = metric_names(names)
    except TrackingError:
        return
    assert len(set(spelled.values())) == len(names)
    for name in spelled.values():
        _validate_metric_name(name)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("recall@10", "recall_at_10"),
        ("k80/de->zh", "k80/de-zh"),
        ("zh→en", "zh-en"),
        ("/a//b/", "a/b"),
        ("recall_at_10/cross", "recall_at_10/cross"),
        ("a/../b", "a/u002eu002e/b"),
        ("a:b", "au003ab"),
    ],
)
def test_spelling(name: str, expected: str) -> None:
    assert metric_name(name) == expected


@pytest.mark.parametrize("name", ["", "/", "x" * 251])
def test_names_that_cannot_be_spelled_are_refused(name: str) -> None:
    with pytest.raises(TrackingError):
        metric_name(name)


def test_figures_are_flattened_and_undefined_ones_become_marks() -> None:
    metrics = {
        "n_queries": 4,
        "n_dual_gold": 4,
        "recall_at_10/same": 0.5,
        "ci/recall_at_10/same": [0.25, 0.75],
        "recall_at_10/cross": 0.25,
        "ci/recall_at_10/cross": None,
        "xrc_90": None,
        "ci/xrc_90": None,
        "k80/cross": None,
        "k80/cross_se": None,
        "xrc_50": None,
        "gate": "failed",
        "gap": {"delta": 0.1, "ci": [0.0, 0.2], "p": 0.04},
        "change": {"delta": None, "ci": None, "reason": None},
        "steady": {"delta": 0.5, "ci": None, "reason": "one cluster"},
        "notes": {"k80/cross": "censored: deeper than 1000", "k80/cross_se": "omitted"},
    }
    assert flatten(metrics) == {
        "n_queries": 4.0,
        "n_dual_gold": 4.0,
        "recall_at_10/same": 0.5,
        "ci/recall_at_10/same/low": 0.25,
        "ci/recall_at_10/same/high": 0.75,
        "recall_at_10/cross": 0.25,
        "ci/recall_at_10/cross_undefined": 1.0,
        "xrc_90_undefined": 1.0,
        "k80/cross_censored": 1.0,
        "k80/cross_se_undefined": 1.0,
        "xrc_50_undefined": 1.0,
        "gap/delta": 0.1,
        "gap/ci/low": 0.0,
        "gap/ci/high": 0.2,
        "gap/p": 0.04,
        "change/delta_undefined": 1.0,
        "steady/delta": 0.5,
        "steady/ci_undefined": 1.0,
    }


def test_a_depth_without_queries_is_undefined_not_censored() -> None:
    notes = {"k80/star": "no query has gold of both sides"}
    assert flatten({"k80/star": None, "notes": notes}) == {"k80/star_undefined": 1.0}


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_a_number_that_is_none_is_refused(value: float) -> None:
    with pytest.raises(TrackingError, match="gap/p"):
        metric_values({"gap": {"p": value}})
