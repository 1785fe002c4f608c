"""What stands beside recall: which languages a ranking prefers, and re-rankers at their ceiling."""

from collections.abc import Mapping, Sequence

from isogloss.report.evaluation.reranking_text import LABELS, says_nothing
from isogloss.report.layout.shown import GATED, UNDEFINED
from isogloss.report.page.gathered import Evaluated, Target
from isogloss.report.page.names import language_name
from isogloss.report.page.table import Cell, Column, Row, Table

SHOWN_K = 10
RERANKING = (
    Column("first", "first stage"),
    Column("reranked", "re-ranked"),
    Column("ceiling", "ceiling"),
    Column("share", "reached"),
    Column("headroom", "headroom won"),
)


def preference_table(target: Target, one: Evaluated, order: Sequence[str]) -> Table | None:
    """One model's language preference in the top 10; None where its evaluation has none."""
    rows = [row for row in one.preferences if row["k"] == str(SHOWN_K)]
    if not rows:
        return None
    held = {(row["query_language"], row["document_language"]): row for row in rows}
    rank = {code: place for place, code in enumerate(order)}
    sources, targets = (
        sorted({route[side] for route in held}, key=lambda code: (rank.get(code, len(rank)), code))
        for side in (0, 1)
    )
    body = tuple(
        Row(
            (language_name(source),),
            tuple(_preference(held.get((source, code)), source == code) for code in targets),
        )
        for source in sources
    )
    columns = tuple(Column(code, code, "", language_name(code), True) for code in targets)
    caption = f"{one.model} on {target.key}: languages of the top {SHOWN_K}, times their share"
    notes = tuple(dict.fromkeys(row["note"] for row in rows if row["note"]))
    heads = ("query language",)
    key = f"preference.{target.slug}.{one.model}"
    return Table(key, caption, heads, columns, body, notes, kind="preference")


def _preference(row: Mapping[str, str] | None, own: bool) -> Cell:
    if row is None or not row["preference"]:
        return Cell(UNDEFINED, kind="undefined")
    value = float(row["preference"])
    low, high = (float(row[end]) if row[end] else None for end in ("low", "high"))
    return Cell(f"{value:.2f}", value, low, high, kind="best" if own else "")


def reranking_table(target: Target) -> Table | None:
    """Re-rankers against the best that any could do; None where a target has no re-ranker."""
    rows = []
    for one in target.evaluated:
        for row in one.reranking:
            cells = tuple(_reached(row, column.key) for column in RERANKING)
            heads = (one.model, LABELS.get(row["figure"], row["figure"]))
            rows.append(Row(heads, cells, {"model": one.model}))
    if not rows:
        return None
    caption = f"{target.key}: re-rankers against their ceiling"
    key = f"reranking.{target.slug}"
    return Table(key, caption, ("model", "figure"), RERANKING, tuple(rows))


def _reached(row: Mapping[str, str], key: str) -> Cell:
    if says_nothing(row, key):
        return Cell(GATED, GATED, kind="gated")
    if not row[key]:
        return Cell(UNDEFINED, kind="undefined")
    value = float(row[key])
    return Cell(f"{value:.0%}" if key in ("share", "headroom") else f"{value:.3f}", value)
