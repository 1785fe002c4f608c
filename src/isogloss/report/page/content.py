"""From what was gathered to what the template prints: every table once, by section."""

from dataclasses import dataclass
from typing import Any

from isogloss.report.page import cards, comparisons, measured, medical, published
from isogloss.report.page.beside import preference_table, reranking_table
from isogloss.report.page.budget_panel import depth_grid, plan_file
from isogloss.report.page.curves import Chart, looks, reach_chart
from isogloss.report.page.findings import findings
from isogloss.report.page.gathered import Gathered, Target
from isogloss.report.page.readings import readings_table
from isogloss.report.page.routes import heat_table, language_order, route_table
from isogloss.report.page.table import Table


@dataclass(frozen=True)
class Panel:
    """Everything on one benchmark or pool.

    Attributes:
        target: What was measured.
        findings: Sentences.
        tables: By name.
        heat: The route grid of each model.
        slices: The slices of each model.
        preferences: The languages that each model prefers.
        chart: The re-ranking curve.
        looks: How each model's line is drawn.
        languages: Codes, in the order of the route grid.
    """

    target: Target
    findings: list[str]
    tables: dict[str, Table]
    heat: dict[str, Table]
    slices: dict[str, Table]
    preferences: dict[str, Table]
    chart: Chart
    looks: dict[str, int]
    languages: list[str]


def panel(gathered: Gathered, target: Target, line: float, drawn: dict[str, int]) -> Panel:
    """Everything on one target; a pool has no recall and no routes."""
    tables = {
        "depth": measured.depth_table(target),
        "reach": measured.reach_table(target),
        "budget": depth_grid(gathered, target),
    }
    pairs = comparisons.pair_table(target)
    if pairs is not None:
        tables["pairs"] = pairs
    heat: dict[str, Table] = {}
    slices: dict[str, Table] = {}
    preferences: dict[str, Table] = {}
    order: list[str] = []
    if not target.is_pool:
        order = language_order(target)
        tables["recall"] = measured.recall_table(target, line)
        tables["deeper"] = measured.deeper_table(target)
        if order:
            tables["routes"] = route_table(target, order, line)
        heat = {e.model: heat_table(target, e, order, line) for e in target.evaluated if e.routes}
        found = {e.model: preference_table(target, e, order) for e in target.evaluated}
        preferences = {model: table for model, table in found.items() if table is not None}
        reranking = reranking_table(target)
        if reranking is not None:
            tables["reranking"] = reranking
        sliced = [one for one in target.evaluated if one.slices]
        slices = {one.model: comparisons.slice_table(target, one, line) for one in sliced}
    return Panel(
        target=target,
        findings=findings(target, gathered.needs, line),
        tables=tables,
        heat=heat,
        slices=slices,
        preferences=preferences,
        chart=reach_chart(target, drawn),
        looks=drawn,
        languages=order,
    )


def page_content(gathered: Gathered) -> tuple[dict[str, Any], list[Table]]:
    """Give the template's values, and every table for CSV and LaTeX."""
    line = float(gathered.settings.get("gate", 0.1))
    drawn = looks(gathered.targets)
    panels = [panel(gathered, target, line, drawn) for target in gathered.targets]
    models = list(dict.fromkeys(e.model for t in gathered.targets for e in t.evaluated))
    retrieval = published.retrieval_table(gathered)
    facts = published.medical_table()
    scores = gathered.medical
    medicine = medical.medical_tables(scores) if scores is not None else []
    size, versions = cards.size_table(gathered), cards.version_table(gathered)
    used = cards.model_table(gathered)
    data_cards = [cards.card(t) for t in gathered.targets if not t.is_pool and not t.whole]
    both = [readings_table(gathered, target) for target in gathered.targets if target.whole]
    content = {
        "panels": panels,
        "benchmarks": [p for p in panels if not p.target.is_pool],
        # A second reading is of a benchmark that is counted already.
        "n_benchmarks": sum(not p.target.is_pool and not p.target.whole for p in panels),
        "pools": [p for p in panels if p.target.is_pool],
        "models": models,
        "line": line,
        "published": retrieval,
        "medical": medicine,
        "medical_notes": medical.notes(scores) if scores is not None else [],
        "medical_note": gathered.medical_note,
        "medical_published": facts,
        "size": size,
        "cards": data_cards,
        "versions": versions,
        "used": used,
        "settings": dict(sorted(gathered.settings.items())),
        "metrics_version": gathered.metrics_version,
        "price": gathered.price,
        "readings": both,
    }
    tables = [table for p in panels for table in _tables(p)]
    tables += [table for _, table in both]
    tables += [retrieval.table, facts.table, *medicine, size, versions, used]
    tables += [card.languages for card in data_cards if card.languages is not None]
    return content, [*tables, plan_file(gathered)]


def _tables(panel: Panel) -> list[Table]:
    grids = (panel.heat, panel.slices, panel.preferences)
    return [*panel.tables.values(), *(table for grid in grids for table in grid.values())]
