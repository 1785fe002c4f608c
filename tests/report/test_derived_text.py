"""Re-rankers and language preference as text and figures: what is missing shows as missing."""

import pytest

from isogloss.report.evaluation.preference_heatmap import preference_heatmap
from isogloss.report.evaluation.preference_text import preference_text
from isogloss.report.evaluation.reranking_bars import reranking_bars
from isogloss.report.evaluation.reranking_text import reranking_line, reranking_text

ROWS = [
    ("recall_at_10/cross", 0.1, 0.2, 0.5, 0.4, 0.25),
    ("hit_at_10/cross", 0.3, 0.2, 0.4, 0.5, -1.0),
    ("rrc_at_10", None, None, None, None, None),
]
NAMES = ("figure", "first", "reranked", "ceiling", "share", "headroom")
RERANKING = [dict(zip(NAMES, row, strict=True)) for row in ROWS]
PNG = b"\x89PNG"


def preference(source: str, target: str, value: float | None, k: int = 10) -> dict[str, object]:
    bounds = {"low": None, "high": None} if not value else {"low": value - 0.1, "high": value + 1}
    return {
        "query_language": source,
        "document_language": target,
        "k": k,
        "preference": value,
        "note": "",
        **bounds,
    }


PREFERENCES = [
    preference(source, target, value, k)
    for k in (10, 100)
    for source, target, value in (
        ("de", "de", 6.5),
        ("de", "en", 0.0),
        ("zh", "de", None),
        ("zh", "en", 1.0),
    )
]


def test_a_re_ranker_is_told_beside_its_ceiling():
    text = reranking_text(RERANKING, 100)
    lines = [line.split() for line in text.splitlines()]
    assert "ceiling at 100" in text
    assert lines[2] == ["recall@10", "cross", "0.100", "0.200", "0.500", "40%", "25%"]
    assert lines[3][-1] == "-100%"
    assert lines[4] == ["RRC@10", "-", "-", "-", "-", "-"]
    assert reranking_line("m", RERANKING) is None
    known = [dict(zip(NAMES, ("rrc_at_10", 0.25, 0.5, 0.8, 0.625, 0.45), strict=True))]
    assert reranking_line("m", known) == (
        "m: RRC@10 0.500, its first stage 0.250, its ceiling 0.800: 62% of it reached"
    )


RRC = dict(zip(NAMES, ("rrc_at_10", 0.25, 0.5, 0.8, 0.625, 0.45), strict=True))


@pytest.mark.parametrize(
    ("failed", "cells"),
    [
        ((), ["0.250", "0.500", "0.800", "62%", "45%"]),
        (("first",), ["gated", "0.500", "0.800", "62%", "gated"]),
        (("first", "reranked"), ["gated", "gated", "0.800", "gated", "gated"]),
        (("first", "reranked", "ceiling"), ["gated"] * 5),
    ],
)
def test_depth_of_a_ranking_whose_gate_failed_is_gated_wherever_it_counts(failed, cells):
    gates = {f"{of}_gate": "failed" for of in failed}
    rows = [RRC | gates, RERANKING[0] | gates]
    lines = [line.split() for line in reranking_text(rows, 100).splitlines()]
    assert lines[2] == ["RRC@10", *cells]
    assert lines[3] == ["recall@10", "cross", "0.100", "0.200", "0.500", "40%", "25%"]
    line = reranking_line("m", rows)
    if "reranked" in failed:
        assert line == "m: RRC@10 gated, so nothing is said of its ceiling"
    else:
        stages = f"its first stage {cells[0]}, its ceiling 0.800"
        assert line == f"m: RRC@10 0.500, {stages}: 62% of it reached"
    plain = reranking_bars([RRC, RERANKING[0]], "a title", ())
    assert (reranking_bars(rows, "a title", ()) == plain) == (not failed)


def test_preferences_are_a_grid_of_one_k():
    lines = [line.split() for line in preference_text(PREFERENCES).splitlines()[1:]]
    assert lines == [["de", "en"], ["de", "6.50", "0.00"], ["zh", "-", "1.00"]]
    assert preference_text([]) == ""


def test_figures_are_byte_stable_and_take_what_is_missing():
    for draw, rows in ((reranking_bars, RERANKING), (preference_heatmap, PREFERENCES)):
        first = draw(rows, "a title", ["a note."])
        assert first.startswith(PNG)
        assert draw(rows, "a title", ["a note."]) == first
        assert draw(rows, "another title", ["a note."]) != first
