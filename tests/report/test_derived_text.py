"""Re-rankers and language preference as text and figures: what is missing shows as missing."""

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
PASSED, FAILED = {"gate": "passed"}, {"gate": "failed"}
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
    text = reranking_text(RERANKING, 100, PASSED)
    lines = [line.split() for line in text.splitlines()]
    assert "ceiling at 100" in text
    assert lines[2] == ["recall@10", "cross", "0.100", "0.200", "0.500", "40%", "25%"]
    assert lines[3][-1] == "-100%"
    assert lines[4] == ["RRC@10", "-", "-", "-", "-", "-"]
    assert reranking_line("m", RERANKING, PASSED) is None
    known = [dict(zip(NAMES, ("rrc_at_10", 0.25, 0.5, 0.8, 0.625, 0.45), strict=True))]
    assert reranking_line("m", known, PASSED) == (
        "m: RRC@10 0.500, its first stage 0.250, its ceiling 0.800: 62% of it reached"
    )


def test_depth_of_a_re_ranker_whose_gate_failed_is_gated_everywhere():
    rows = [dict(zip(NAMES, ("rrc_at_10", 0.25, 0.5, 0.8, 0.625, 0.45), strict=True)), RERANKING[0]]
    lines = [line.split() for line in reranking_text(rows, 100, FAILED).splitlines()]
    assert lines[2] == ["RRC@10", "0.250", "gated", "0.800", "gated", "gated"]
    assert lines[3] == ["recall@10", "cross", "0.100", "0.200", "0.500", "40%", "25%"]
    assert reranking_line("m", rows, FAILED) == "m: RRC@10 gated, so nothing is said of its ceiling"
    passed, failed = (reranking_bars(rows, "a title", (), one) for one in (PASSED, FAILED))
    assert passed != failed


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
