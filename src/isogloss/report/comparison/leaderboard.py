"""The leaderboard: every model on every benchmark, as text, CSV and LaTeX."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from isogloss.report.layout.shown import (
    STANDARD_ERROR,
    UNDEFINED,
    shown,
    shown_depth,
    shown_interval,
)
from isogloss.report.layout.tables import latex_table
from isogloss.report.layout.terminal import columns_text, shortened
from isogloss.spreadsheet import people_csv
from isogloss.statistics.p_values import p_is

Metrics = Mapping[str, Any]


@dataclass(frozen=True)
class Entry:
    """One model on one benchmark (or pool).

    Attributes:
        benchmark: Its key, or ``pool`` and the pool's key.
        model: Its key.
        metrics: The content of metrics.json.
        letters: Models of a benchmark that share a letter do not differ significantly.
        gate: The threshold of the gate, where that is known.
        dataset_version: Of the benchmark; none of a pool, whose members have one each.
    """

    benchmark: str
    model: str
    metrics: Metrics
    letters: str = ""
    gate: float | None = None
    dataset_version: str = ""


@dataclass(frozen=True)
class Column:
    """A column: its heading, and how an entry is printed in it."""

    heading: str
    cell: Callable[[Entry], str]


def _figure(heading: str, key: str, digits: int = 2) -> Column:
    return Column(heading, lambda entry: shown(entry.metrics, key, digits))


def _interval(heading: str, key: str) -> Column:
    return Column(heading, lambda entry: shown_interval(entry.metrics, key, 2, entry.gate))


def _depth(heading: str, name: str) -> Column:
    return Column(heading, lambda entry: shown_depth(entry.metrics, name))


def gap_text(metrics: Metrics) -> str:
    """The gap with its interval and p."""
    gap = metrics.get("gap") or {}
    delta, bounds, p = gap.get("delta"), gap.get("ci"), gap.get("p")
    if delta is None:
        return UNDEFINED
    text = f"{delta:+.2f}"
    text += "" if bounds is None else f" [{bounds[0]:+.2f}, {bounds[1]:+.2f}]"
    return text if p is None else f"{text}, {p_is(p)}"


RECALL = (
    _interval("R@10 same", "recall_at_10/same"),
    _interval("R@10 cross", "recall_at_10/cross"),
    Column("gap", lambda entry: gap_text(entry.metrics)),
    Column("group", lambda entry: entry.letters or UNDEFINED),
    _figure("hit@10 same", "hit_at_10/same"),
    _figure("hit@10 cross", "hit_at_10/cross"),
    Column("gate", lambda entry: shown(entry.metrics, "gate")),
)
DEPTH = (
    _depth("k80 same", "same"),
    _depth("k80 cross", "cross"),
    _depth("k80*", "star"),
    _figure("XRC", "xrc_50"),
    _figure("RRC@10", "rrc_at_10"),
    _figure("RRC@100", "rrc_at_100"),
    _figure("knee", "knee"),
    _figure("floor", "floor"),
    _figure("ARI@10", "ari_at_10"),
    _figure("ARI@100", "ari_at_100"),
)
GROUPS = (
    "Models of one benchmark that share a group letter do not differ in recall@10 over all golds\n"
    "(sign flips of whole clusters, Holm-corrected). Best recall across languages first."
)
# Keys whose absence is explained below the table.
EXPLAINED = (
    *("recall_at_10/same", "recall_at_10/cross", "k80/same", "k80/cross", "k80/star", "xrc_50"),
    *("rrc_at_10", "rrc_at_100", "knee", "floor", "ari_at_10", "ari_at_100", "gap/delta", "gap/p"),
    "gate",
)
CSV_KEYS = (
    *("n_queries", "n_dual_gold", "gate"),
    *(f"recall_at_{k}/{side}" for k in (10, 25, 50) for side in ("same", "cross")),
    *(f"hit_at_10/{side}" for side in ("same", "cross")),
    *(f"k80/{side}{end}" for side in ("same", "cross", "star") for end in ("", "_se")),
    "xrc_50",
    *(f"rrc_at_{k}" for k in (1, 5, 10, 50, 100, 1000)),
    *("knee", "floor", "ari_at_10", "ari_at_100"),
)


def ranked(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """Entries by benchmark, each best recall@10 across languages first, ties by name."""
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(entry.benchmark, []).append(entry)
    for group in groups.values():
        group.sort(key=lambda entry: (-_headline(entry.metrics), entry.model))
    return groups


def _headline(metrics: Metrics) -> float:
    # Pools hold depth figures only.
    values = (metrics.get(key) for key in ("recall_at_10/cross", "rrc_at_10"))
    return next((float(value) for value in values if value is not None), -1.0)


def cells(entries: Sequence[Entry], columns: Sequence[Column]) -> list[list[str]]:
    """A heading row, then one row a model."""
    rows = [["model", *(column.heading for column in columns)]]
    rows += [[entry.model, *(column.cell(entry) for column in columns)] for entry in entries]
    return rows


def leaderboard_text(
    entries: Iterable[Entry],
    pools: Iterable[Entry] = (),
    remarks: Mapping[str, Sequence[str]] | None = None,
    beside: Mapping[str, Sequence[str]] | None = None,
) -> str:
    """The leaderboard as plain text: recall, then depth, for each benchmark, then the pools.

    Args:
        entries: One a model and benchmark.
        pools: One a model and pool; they hold depth figures only.
        remarks: By benchmark, what a reader must know of its figures.
        beside: By benchmark, lines on what the columns do not hold.
    """
    blocks = []
    for benchmark, group in ranked(entries).items():
        version = group[0].dataset_version
        heading = f"{benchmark}: {_counts(group)}" + (
            f"; dataset version {version}" if version else ""
        )
        blocks.append("\n".join([heading, *(remarks or {}).get(benchmark, ())]))
        blocks.append(columns_text(cells(group, RECALL)))
        blocks.append(depth_text(group))
        blocks += reasons(group)
        blocks += ["\n".join(lines)] if (lines := (beside or {}).get(benchmark)) else []
    if blocks:
        blocks.append(GROUPS)
    for pool, group in ranked(pools).items():
        blocks.append(f"{pool}: {_counts(group)}")
        blocks.append(depth_text(group))
        blocks += reasons(group)
    return "\n\n".join(blocks) + "\n" if blocks else ""


def depth_text(group: Sequence[Entry]) -> str:
    """The depth columns, and below them what the sign in them means."""
    text = columns_text(cells(group, DEPTH))
    return f"{text}\n{STANDARD_ERROR}" if "±" in text else text


def _counts(group: Sequence[Entry]) -> str:
    first = group[0].metrics
    queries, dual = first.get("n_queries", 0), first.get("n_dual_gold", 0)
    return f"{queries} queries, {dual} with gold on both sides"


def reasons(group: Sequence[Entry]) -> list[str]:
    """Why a figure is missing, each reason once with the models it holds for, and other notes."""
    models: dict[str, list[str]] = {}
    for entry in group:
        notes = entry.metrics.get("notes") or {}
        for key, why in notes.items():
            topic = key if key in EXPLAINED or _is_topic(entry.metrics, key) else None
            if topic is not None:
                models.setdefault(f"{topic}: {shortened(str(why))}", []).append(entry.model)
    lines = []
    for reason, names in models.items():
        lines.append(reason if len(names) == len(group) else f"{reason} ({', '.join(names)})")
    return ["\n".join(lines)] if lines else []


def _is_topic(metrics: Metrics, key: str) -> bool:
    return key not in metrics and "/" not in key


def leaderboard_csv(entries: Iterable[Entry]) -> str:
    """The leaderboard for machines: all digits; "gated", ">1000" and empty cells as in the text.

    The column `notes` holds the reason of every empty cell.
    """
    ends = [
        f"ci/recall_at_10/{side}/{end}" for side in ("same", "cross") for end in ("low", "high")
    ]
    gaps = ["gap/delta", "gap/ci/low", "gap/ci/high", "gap/p"]
    rows = [["benchmark", "model", "dataset_version", *CSV_KEYS, *ends, *gaps, "notes"]]
    for group in ranked(entries).values():
        rows += [
            [entry.benchmark, entry.model, entry.dataset_version, *_csv_row(entry.metrics)]
            for entry in group
        ]
    return people_csv(rows)


def _csv_row(metrics: Metrics) -> list[str]:
    row = []
    for key in CSV_KEYS:
        text, value = shown(metrics, key), metrics.get(key)
        is_plain = isinstance(value, float) and text not in ("gated", UNDEFINED)
        row.append(repr(value) if is_plain else "" if text == UNDEFINED else text)
    for side in ("same", "cross"):
        row += _ends(metrics.get(f"ci/recall_at_10/{side}"))
    gap = metrics.get("gap") or {}
    row += [_number(gap.get("delta")), *_ends(gap.get("ci")), _number(gap.get("p"))]
    notes = metrics.get("notes") or {}
    return [*row, "; ".join(f"{key}: {notes[key]}" for key in EXPLAINED if key in notes)]


def _ends(bounds: Sequence[float] | None) -> list[str]:
    return ["", ""] if bounds is None else [_number(bounds[0]), _number(bounds[1])]


def _number(value: float | None) -> str:
    return "" if value is None else repr(float(value))


def leaderboard_latex(entries: Iterable[Entry], pools: Iterable[Entry] = ()) -> str:
    """The leaderboard as LaTeX tables (needs the package booktabs)."""
    tables = []
    for benchmark, group in ranked(entries).items():
        for name, columns in (("recall", RECALL), ("depth", DEPTH)):
            caption = f"{benchmark}, {name}: {_counts(group)}."
            label = f"tab:{benchmark}-{name}"
            tables.append(latex_table(cells(group, columns), caption, label))
    for pool, group in ranked(pools).items():
        caption = f"{pool}, depth: {_counts(group)}."
        tables.append(
            latex_table(cells(group, DEPTH), caption, f"tab:{pool.replace(' ', '-')}-depth")
        )
    return "\n".join(tables)
