"""Tables of the page: what machines read of them, and what is drawn into a route grid."""

import csv
import io
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isogloss.report.page.beside import preference_table, reranking_table
from isogloss.report.page.budget import budget_table, share_text
from isogloss.report.page.cards import card_sections
from isogloss.report.page.comparisons import slice_table
from isogloss.report.page.curves import step_path, x_of, y_of
from isogloss.report.page.findings import findings
from isogloss.report.page.gathered import Evaluated, Target
from isogloss.report.page.measured import recall_table
from isogloss.report.page.routes import heat_table, language_order, route_table
from isogloss.report.page.table import Cell, Column, Row, Table, files, plain, table_csv
from isogloss.retrieval.budget import ReadingDepth
from isogloss.retrieval.planning import Need

from .page_sample import sample

TWO = (Column("a", "A", interval=True), Column("b", "B", group="g"))


def table(*rows: Row) -> Table:
    return Table("t", "Caption & more", ("name",), TWO, rows)


def route(source: str, target: str, recall: float, n: int = 5) -> dict[str, object]:
    return {
        "query_language": source, "document_language": target, "n": n, "recall_at_10": recall,
    }  # fmt: skip


def grid(values: dict[tuple[str, str], float]) -> Evaluated:
    return Evaluated("m", {"notes": {}}, [route(*pair, recall) for pair, recall in values.items()])


def test_csv_holds_bounds_and_all_digits() -> None:
    cell = Cell("0.33 [0.20, 0.50]", 1 / 3, 0.2, 0.5)
    text = table_csv(table(Row(("m",), (cell, Cell(">1000", ">1000")))))
    assert text == "name,a,a_low,a_high,b\nm,0.3333333333333333,0.2,0.5,>1000\n"


def test_what_is_undefined_is_empty_and_never_a_number() -> None:
    text = table_csv(table(Row(("m",), (Cell("-"), Cell("gated", "gated")))))
    assert text.splitlines()[1] == "m,,,,gated"


@given(st.text())
def test_no_cell_becomes_a_formula(text: str) -> None:
    cell = plain(text)
    number = re.fullmatch(r"[+-][0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?", cell)
    assert number or not cell.startswith(("=", "+", "-", "@", "\t", "\r"))


def test_latex_spells_out_commands() -> None:
    latex = files([table(Row(("a_b",), (Cell("50%"), Cell("x"))))])["t.tex"]
    assert r"Caption \& more" in latex
    assert r"a\_b & 50\% & x \\" in latex
    assert r"name & A & g, B \\" in latex


def test_two_tables_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="two tables are called t"):
        files([table(), table()])


def test_the_isogloss_runs_where_recall_crosses_the_line() -> None:
    one = grid({("en", "en"): 0.9, ("en", "sw"): 0.05, ("sw", "en"): 0.10, ("sw", "sw"): 0.5})
    heat = heat_table(Target("b", [one]), one, ["en", "sw"], 0.10)
    kinds = [[cell.kind.split() for cell in row.cells] for row in heat.rows]
    assert "ir" in kinds[0][0]
    assert "ib" in kinds[0][1]
    # 0.10 lies on the near side; the last column and row have no neighbour.
    assert not {"ir", "ib"} & {*kinds[1][0], *kinds[1][1]}
    assert "ib" not in kinds[0][0]
    assert "ir" not in kinds[0][1]


def test_a_route_without_pairs_is_blank_and_no_zero() -> None:
    one = grid({("en", "en"): 0.9, ("en", "sw"): 0.5, ("sw", "sw"): 0.0})
    heat = heat_table(Target("b", [one]), one, ["en", "sw"], 0.10)
    blank = heat.rows[1].cells[0]
    assert (blank.text, blank.value) == ("-", None)
    assert heat.rows[1].cells[1].value == 0.0


def test_languages_stand_in_the_order_in_which_they_are_crossed() -> None:
    found = {("a", "b"): 0.1, ("b", "a"): 0.1, ("a", "c"): 0.8, ("c", "a"): 0.8}
    found |= {("b", "c"): 0.3, ("c", "b"): 0.3, ("a", "a"): 0.0}
    assert language_order(Target("b", [grid(found)])) == ["c", "a", "b"]


def test_routes_side_by_side_name_the_best() -> None:
    good = replace(grid({("en", "sw"): 0.4}), model="good")
    poor = replace(grid({("en", "sw"): 0.2}), model="poor")
    side = route_table(Target("b", [good, poor]), ["en", "sw"], 0.1)
    (row,) = side.rows
    assert [cell.kind for cell in row.cells] == ["", "best", ""]
    assert row.marks == {"source": "en", "target": "sw"}
    far = route_table(Target("b", [grid({("en", "sw"): 0.01})]), ["en", "sw"], 0.1)
    assert far.rows[0].cells[1].kind == ""


def test_a_path_is_the_curve() -> None:
    curve = sample().targets[0].evaluated[0].curves["rrc"]
    path = step_path(curve)
    assert path.startswith(f"M{x_of(1)} {y_of(curve[0])}")
    assert path.endswith(f"V{y_of(curve[-1])}H{x_of(1000)}")
    assert path.count("V") <= len(set(curve)) - 1


def test_gated_models_are_named_and_hold_no_ratio() -> None:
    target = sample().targets[0]
    blind = next(one for one in target.evaluated if one.model == "blind")
    assert blind.gated
    rows = {row.heads[0]: row for row in recall_table(target).rows}
    assert rows["blind"].cells[-1].text == "failed"


def test_sentences_follow_from_the_figures() -> None:
    gathered = sample()
    for target in gathered.targets:
        said = findings(target, gathered.needs, 0.1)
        best = target.evaluated[0]
        depth = next(
            need.reading.depth
            for need in gathered.needs
            if (need.target, need.model, need.reading.coverage) == (target.key, best.model, 0.8)
        )
        assert any(f"hand over {depth} documents" in line for line in said)
        if not target.is_pool:
            cross = best.metrics["recall_at_10/cross"]
            assert f"{cross:.0%}" in said[0]


def test_a_failed_gate_says_no_depth() -> None:
    target = sample().targets[0]
    blind = [one for one in target.evaluated if one.gated]
    said = findings(replace(target, evaluated=blind), sample().needs, 0.1)
    assert "gate failed" in said[-1]
    assert not any("hand over" in line for line in said)


def test_preferences_are_those_measured_with_their_bounds() -> None:
    target = sample().targets[0]
    one = target.evaluated[0]
    table = preference_table(target, one, ["zh", "de"])
    assert table is not None
    assert [column.key for column in table.columns][:2] == ["zh", "de"]
    held = {
        (row["query_language"], row["document_language"]): row
        for row in one.preferences
        if row["k"] == "10"
    }
    cell = table.rows[0].cells[1]
    assert cell.value == float(held["zh", "de"]["preference"])
    assert cell.low == float(held["zh", "de"]["low"])
    assert preference_table(target, replace(one, preferences=[]), []) is None


def test_a_re_ranker_stands_beside_its_ceiling_and_others_do_not() -> None:
    table = reranking_table(sample().targets[0])
    assert table is not None
    (row,) = table.rows
    assert row.heads == ("good", "RRC@10")
    assert [cell.text for cell in row.cells] == ["0.500", "0.600", "0.800", "75%", "-"]
    assert reranking_table(sample().targets[-1]) is None


def test_depth_of_a_re_ranker_whose_gate_failed_is_gated() -> None:
    target = sample().targets[0]
    good = next(one for one in target.evaluated if one.reranking)
    failed = replace(good, reranking=[{**good.reranking[0], "reranked_gate": "failed"}])
    table = reranking_table(replace(target, evaluated=[failed]))
    assert table is not None
    cells = table.rows[0].cells
    assert [cell.text for cell in cells] == ["0.500", "gated", "0.800", "gated", "gated"]
    assert [cell.kind for cell in cells] == ["", "gated", "", "gated", "gated"]


def test_a_card_is_quoted_as_plain_text() -> None:
    text = "# b\n\nIntro.\n\n## Origin\n\n- `a`, one:\n  folded\n- b\n\n| x |\n| - |\n\n"
    text += "## Licence\n\nSee <https://example.org/x>, <b>not</b> markup.\n"
    assert card_sections(text) == {
        "Origin": ["a, one: folded", "b"],
        "Licence": ["See https://example.org/x, <b>not</b> markup."],
    }


def test_a_budget_prices_its_bounds_and_leaves_open_ones_open() -> None:
    whole = ReadingDepth(0.8, 50, 0.9, depth=13, low=8, high=19)
    beyond = ReadingDepth(0.8, 50, 0.9, depth=900, low=700, high=1001)
    refused = ReadingDepth(0.95, 50, 0.9, refusal="not reached: the top 1000 cover 0.900")
    needs = [Need("b", name, r, False) for name, r in (("m", whole), ("n", beyond), ("o", refused))]
    rows = list(csv.DictReader(io.StringIO(table_csv(budget_table(needs, 0.002, 0.5)))))
    assert rows[0]["cost_per_query"] == "0.026"
    assert (rows[0]["cost_per_1000_low"], rows[0]["cost_per_1000_high"]) == ("16.0", "38.0")
    assert rows[0]["seconds_per_query"] == "6.5"
    assert (rows[1]["depth_high"], rows[1]["cost_per_query_high"]) == (">1000", ">2")
    assert (rows[2]["depth"], rows[2]["cost_per_query"]) == ("", "")
    assert rows[2]["refused"].startswith("not reached")


def test_two_coverages_never_look_alike() -> None:
    shares = (0.375, 0.38, 0.8, 0.7999, 1.0, 0.07, 1e-9)
    texts = [share_text(share) for share in shares]
    assert texts == ["37.5%", "38%", "80%", "79.99%", "100%", "7%", "0.0000001%"]


def test_no_recall_contradicts_the_gate_s_verdict_beside_it() -> None:
    metrics = {"gate": "failed", "recall_at_10/cross": 0.0951, "ci/recall_at_10/cross": None}
    row = {"slice": "setup", "value": "all", "gate": "failed", "recall_at_10/cross": "0.0951"}
    one = Evaluated("close", metrics, slices=[row])
    target = Target("b", [one])
    for table in (recall_table(target, 0.1), slice_table(target, one, 0.1)):
        texts = [cell.text for cell in table.rows[0].cells]
        assert "0.095" in texts
        assert "failed" in texts
        assert "0.0951" in table_csv(table)
