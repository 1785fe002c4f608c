"""An approximate search as text: every level and language, and no loss rounded away."""

from isogloss.report.evaluation.approximation_text import approximation_text
from isogloss.retrieval.approximation import APPROXIMATION

ROWS = [
    dict(zip(APPROXIMATION.names, row, strict=True))
    for row in (
        (1, "all", 20, 0.021, 0.575, 0.5, 0.4),
        (1, "de", 20, 0.021, 0.575, 0.5, 0.4),
        (16, "all", 20, 0.25, 0.98999, 1.0, 0.9999),
        (16, "de", 20, 0.25, 0.98999, 1.0, 0.9999),
    )
]


def test_every_level_and_language_has_a_line():
    heading, *lines = approximation_text(ROWS, 64).splitlines()
    assert heading.startswith("approximate search in 64 lists: documents compared")
    assert lines[0].split("  ") == [
        "probes", "query language", "queries", "compared", "top 10", "top 100", "top 1000"
    ]  # fmt: skip
    assert [line.split() for line in lines[1:]] == [
        ["1", "all", "20", "2.1%", "57.5%", "50.0%", "40.0%"],
        ["1", "de", "20", "2.1%", "57.5%", "50.0%", "40.0%"],
        ["16", "all", "20", "25.0%", "98.9%", "100.0%", "99.9%"],
        ["16", "de", "20", "25.0%", "98.9%", "100.0%", "99.9%"],
    ]
