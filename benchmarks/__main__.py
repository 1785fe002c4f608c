"""`make bench`: measure, print, and write benchmarks/RESULTS.md.

`python -m benchmarks scale costs` measures pools of up to a million documents, and writes SCALE.md.
`python -m benchmarks engines` prints what a second processor is worth on Ray (docs/engines.md).
"""

import sys
from datetime import UTC, datetime

from benchmarks.book import GROUPS, LARGE_GROUPS, PRINTED_GROUPS
from benchmarks.measure import ROOT, machine, versions
from benchmarks.row import Row
from isogloss.files import write_text

PEERS = (
    "faiss-cpu",
    "torch",
    "lancedb",
    "mteb",
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
SCALE_HEAD = """# As pools grow

Made by `python -m benchmarks scale costs`: vectors and texts are seeded, each line is a process
of its own, medians of warm calls. It takes about 6 GB of disk and of memory; the environment's
ISOGLOSS_BENCH_CACHE says where on the disk. Machines are noisy: compare ratios, not seconds.
Losses stand here like the wins.

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
    """Measure the groups named, or all but the large ones, and write the book that was measured."""
    lines = []
    for name in groups or GROUPS:
        for row in {**GROUPS, **LARGE_GROUPS, **PRINTED_GROUPS}[name]():
            lines.append(line(row))
            print(lines[-1], flush=True)
    if groups and groups != list(LARGE_GROUPS):
        return
    day = datetime.now(UTC).date().isoformat()
    where = f"Measured on {day}: {machine()}; {versions(*PEERS)}.\n\n"
    head, name = (SCALE_HEAD, "SCALE.md") if groups else (HEAD, "RESULTS.md")
    write_text(ROOT / "benchmarks" / name, head + where + COLUMNS + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
