"""The reading budget of one target as the page shows it: models by coverage."""

from isogloss.report.page.budget import budget_table, depth_cell, plan_notes, reach_cell, share_text
from isogloss.report.page.gathered import Gathered, Target
from isogloss.report.page.table import Cell, Column, Row, Table


def depth_grid(gathered: Gathered, target: Target) -> Table:
    """Depth for each wanted coverage, a row a model; a refusal stands below."""
    needs = [need for need in gathered.needs if need.target == target.key]
    coverages = list(dict.fromkeys(need.reading.coverage for need in needs))
    refusals: dict[str, list[str]] = {}
    rows = []
    for one in target.evaluated:
        mine = {n.reading.coverage: n.reading for n in needs if n.model == one.model}
        if not mine:
            continue
        line = []
        for coverage in coverages:
            reading = mine[coverage]
            if reading.refusal is None:
                line.append(depth_cell(reading))
            else:
                gated = reading.refusal.startswith("gate")
                word = "gated" if gated else "not reached"
                line.append(Cell(word, word, kind="gated" if gated else "censored"))
                refusals.setdefault(reading.refusal, []).append(one.model)
        line.append(reach_cell(next(iter(mine.values()))))
        rows.append(Row((one.model,), tuple(line), {"model": one.model}))
    columns = (
        *(
            Column(f"depth_at_{share:g}", share_text(share), "documents to read for a coverage of",
                   interval=True)
            for share in coverages
        ),
        Column("reach", "reach"),
    )  # fmt: skip
    told = tuple(f"{', '.join(dict.fromkeys(models))}: {why}." for why, models in refusals.items())
    caption = f"{target.key}: documents per query for a re-ranker"
    notes = (*told, *plan_notes(needs))
    return Table(
        f"budget.{target.slug}", caption, ("model",), columns, tuple(rows), notes, "budget"
    )


def plan_file(gathered: Gathered) -> Table:
    """The whole plan, one row a target, model and coverage, as `isogloss plan` writes it."""
    return budget_table(gathered.needs, gathered.price, gathered.seconds)
