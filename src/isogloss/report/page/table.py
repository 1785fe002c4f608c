"""A table once for page, terminal, CSV and LaTeX: what is shown beside what it stands for."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from isogloss.report.layout.shown import UNDEFINED
from isogloss.report.layout.tables import latex_table
from isogloss.report.layout.terminal import columns_text
from isogloss.spreadsheet import plain as plain

Value = float | int | str | None


@dataclass(frozen=True)
class Cell:
    """One cell.

    Attributes:
        text: As a reader sees it, interval included.
        value: What machines read and rows are sorted by; None where nothing is defined.
        low: Lower bound of its interval.
        high: Upper bound; a text such as ``>1000`` where it is open.
        below: A second, smaller line.
        kind: How it looks: names of CSS classes.
        marks: Places between 0 and 1 to draw instead of a text, by name.
    """

    text: str
    value: Value = None
    low: Value = None
    high: Value = None
    below: str = ""
    kind: str = ""
    marks: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Column:
    """One column.

    Attributes:
        key: Its heading in CSV, and the key of its meaning.
        heading: As a reader sees it.
        group: A heading above several columns.
        spoken: What a screen reader adds to a short heading.
        interval: CSV gets two columns more, for the bounds.
        drawn: Holds marks; it is in no CSV and no LaTeX.
    """

    key: str
    heading: str
    group: str = ""
    spoken: str = ""
    interval: bool = False
    drawn: bool = False


@dataclass(frozen=True)
class Row:
    """One row: its heading cells, then a cell a column; `marks` become data attributes."""

    heads: tuple[str, ...]
    cells: tuple[Cell, ...]
    marks: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Table:
    """A table.

    Attributes:
        key: Its name, also of its files.
        caption: What it shows.
        heads: Headings of the columns that name a row.
        columns: The others.
        rows: In the order shown.
        notes: Sentences below.
        kind: How it looks.
        sortable: Whether rows may be put in another order.
    """

    key: str
    caption: str
    heads: tuple[str, ...]
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    kind: str = ""
    sortable: bool = True

    @property
    def groups(self) -> list[tuple[str, int]]:
        """Headings above the columns with their widths; empty where no column has one."""
        if not any(column.group for column in self.columns):
            return []
        spans: list[tuple[str, int]] = []
        for column in self.columns:
            if spans and spans[-1][0] == column.group:
                spans[-1] = (column.group, spans[-1][1] + 1)
            else:
                spans.append((column.group, 1))
        return spans

    def texts(self) -> list[list[str]]:
        """A heading row, then the rows, as a reader sees them; without what is drawn."""
        places = [i for i, column in enumerate(self.columns) if not column.drawn]
        headings = [_whole(self.columns[i]) for i in places]
        rows = [[*self.heads, *headings]]
        rows += [[*row.heads, *(row.cells[i].text for i in places)] for row in self.rows]
        return rows


def _whole(column: Column) -> str:
    return f"{column.group}, {column.heading}" if column.group else column.heading


def terminal_text(table: Table) -> str:
    """The table for a terminal, its notes below."""
    return "\n".join([columns_text(table.texts()), *table.notes])


def table_csv(table: Table) -> str:
    """The table as CSV: all digits, bounds in columns of their own, empty where undefined."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    heading = [head.replace(" ", "_") for head in table.heads]
    for column in table.columns:
        if not column.drawn:
            heading.append(column.key)
            heading += [f"{column.key}_low", f"{column.key}_high"] if column.interval else []
    writer.writerow([plain(text) for text in heading])
    for row in table.rows:
        line = [plain(head) for head in row.heads]
        for column, cell in zip(table.columns, row.cells, strict=True):
            if column.drawn:
                continue
            line.append(machine_text(cell))
            line += [_bound(cell.low), _bound(cell.high)] if column.interval else []
        writer.writerow(line)
    return out.getvalue()


def machine_text(cell: Cell) -> str:
    """What CSV holds of a cell."""
    if isinstance(cell.value, float | int):
        return repr(cell.value)
    if cell.value is not None:
        return plain(cell.value)
    return "" if cell.text == UNDEFINED else plain(cell.text)


def _bound(value: Value) -> str:
    return "" if value is None else value if isinstance(value, str) else repr(value)


def table_latex(table: Table) -> str:
    """The table as LaTeX (needs the package booktabs)."""
    return latex_table(table.texts(), table.caption, f"tab:{table.key}", len(table.heads))


def files(tables: Sequence[Table]) -> dict[str, str]:
    """CSV and LaTeX of each table, by file name.

    Raises:
        ValueError: Two tables have one key.
    """
    found: dict[str, str] = {}
    for table in tables:
        if f"{table.key}.csv" in found:
            raise ValueError(f"two tables are called {table.key}")
        found[f"{table.key}.csv"] = table_csv(table)
        found[f"{table.key}.tex"] = table_latex(table)
    return found
