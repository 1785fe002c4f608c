from isogloss.report.layout.shown import shown, shown_depth, shown_interval
from isogloss.report.layout.terminal import columns_text, route_rows

METRICS = {
    "gate": "passed",
    "rrc_at_10": 0.5,
    "ci/rrc_at_10": [0.25, 0.75],
    "knee": 39,
    "k80/same": 12,
    "k80/same_se": 3.4,
    "k80/cross": None,
    "k80/star": None,
    "notes": {"k80/cross": "censored: deeper than 1000", "k80/star": "no query has gold"},
}


def test_numbers_with_and_without_intervals():
    assert shown_interval(METRICS, "rrc_at_10", 2) == "0.50 [0.25, 0.75]"
    assert shown(METRICS, "knee") == "39"
    assert shown_depth(METRICS, "same") == "12 ± 3"


def test_censored_is_not_undefined():
    assert shown_depth(METRICS, "cross") == ">1000"
    assert shown_depth(METRICS, "star") == "-"


def test_gated_figures_are_not_printed_and_others_are():
    gated = METRICS | {"gate": "failed"}
    assert shown_interval(gated, "rrc_at_10") == "gated"
    assert shown(gated, "knee") == "gated"
    assert shown_depth(gated, "same") == "12 ± 3"


def test_routes_become_a_grid_with_gaps():
    routes = [
        {"query_language": "de", "document_language": "de", "recall_at_10": 1.0},
        {"query_language": "zh", "document_language": "en", "recall_at_10": 0.25},
    ]
    rows = route_rows(routes)
    assert rows == [["", "de", "en"], ["de", "1.00", "-"], ["zh", "-", "0.25"]]
    assert columns_text(rows).split("\n")[2] == "zh  -     0.25"
