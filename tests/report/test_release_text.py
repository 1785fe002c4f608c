import csv
import io

import pytest

from isogloss.report.releases.dataset_change_text import changes_text, effects_csv
from isogloss.report.releases.release_text import changes_csv, release_text
from isogloss.report.releases.version_table import version_text


def change(delta, p=1.0, ci=(-0.2, 0.1)):
    return {
        **{"n": 20, "clusters": 9, "before": 0.5, "after": 0.5 + delta, "delta": delta},
        **{"ci": None if ci is None else list(ci), "reason": None, "p": p, "p_holm": p},
    }


SPREAD = {"n": 20, "undefined": 0, "mean": 0.75, **{f"q{q}": 0.5 for q in ("05", "25", "50")}}
SPREAD |= {"q75": 0.9, "q95": None}


@pytest.fixture
def content():
    routes = {f"en>l{n:02d}": change(-0.01 * n) for n in range(20)}
    routes["en>zz"] = change(-0.001, 0.001)
    return {
        "neighbours": {"overlap_at_10": SPREAD},
        "headlines": {"recall_at_10/cross": change(-0.25, 0.001, None)},
        "routes": routes,
        "cosine": {
            "documents": None,
            "queries": {"mean": 0.9, "q05": 0.8, "languages": {"en": 0.9}},
        },
        "notes": {"cosine/documents": "dimensions differ: 2 and 3"},
        "gate": {
            **{"verdict": "failed", "alpha": 0.05, "margin": 0.0},
            **{"losses": ["recall_at_10/cross", "en>zz"], "too_few_clusters": ["en>l01"]},
        },
        "no_difference": False,
    }


def test_lost_routes_come_first_and_what_is_left_out_is_counted(content):
    lines = release_text("title", content).splitlines()
    routes = [line for line in lines if line.startswith("en > ")]
    assert routes[0].startswith("en > zz")
    assert routes[0].endswith("LOST")
    assert routes[1].startswith("en > l19")
    assert len(routes) == 12
    assert "8 more routes changed; changes.csv has them all" in lines
    assert "1 routes did not change" in lines
    assert "-0.250 [not estimable]" in "\n".join(lines)
    assert "too few clusters to fail at any loss: en>l01" in lines
    assert lines[-1] == "gate: failed (lost: recall_at_10/cross, en>zz)"


def test_csv_has_every_change_and_empty_cells_for_what_is_not_defined(content):
    rows = list(csv.DictReader(io.StringIO(changes_csv(content))))
    assert len(rows) == 22
    assert rows[0] == {
        **{"kind": "headline", "name": "recall_at_10/cross", "n": "20", "clusters": "9"},
        **{"before": "0.5", "after": "0.25", "delta": "-0.25", "ci_low": "", "ci_high": ""},
        **{"p": "0.001", "p_holm": "0.001", "lost": "1"},
    }


def test_versions_that_cannot_be_told_and_long_lists():
    entry = {
        **{"benchmark": "b", "version": None, "date": None, "documents": None, "queries": None},
        **{"languages": {}, "workspace": False, "runs": [], "vectors": [], "notes": ["why"]},
        "held_by": [{"name": f"v{n}", "commit": "a" * 40, "date": "2026"} for n in range(6)],
    }
    printed = version_text([entry])
    assert "v0, v1, v2, v3 and 2 more" in printed
    assert "unknown: why" in printed


def test_dataset_changes_print_depths_and_undefined_figures():
    figures = {
        "n_queries": {"before": 9, "after": 12, "change": 3.0, "pool": 0.0, "queries": 3.0},
        "k80/cross": dict.fromkeys(("before", "after", "change", "pool", "queries")),
        "recall_at_10/same": {
            **{"before": 0.5, "after": 1.0, "change": 0.5, "pool": -0.125, "queries": 0.625}
        },
    }
    changes = {
        "families": {"appeared": [], "left": list("abcdefg"), "changed": [], "unchanged": 3},
        "queries": {
            **{key: [] for key in ("appeared", "left", "changed", "gold_changed")},
            "unchanged": 4,
        },
    }
    effects = {"figures": figures, "same_queries": {"recall_at_10/all": change(0.1)}}
    lines = changes_text("title", changes, effects).splitlines()
    assert "families left: 7 (a, b, c, d, e and 2 more)" in lines
    cells = [line.split() for line in lines]
    assert ["n_queries", "9", "12", "+3", "+0", "+3"] in cells
    assert ["recall_at_10/same", "0.500", "1", "+0.500", "-0.125", "+0.625"] in cells
    assert ["k80/cross", "-", "-", "-", "-", "-"] in cells
    assert "k80/cross,,,,,\n" in effects_csv(effects)
