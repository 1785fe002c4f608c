"""The papers' printed figures, shipped as data, in tables of their own beside what is measured."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from isogloss.report.layout.shown import UNDEFINED
from isogloss.report.page import cells
from isogloss.report.page.gathered import Gathered, Target
from isogloss.report.page.table import Cell, Column, Row, Table
from isogloss.settings import read_yaml

FOLDER = Path(__file__).parent.parent / "published"


@dataclass(frozen=True)
class Published:
    """One paper's table.

    Attributes:
        table: The published figures, with measured ones beside them where a model has both.
        citation: Where they were printed.
        both: Models that are published and measured here.
    """

    table: Table
    citation: str
    both: Sequence[str]


@cache
def sources() -> dict[str, Any]:
    """Citations, columns and the hub names of published models."""
    content = read_yaml(FOLDER / "sources.yaml")
    return dict(content)


def read_rows(name: str) -> list[dict[str, str]]:
    """A shipped table."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def retrieval_table(gathered: Gathered) -> Published:
    """ChemCLIR-Bench's recall and depth, and what this project measured of the same models."""
    declared = sources()["chemclir"]
    matches = matched(gathered.declarations, declared["models"])
    benchmarks = [
        target
        for target in gathered.targets
        if not (target.is_pool or target.whole)
        and any(one.model in matches.values() for one in target.evaluated)
    ]
    columns = [
        Column(key, heading, f"published: {group}")
        for group, keys in declared["columns"].items()
        for key, heading in keys.items()
    ]
    for target in benchmarks:
        group = f"measured here: {target.key}"
        columns += [
            Column(f"measured.{target.slug}.same", "same", group, interval=True),
            Column(f"measured.{target.slug}.cross", "other", group, interval=True),
        ]
    rows = []
    for printed in read_rows(declared["file"]):
        line = [_printed(printed, key) for keys in declared["columns"].values() for key in keys]
        model = matches.get(printed["model"])
        line += _measured(model, benchmarks)
        rows.append(Row((printed["model"],), tuple(line), {"model": model or ""}))
    caption = "Published, on the full benchmark (ChemCLIR-Bench): recall@10 and depth"
    table = Table("published.chemclir", caption, ("model",), tuple(columns), tuple(rows))
    return Published(table, declared["citation"], sorted(matches.values()))


def matched(
    declarations: Mapping[str, Mapping[str, Any]], published: Mapping[str, str]
) -> dict[str, str]:
    """Which model key is which published model: by hub name, and only of the hub's own weights."""
    by_name = {
        str(declaration.get("name")): key
        for key, declaration in sorted(declarations.items())
        if declaration.get("kind") == "hub"
    }
    return {model: by_name[name] for model, name in published.items() if name in by_name}


def _printed(row: Mapping[str, str], key: str) -> Cell:
    text, error = row[key], row.get(f"{key}_se", "")
    if not text:
        return Cell(UNDEFINED, kind="undefined")
    if text.startswith(">"):
        return Cell(text, text, kind="censored")
    shown = f"{text} ± {error}" if error else text
    return Cell(shown, float(text) if "." in text else int(text))


def _measured(model: str | None, benchmarks: Sequence[Target]) -> Iterator[Cell]:
    for target in benchmarks:
        found = [one for one in target.evaluated if one.model == model]
        for side in ("same", "cross"):
            key = f"recall_at_10/{side}"
            yield (
                cells.interval(found[0].metrics, key)
                if found
                else Cell(UNDEFINED, kind="undefined")
            )


def medical_table() -> Published:
    """HealMed's printed facts."""
    declared = sources()["healmed"]
    rows = tuple(
        Row((row["fact"],), (Cell(row["value"], row["value"]), Cell(row["where"], row["where"])))
        for row in read_rows(declared["file"])
    )
    columns = (Column("value", "published value"), Column("where", "where"))
    caption = "Published, on the full benchmark (HealMed)"
    table = Table("published.healmed", caption, ("fact",), columns, rows, kind="facts")
    return Published(table, declared["citation"], ())
