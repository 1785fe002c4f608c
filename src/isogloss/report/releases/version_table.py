"""The catalogue of dataset versions as text."""

from collections.abc import Mapping, Sequence
from typing import Any

from isogloss.report.layout.terminal import columns_text, shortened

DIGITS = 12
HEADING = ["dataset version", "date", "documents", "queries", "held by", "runs", "vectors"]
MOST = 4


def version_text(entries: Sequence[Mapping[str, Any]]) -> str:
    """A table a benchmark, then what each version holds by language and which runs used it.

    Args:
        entries: As `isogloss versions --json` gives them.
    """
    blocks = []
    for benchmark in sorted({entry["benchmark"] for entry in entries}):
        group = [entry for entry in entries if entry["benchmark"] == benchmark]
        blocks += [benchmark, columns_text([HEADING, *(_row(entry) for entry in group)])]
        for entry in group:
            blocks += [f"  {line}" for line in _lines(entry)]
        blocks.append("")
    return "\n".join(blocks)


def _name(entry: Mapping[str, Any]) -> str:
    return str(entry["version"])[:DIGITS] if entry["version"] else "unknown"


def _row(entry: Mapping[str, Any]) -> list[str]:
    holders = [holder["name"] for holder in entry["held_by"]]
    holders += ["workspace"] if entry["workspace"] else []
    return [
        _name(entry),
        entry["date"] or "-",
        "-" if entry["documents"] is None else str(entry["documents"]),
        "-" if entry["queries"] is None else str(entry["queries"]),
        _some(holders),
        str(len(entry["runs"])),
        _some([use["model"] for use in entry["vectors"]]),
    ]


def _lines(entry: Mapping[str, Any]) -> list[str]:
    name = _name(entry)
    lines = []
    if entry["languages"]:
        counts = ", ".join(
            f"{code} {count['documents']}/{count['queries']}"
            for code, count in entry["languages"].items()
        )
        lines.append(f"{name} documents/queries: {counts}")
    if entry["runs"]:
        runs = [f"{run['name']} ({run['id'][:8]}, {run['date']})" for run in entry["runs"]]
        lines.append(f"{name} runs: {_some(runs)}")
    return lines + [f"{name}: {shortened(note)}" for note in entry["notes"]]


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(names[:MOST]) or "-"
    return shown + (f" and {len(names) - MOST} more" if len(names) > MOST else "")
