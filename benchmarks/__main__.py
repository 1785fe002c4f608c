"""`make bench`: measure, print, and write benchmarks/RESULTS.md."""

import sys
from datetime import UTC, datetime

from benchmarks.book import GROUPS, Row
from benchmarks.measure import ROOT, machine, versions
from isogloss.files import write_text

PEERS = (
    "faiss-cpu",
    "torch",
    "lancedb",
    "pytrec_eval-terrier",
    "ranx",
    "scipy",
    "duckdb",
    "polars",
    "orjson",
)
HEAD = """# Speed and memory against peers

Made by `make bench`: each line is a process of its own, medians of warm calls, ratios within one
run. Machines are noisy: compare ratios, not seconds. Losses stand here like the wins.

"""
COLUMNS = (
    "| work | who | result | peak memory | ratio | wanted | met |\n|---|---|---|---|---|---|---|\n"
)


def line(row: Row) -> str:
    """A row of the table."""
    met = {None: "", True: "yes", False: "**no**"}[row.met]
    cells = (row.what, row.who, row.result, row.memory, row.ratio, row.wanted, met)
    return f"| {' | '.join(cells)} |"


def main(groups: list[str]) -> None:
    """Measure the groups named, or all, and write the book when all were measured."""
    lines = []
    for name in groups or GROUPS:
        for row in GROUPS[name]():
            lines.append(line(row))
            print(lines[-1], flush=True)
    if groups:
        return
    day = datetime.now(UTC).date().isoformat()
    where = f"Measured on {day}: {machine()}; {versions(*PEERS)}.\n\n"
    write_text(ROOT / "benchmarks" / "RESULTS.md", HEAD + where + COLUMNS + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
