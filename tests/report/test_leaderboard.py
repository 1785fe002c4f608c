"""The leaderboard prints what is known, and says why the rest is not."""

import csv
import io
from typing import Any

import pytest

from isogloss.report.comparison.leaderboard import (
    Entry,
    leaderboard_csv,
    leaderboard_latex,
    leaderboard_text,
)
from isogloss.report.layout.shown import beside_gate
from isogloss.report.layout.terminal import evaluation_text

GOOD: dict[str, Any] = {
    "n_queries": 40,
    "n_dual_gold": 30,
    "gate": "passed",
    "recall_at_10/same": 0.875,
    "recall_at_10/cross": 0.5,
    "ci/recall_at_10/same": [0.75, 0.9375],
    "ci/recall_at_10/cross": None,
    "hit_at_10/same": 0.9,
    "hit_at_10/cross": 0.75,
    "k80/same": 4,
    "k80/same_se": 1.5,
    "k80/cross": None,
    "k80/star": None,
    "xrc_50": None,
    "rrc_at_10": 0.6,
    "rrc_at_100": 0.8,
    "knee": 7,
    "floor": 0.1,
    "ari_at_10": 0.25,
    "ari_at_100": None,
    "gap": {"delta": 0.375, "ci": [0.25, 0.5], "p": 0.00009999},
    "notes": {
        "k80/cross": "censored: deeper than 1000",
        "k80/star": "censored: deeper than 1000",
        "xrc_50": "censored: deeper than 1000",
        "ari_at_100": "RRC@100 = 1: nothing is left to recover",
        "pool": "722 documents, at most 1000: depth, floor and ARI are exhaustive by construction",
    },
}
FAILED = {
    **GOOD,
    "gate": "failed",
    "recall_at_10/cross": 0.04,
    "notes": {"pool": GOOD["notes"]["pool"]},
    "k80/cross": 900,
    "k80/star": 950,
    "xrc_50": 161.0,
    "ari_at_100": 0.5,
}
EMPTY = {"n_queries": 0, "n_dual_gold": 0, "notes": {"gate": "no query has cross-language gold"}}
CLOSE = FAILED | {"recall_at_10/cross": 0.0951, "ci/recall_at_10/cross": [0.084, 0.1051]}
ENTRIES = [
    Entry("tico19-cloze", "minilm_l6", FAILED, "b"),
    Entry("tico19-cloze", "use-multilingual", GOOD),
    Entry("epo-title", "nothing", EMPTY),
]


def line_of(text: str, model: str, nth: int) -> str:
    return [line for line in text.splitlines() if line.startswith(model)][nth]


def test_the_best_across_languages_comes_first() -> None:
    text = leaderboard_text(ENTRIES)
    assert text.index("use-multilingual") < text.index("minilm_l6")


def test_intervals_gaps_and_p_are_printed() -> None:
    line = line_of(leaderboard_text(ENTRIES), "use-multilingual", 0)
    assert "0.88 [0.75, 0.94]" in line
    assert "+0.38 [+0.25, +0.50], p < 0.001" in line
    assert line.endswith("passed")


def test_the_sign_before_a_standard_error_is_explained_where_it_stands() -> None:
    assert leaderboard_text(ENTRIES).count("± one bootstrap standard error") == 1
    assert "standard error" not in leaderboard_text([Entry("epo-title", "nothing", EMPTY)])


def test_censored_undefined_and_gated_are_words_never_numbers() -> None:
    text = leaderboard_text(ENTRIES)
    good, failed = line_of(text, "use-multilingual", 1), line_of(text, "minilm_l6", 1)
    depths, shares = ["4", "±", "2", ">1000", ">1000", "-"], ["0.60", "0.80", "7", "0.10", "0.25"]
    assert good.split() == ["use-multilingual", *depths, *shares, "-"]
    gated = ["gated"] * 4
    assert failed.split()[4:] == ["900", "950", *gated, "0.10", "gated", "gated"]
    assert "161" not in text


def test_reasons_stand_once_below() -> None:
    text = leaderboard_text(ENTRIES)
    assert text.count("exhaustive by construction") == 1
    assert "ari_at_100: RRC@100 = 1: nothing is left to recover (use-multilingual)" in text
    assert "gate: no query has cross-language gold" in text


def test_csv_keeps_all_digits_and_the_words() -> None:
    rows = {row["model"]: row for row in csv.DictReader(io.StringIO(leaderboard_csv(ENTRIES)))}
    good, failed = rows["use-multilingual"], rows["minilm_l6"]
    assert good["recall_at_10/same"] == "0.875"
    assert good["gap/p"] == "9.999e-05"
    assert good["k80/cross"] == ">1000"
    assert good["xrc_50"] == ""
    assert "xrc_50: censored" in good["notes"]
    assert failed["xrc_50"] == failed["rrc_at_1000"] == failed["knee"] == "gated"
    assert failed["recall_at_10/cross"] == "0.04"
    assert rows["nothing"]["recall_at_10/cross"] == ""


def test_the_dataset_version_is_named_once_a_benchmark_and_in_every_row() -> None:
    entries = [Entry("b", model, GOOD, dataset_version="a" * 32) for model in ("one", "two")]
    assert leaderboard_text(entries).count(f"; dataset version {'a' * 32}\n") == 1
    rows = list(
        csv.DictReader(io.StringIO(leaderboard_csv([*entries, Entry("pool p", "x", GOOD)])))
    )
    assert [row["dataset_version"] for row in rows] == ["a" * 32, "a" * 32, ""]


def test_latex_spells_out_what_it_would_read_as_commands() -> None:
    text = leaderboard_latex(ENTRIES, [Entry("pool patents", "minilm_l6", FAILED)])
    assert r"minilm\_l6" in text
    assert "$>$1000" in text
    assert r"$\pm$" in text
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == 5
    for line in text.splitlines():
        assert not line.endswith(r"\\") or line.count("&") in (7, 10)


def test_pools_print_depth_only() -> None:
    text = leaderboard_text([], [Entry("pool patents", "minilm_l6", FAILED)])
    assert text.startswith("pool patents: 40 queries")
    assert "R@10" not in text


@pytest.mark.parametrize(
    ("value", "gate", "told"),
    [
        (0.0951, 0.1, "0.095"),
        (0.0998, 0.1, "0.0998"),
        (0.0999999, 0.1, "0.0999999"),
        (0.0951, 0.09, "0.10"),
        (0.0951, None, "0.10"),
        (0.104, 0.1, "0.10"),
        (0.1, 0.1, "0.10"),
        (0.1 - 1e-13, 0.1, "0.0999999999999"),
        (0.1249, 0.123, "0.125"),
        (0.04, 0.1, "0.04"),
    ],
)
def test_no_figure_contradicts_the_verdict_beside_it(
    value: float, gate: float | None, told: str
) -> None:
    assert beside_gate(value, 2, gate) == told
    entry = Entry("b", "close", CLOSE | {"recall_at_10/cross": value}, gate=gate)
    assert f"  {told} [0.08, 0.11]  " in leaderboard_text([entry])
    assert f"{told} [0.08, 0.11]" in leaderboard_latex([entry])
    assert f",{value!r}," in leaderboard_csv([entry])


def test_an_evaluation_s_own_text_does_not_contradict_its_verdict_either() -> None:
    metrics = CLOSE | {"recall_at_10/cross": 0.0998}
    assert "0.100 [0.084, 0.105]" in evaluation_text("x", metrics, [])
    assert "0.0998 [0.084, 0.105]" in evaluation_text("x", metrics, [], 0.1)
