"""The route grid with the isogloss drawn into it, and the routes of all models side by side."""

from collections.abc import Mapping, Sequence
from typing import Any

from isogloss.report.layout.shown import UNDEFINED
from isogloss.report.page.gathered import Evaluated, Target
from isogloss.report.page.names import language_name
from isogloss.report.page.table import Cell, Column, Row, Table

STEPS = 20
"""Shades between 0 and 1."""

Recalls = Mapping[tuple[str, str], float]


def language_order(target: Target) -> list[str]:
    """Languages by how well they are crossed, best first, so that the line falls into one piece.

    The mean of recall@10 over all foreign routes from and to a language, over all models; ties by
    code.
    """
    found: dict[str, list[float]] = {}
    for one in target.evaluated:
        for route in one.routes:
            for code in {route["query_language"], route["document_language"]}:
                held = found.setdefault(code, [])
                if route["query_language"] != route["document_language"]:
                    held.append(route["recall_at_10"])
    return sorted(found, key=lambda code: (-sum(found[code]) / max(len(found[code]), 1), code))


def heat_table(target: Target, one: Evaluated, order: Sequence[str], line: float) -> Table:
    """One model's route grid.

    Args:
        target: The benchmark.
        one: The model on it.
        order: Languages in the order of rows and columns.
        line: Recall@10 at which the isogloss runs.
    """
    recalls = {(r["query_language"], r["document_language"]): r for r in one.routes}
    values = {route: float(row["recall_at_10"]) for route, row in recalls.items()}
    sources = [code for code in order if any(source == code for source, _ in recalls)]
    targets = [code for code in order if any(target == code for _, target in recalls)]
    sizes = {int(row["n"]) for row in one.routes}
    rows = []
    for place, source in enumerate(sources):
        below = sources[place + 1] if place + 1 < len(sources) else None
        line_cells = []
        for column, code in enumerate(targets):
            beside = targets[column + 1] if column + 1 < len(targets) else None
            edges = _edges(values, source, code, below, beside, line)
            line_cells.append(_heat(recalls.get((source, code)), edges, len(sizes) > 1))
        rows.append(Row((language_name(source),), tuple(line_cells), {"code": source}))
    counted = f"{sizes.pop()} gold pairs in each cell" if len(sizes) == 1 else "n: gold pairs"
    caption = f"{one.model} on {target.key}: recall@10 by route ({counted})"
    columns = tuple(Column(code, code, spoken=language_name(code)) for code in targets)
    key = f"routes.{target.slug}.{one.model}"
    heads = ("query language",)
    return Table(key, caption, heads, columns, tuple(rows), kind="heat", sortable=False)


def _edges(
    values: Recalls, source: str, code: str, below: str | None, beside: str | None, line: float
) -> str:
    here = values.get((source, code))
    kinds = ["own"] if source == code else []
    for name, other in (("ib", (below, code)), ("ir", (source, beside))):
        there = None if None in other else values.get((str(other[0]), str(other[1])))
        if here is not None and there is not None and (here >= line) != (there >= line):
            kinds.append(name)
    return " ".join(kinds)


def _heat(route: Mapping[str, Any] | None, edges: str, counted: bool) -> Cell:
    if route is None:
        return Cell(UNDEFINED, kind=f"undefined {edges}".strip())
    recall = float(route["recall_at_10"])
    shade = round(min(max(recall, 0.0), 1.0) * STEPS)
    below = f"n {route['n']}" if counted else ""
    return Cell(f"{recall:.2f}", recall, below=below, kind=f"h h{shade} {edges}".strip())


def route_table(target: Target, order: Sequence[str], line: float) -> Table:
    """Every route with every model, to compare models on one route."""
    models = [one.model for one in target.evaluated]
    by_route: dict[tuple[str, str], dict[str, Mapping[str, Any]]] = {}
    for one in target.evaluated:
        for row in one.routes:
            route = (str(row["query_language"]), str(row["document_language"]))
            by_route.setdefault(route, {})[one.model] = row
    rank = {code: place for place, code in enumerate(order)}
    rows = []
    for route in sorted(by_route, key=lambda route: (rank[route[0]], rank[route[1]])):
        held = by_route[route]
        n = int(next(iter(held.values()))["n"])
        recalls = {model: float(row["recall_at_10"]) for model, row in held.items()}
        best = max(recalls.values())
        found = [_recall(recalls.get(model), best, line) for model in models]
        marks = {"source": route[0], "target": route[1]}
        marks |= {"own": "1"} if route[0] == route[1] else {}
        names = (language_name(route[0]), language_name(route[1]))
        rows.append(Row(names, (Cell(str(n), n), *found), marks))
    columns = (Column("n", "pairs"), *(Column(model, model, "recall@10") for model in models))
    caption = f"{target.key}: every route, all models"
    heads = ("from query in", "to document in")
    return Table(f"all-routes.{target.slug}", caption, heads, columns, tuple(rows), kind="routes")


def _recall(recall: float | None, best: float, line: float) -> Cell:
    if recall is None:
        return Cell(UNDEFINED, kind="undefined")
    kind = "best" if recall == best and best >= line else ""
    return Cell(f"{recall:.2f}", recall, kind=kind, marks={"bar": recall})
