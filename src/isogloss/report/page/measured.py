"""Tables of one benchmark or pool: recall, depth, and what a re-ranker can reach."""

from isogloss.report.comparison.leaderboard import Entry, reasons
from isogloss.report.layout.shown import UNDEFINED
from isogloss.report.page import cells
from isogloss.report.page.gathered import Evaluated, Target
from isogloss.report.page.table import Cell, Column, Row, Table
from isogloss.statistics.p_values import p_text

RECALL = (
    Column("recall_at_10_same", "same language", "recall@10", interval=True),
    Column("recall_at_10_cross", "other languages", "recall@10", interval=True),
    Column("drawn", "from 0 to 1", "recall@10", drawn=True),
    Column("gap", "gap", spoken="same minus other", interval=True),
    Column("gap_p", "p"),
    Column("letters", "group", spoken="significance group"),
    Column("hit_at_10_same", "same", "hit@10"),
    Column("hit_at_10_cross", "other", "hit@10"),
    Column("gate", "gate"),
)
DEEPER = tuple(
    Column(f"recall_at_{k}_{side}", word, f"recall@{k}", interval=True)
    for k in (25, 50)
    for side, word in (("same", "same language"), ("cross", "other languages"))
)
DEPTH = (
    Column("k80_same", "same", "k80", spoken="language"),
    Column("k80_cross", "other", "k80", spoken="languages"),
    Column("k80_star", "both", "k80", spoken="sides"),
    Column("xrc_50", "XRC"),
    Column("floor", "floor"),
)
CUTOFFS = (1, 5, 10, 50, 100, 1000)
REACH = (
    *(
        Column(f"rrc_at_{k}", f"K = {k}", "RRC, reach of a re-ranker", interval=True)
        for k in CUTOFFS
    ),
    Column("knee", "knee"),
    Column("ari_at_10", "K = 10", "ARI"),
    Column("ari_at_100", "K = 100", "ARI"),
)
# Keys of metrics.json as readers know them.
LABELS = {
    "recall_at_10/same": "recall@10, same language",
    "recall_at_10/cross": "recall@10, other languages",
    "k80/same": "k80 same",
    "k80/cross": "k80 other",
    "k80/star": "k80 both",
    "xrc_50": "XRC",
    "rrc_at_10": "RRC@10",
    "rrc_at_100": "RRC@100",
    "ari_at_10": "ARI@10",
    "ari_at_100": "ARI@100",
    "gap/delta": "gap",
    "gap/p": "p of the gap",
}


def recall_table(target: Target, line: float | None = None) -> Table:
    """Recall@10 within and across languages, drawn too, with gap, group and gate."""
    letters = target.significance.get("letters") or {}
    rows = []
    for one in target.evaluated:
        metrics = one.metrics
        gap = metrics.get("gap") or {}
        p = gap.get("p")
        shown_p = UNDEFINED if p is None else p_text(p)
        delta = cells.gap(metrics)
        rows.append(
            _row(
                one,
                cells.interval(metrics, "recall_at_10/same"),
                cells.interval(metrics, "recall_at_10/cross", gate=line),
                cells.sides(metrics),
                Cell(delta.text.partition(", p")[0], delta.value, delta.low, delta.high),
                Cell(shown_p, p),
                Cell(str(letters.get(one.model, UNDEFINED))),
                cells.figure(metrics, "hit_at_10/same"),
                cells.figure(metrics, "hit_at_10/cross"),
                _gate(one),
            )
        )
    caption = f"{target.key}: recall within and across languages"
    return _table(target, "recall", caption, RECALL, rows)


def deeper_table(target: Target) -> Table:
    """Recall at 25 and 50."""
    rows = [
        _row(
            one,
            *(
                cells.interval(one.metrics, f"recall_at_{k}/{side}")
                for k in (25, 50)
                for side in ("same", "cross")
            ),
        )
        for one in target.evaluated
    ]
    return _table(target, "deeper", f"{target.key}: recall further down", DEEPER, rows)


def depth_table(target: Target) -> Table:
    """How deep the gold lies on each side."""
    rows = [
        _row(
            one,
            *(cells.depth(one.metrics, name) for name in ("same", "cross", "star")),
            cells.figure(one.metrics, "xrc_50"),
            cells.figure(one.metrics, "floor"),
        )
        for one in target.evaluated
    ]
    caption = f"{target.key}: documents to read for 80% of the queries (± one standard error)"
    return _table(target, "depth", caption, DEPTH, rows, explained(target))


def reach_table(target: Target) -> Table:
    """What a re-ranker of the top K could reach at most."""
    rows = [
        _row(
            one,
            *(cells.interval(one.metrics, f"rrc_at_{k}") for k in CUTOFFS),
            *(cells.figure(one.metrics, key) for key in ("knee", "ari_at_10", "ari_at_100")),
        )
        for one in target.evaluated
    ]
    caption = f"{target.key}: ceiling of a re-ranker of the top K"
    return _table(target, "reach", caption, REACH, rows)


def explained(target: Target) -> tuple[str, ...]:
    """Why figures are missing, and what else a reader must know."""
    group = [Entry(target.key, one.model, one.metrics) for one in target.evaluated]
    lines = [line for block in reasons(group) for line in block.split("\n")]
    return tuple(_readable(line) for line in lines)


def _readable(line: str) -> str:
    key, colon, said = line.partition(": ")
    label = LABELS.get(key, key.replace("_", " "))
    return f"{label[:1].upper()}{label[1:]}{colon}{said}." if colon else line


def _gate(one: Evaluated) -> Cell:
    cell = cells.figure(one.metrics, "gate")
    return Cell(cell.text, cell.value, kind="failed" if one.gated else "")


def _row(one: Evaluated, *found: Cell) -> Row:
    return Row((one.model,), found, {"model": one.model})


def _table(
    target: Target,
    name: str,
    caption: str,
    columns: tuple[Column, ...],
    rows: list[Row],
    notes: tuple[str, ...] = (),
) -> Table:
    return Table(f"{name}.{target.slug}", caption, ("model",), columns, tuple(rows), notes)
