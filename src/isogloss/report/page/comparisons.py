"""Pairs of models with their significance, and every figure by slice."""

from collections.abc import Mapping

from isogloss.report.layout.shown import (
    GATE_KEY,
    GATED,
    UNDEFINED,
    beside_gate,
    is_gated,
)
from isogloss.report.page.gathered import Evaluated, Target
from isogloss.report.page.names import language_name
from isogloss.report.page.table import Cell, Column, Row, Table
from isogloss.statistics.p_values import p_is, p_text

SIGNIFICANT = 0.05
PAIRS = (
    Column("delta", "difference", interval=True),
    Column("p_holm", "Holm p"),
    Column("verdict", "verdict"),
)
# Dimensions of slices as readers call them.
DIMENSIONS = {
    "query_language": "query language",
    "document_language": "document language",
    "setup": "setup",
    "mode": "mode",
    "office": "office",
}
SLICES = (
    Column("n_queries", "queries"),
    Column("recall_at_10/same", "same language", "recall@10"),
    Column("recall_at_10/cross", "other languages", "recall@10"),
    Column("hit_at_10/cross", "hit@10, other"),
    Column("k80/cross", "k80, other"),
    Column("rrc_at_100", "RRC@100"),
    Column("gate", "gate"),
)


def pair_table(target: Target) -> Table | None:
    """Every pair of models; None where there is but one model."""
    rows = []
    for pair in target.significance.get("pairs") or ():
        low, high = pair.get("ci") or (None, None)
        delta, p = pair["delta"], pair["p_holm"]
        text = UNDEFINED if delta is None else f"{delta:+.3f}"
        text += "" if low is None else f" [{low:+.3f}, {high:+.3f}]"
        p_shown = UNDEFINED if p is None else p_text(p)
        cells = (Cell(text, delta, low, high), Cell(p_shown, p), _verdict(pair))
        rows.append(Row((pair["a"], pair["b"]), cells, {"model": f"{pair['a']} {pair['b']}"}))
    if not rows:
        return None
    caption = f"{target.key}: recall@10 over all gold documents, model A minus model B"
    heads = ("model A", "model B")
    return Table(f"pairs.{target.slug}", caption, heads, PAIRS, tuple(rows), _friedman(target))


def _verdict(pair: Mapping[str, object]) -> Cell:
    p, delta = pair["p_holm"], pair["delta"]
    if not isinstance(p, float) or not isinstance(delta, float):
        return Cell(str(pair.get("reason") or UNDEFINED))
    if p >= SIGNIFICANT:
        return Cell("no significant difference", kind="level")
    return Cell(f"{pair['a'] if delta > 0 else pair['b']} finds more", kind="apart")


def _friedman(target: Target) -> tuple[str, ...]:
    found = target.significance.get("friedman") or {}
    if found.get("statistic") is None:
        why = found.get("reason")
        return (f"Friedman test over all models: {why}.",) if why else ()
    return (
        f"Friedman test over all models: chi² = {found['statistic']:.1f}, df {found['degrees']}, "
        f"{p_is(found['p'])}, {found['n_blocks']} queries.",
    )


def slice_table(target: Target, one: Evaluated, line: float | None = None) -> Table:
    """Figures of one model by query language, document language, setup, mode and office."""
    rows = []
    for row in one.slices:
        cells = tuple(_cell(row, column.key, line) for column in SLICES)
        value = row["value"]
        shown = language_name(value) if row["slice"].endswith("language") else value
        heads = (DIMENSIONS.get(row["slice"], row["slice"]), shown)
        rows.append(Row(heads, cells, {"slice": row["slice"]}))
    caption = f"{one.model} on {target.key}: figures by slice"
    key = f"slices.{target.slug}.{one.model}"
    return Table(key, caption, ("slice", "value"), SLICES, tuple(rows), kind="slices")


def _cell(row: Mapping[str, str], key: str, line: float | None) -> Cell:
    text = row.get(key, "")
    if is_gated(row, key):
        return Cell(GATED, GATED, kind="gated")
    if key == "gate":
        return Cell(text or UNDEFINED, text or None, kind="failed" if text == "failed" else "")
    if not text:
        censored = f"{key}: censored" in row.get("notes", "")
        return Cell(">1000", ">1000", kind="censored") if censored else Cell(UNDEFINED)
    whole = key.startswith(("n_", "k80"))
    if whole:
        return Cell(text, int(text))
    return Cell(beside_gate(float(text), 2, line if key == GATE_KEY else None), float(text))
