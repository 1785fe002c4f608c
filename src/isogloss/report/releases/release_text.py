"""Two releases side by side, as text and CSV."""

from collections.abc import Mapping
from typing import Any

from isogloss.report.layout.terminal import columns_text, shortened
from isogloss.spreadsheet import people_csv
from isogloss.statistics.p_values import p_text

HEADING = (
    *("kind", "name", "n", "clusters", "before", "after", "delta"),
    *("ci_low", "ci_high", "p", "p_holm", "lost"),
)
MOST_ROUTES = 12
SMALLEST = 1e-12


def release_text(title: str, content: Mapping[str, Any]) -> str:
    """Neighbours, headlines, the routes that changed most, drift and the gate's verdict.

    Args:
        title: Model, releases and benchmark.
        content: The content of releases.json.
    """
    lost = set(content["gate"]["losses"])
    blocks = [
        title,
        columns_text(_neighbour_rows(content)),
        columns_text(
            [
                ["recall@10", "queries", "before", "after", "change", "p", "p (Holm)", ""],
                *(_change_row(name, one, lost) for name, one in content["headlines"].items()),
            ]
        ),
        *_routes(content, lost),
        *_cosines(content),
        *(f"{key}: {text}" for key, text in content["notes"].items()),
        *_verdict(content),
    ]
    return "\n".join(blocks) + "\n"


def changes_csv(content: Mapping[str, Any]) -> str:
    """Every headline and route as a row; an empty cell is what is not defined."""
    rows: list[list[Any]] = [list(HEADING)]
    lost = set(content["gate"]["losses"])
    for kind in ("headlines", "routes"):
        for name, one in content[kind].items():
            low, high = one["ci"] or (None, None)
            rows.append(
                [
                    *(kind.removesuffix("s"), name, one["n"], one["clusters"], one["before"]),
                    *(one["after"], one["delta"], low, high, one["p"], one["p_holm"]),
                    int(name in lost),
                ]
            )
    return people_csv(rows)


def _neighbour_rows(content: Mapping[str, Any]) -> list[list[str]]:
    keys = ("mean", "q05", "q25", "q50", "q75", "q95")
    rows = [["neighbours", *("mean", "5%", "25%", "50%", "75%", "95%")]]
    for name, found in content["neighbours"].items():
        cells = ["-" if found[key] is None else f"{found[key]:.3f}" for key in keys]
        rows.append([name.replace("_at_", "@").replace("_", " "), *cells])
    return rows


def _change_row(name: str, one: Mapping[str, Any], lost: set[str]) -> list[str]:
    if one["ci"] is not None:
        interval = f" [{one['ci'][0]:+.3f}, {one['ci'][1]:+.3f}]"
    else:
        interval = "" if abs(one["delta"]) <= SMALLEST else " [not estimable]"
    return [
        name,
        str(one["n"]),
        f"{one['before']:.3f}",
        f"{one['after']:.3f}",
        f"{one['delta']:+.3f}{interval}",
        p_text(one["p"]),
        p_text(one["p_holm"]),
        "LOST" if name in lost else "",
    ]


def _routes(content: Mapping[str, Any], lost: set[str]) -> list[str]:
    """The routes that moved, worst first, and how many did not."""
    moved = sorted(
        ((name, one) for name, one in content["routes"].items() if abs(one["delta"]) > SMALLEST),
        key=lambda item: (item[0] not in lost, item[1]["delta"], item[0]),
    )
    still = len(content["routes"]) - len(moved)
    shown = moved[: max(MOST_ROUTES, len(lost))]
    blocks = []
    if shown:
        heading = ["route", "queries", "before", "after", "change", "p", "p (Holm)", ""]
        rows = [_change_row(name.replace(">", " > "), one, set()) for name, one in shown]
        for row, (name, _) in zip(rows, shown, strict=True):
            row[-1] = "LOST" if name in lost else ""
        blocks.append(columns_text([heading, *rows]))
    if len(moved) > len(shown):
        blocks.append(f"{len(moved) - len(shown)} more routes changed; changes.csv has them all")
    if still:
        blocks.append(f"{still} routes did not change")
    return blocks


def _cosines(content: Mapping[str, Any]) -> list[str]:
    lines = []
    for side, found in content["cosine"].items():
        if found is not None and found["mean"] is not None:
            means = found["languages"].items()
            by_language = ", ".join(f"{code} {mean:.3f}" for code, mean in means)
            lines.append(
                f"cosine of {side} before and after: mean {found['mean']:.4f}, "
                f"5% below {found['q05']:.4f}; {by_language}"
            )
    return lines


def _verdict(content: Mapping[str, Any]) -> list[str]:
    gate = content["gate"]
    lines = []
    if gate["too_few_clusters"]:
        names = ", ".join(gate["too_few_clusters"])
        lines.append(shortened(f"too few clusters to fail at any loss: {names}"))
    verdict = f"gate: {gate['verdict']}"
    if gate["losses"]:
        verdict += f" (lost: {', '.join(gate['losses'])})"
    elif content["no_difference"]:
        verdict += " (no difference: no gold moved into or out of a top 10)"
    return [*lines, verdict]
