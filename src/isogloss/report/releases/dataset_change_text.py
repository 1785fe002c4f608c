"""Two dataset versions side by side, as text and CSV."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from isogloss.report.layout.terminal import columns_text
from isogloss.spreadsheet import people_csv
from isogloss.statistics.p_values import p_is, p_text

SHOWN = (
    *("n_queries", "n_dual_gold", "recall_at_10/same", "recall_at_10/cross", "hit_at_10/same"),
    *("hit_at_10/cross", "k80/same", "k80/cross", "xrc_50", "rrc_at_10", "rrc_at_100", "floor"),
)
PARTS = ("before", "after", "change", "pool", "queries")
MOST = 5


def changes_text(title: str, changes: Mapping[str, Any], effects: Mapping[str, Any] | None) -> str:
    """What appeared, left and changed, and what that did to the figures.

    Args:
        title: Benchmark and versions.
        changes: As `DatasetChanges.as_json` gives them.
        effects: As `version_effects` gives them; None without a model.
    """
    families, queries = changes["families"], changes["queries"]
    blocks = [
        title,
        *(f"families {kind}: {_some(families[kind])}" for kind in ("appeared", "left", "changed")),
        f"families unchanged: {families['unchanged']}",
        *(
            f"queries {kind.replace('_', ' ')}: {_some(queries[kind])}"
            for kind in ("appeared", "left", "changed", "gold_changed")
        ),
        f"queries unchanged, with the same gold: {queries['unchanged']}",
    ]
    if effects is not None:
        heading = ["figure", "before", "after", "change", "by documents", "by queries"]
        rows = [
            [key, *(_cell(effects["figures"][key][part], part) for part in PARTS)]
            for key in SHOWN
            if key in effects["figures"]
        ]
        blocks.append(columns_text([heading, *rows]))
        for name, one in effects["same_queries"].items():
            bounds = "" if one["ci"] is None else f" [{one['ci'][0]:+.3f}, {one['ci'][1]:+.3f}]"
            blocks.append(
                f"{name} over the {one['n']} queries that stayed: {one['delta']:+.3f}{bounds}, "
                f"{p_is(one['p'])} (Holm {p_text(one['p_holm'])})"
            )
    return "\n".join(blocks) + "\n"


def effects_csv(effects: Mapping[str, Any]) -> str:
    """Every figure as a row; an empty cell is what is not defined."""
    rows = [[key, *(one[part] for part in PARTS)] for key, one in effects["figures"].items()]
    return _csv(["figure", *PARTS], rows)


def families_csv(rows: Iterable[Sequence[str]]) -> str:
    """Families that differ: name, kind, and languages added, removed and edited."""
    return _csv(["family", "kind", "added", "removed", "edited"], rows)


def _csv(heading: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    return people_csv([heading, *rows])


def _some(names: Sequence[str]) -> str:
    if not names:
        return "0"
    more = f" and {len(names) - MOST} more" if len(names) > MOST else ""
    return f"{len(names)} ({', '.join(names[:MOST])}{more})"


def _cell(value: object, part: str) -> str:
    if value is None:
        return "-"
    signed = "+" if part not in ("before", "after") else ""
    if isinstance(value, float) and not value.is_integer():
        return f"{value:{signed}.3f}"
    return f"{value:{signed}.0f}" if isinstance(value, float) else str(value)
