"""A returned sheet as it lies there, before any rule: cells by heading, each with its place."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from isogloss.review.cell_text import from_cell

Kind = Literal["empty", "text", "number", "formula", "date", "truth", "error"]


@dataclass(frozen=True)
class RawCell:
    """What one cell holds.

    Attributes:
        kind: What the spreadsheet program takes it for.
        value: A decoded text or a number; for the other kinds what to show in a message.
    """

    kind: Kind
    value: str | int | float

    @property
    def text(self) -> str:
        """The content as text; a whole number without its ``.0``."""
        if isinstance(self.value, float) and self.value.is_integer():
            return str(int(self.value))
        return str(self.value)

    @property
    def is_blank(self) -> bool:
        """Whether nothing can be seen in the cell."""
        return self.kind == "empty" or (self.kind == "text" and not self.text.strip())


@dataclass(frozen=True)
class RawRow:
    """One row: its number in the file, its cells by heading, and what makes it unusable."""

    number: int
    cells: Mapping[str, RawCell]
    faults: tuple[str, ...] = ()


@dataclass(frozen=True)
class RawSheet:
    """One worksheet.

    Attributes:
        title: Its name; empty for a file that has no worksheets.
        headings: Every heading with the letters of the columns that bear it, empty
            where columns have no letters.
        rows: Rows below the headings that hold anything.
        faults: What is wrong with the sheet as a whole.
        counted: What messages call a row.
    """

    title: str
    headings: Mapping[str, tuple[str, ...]]
    rows: tuple[RawRow, ...]
    faults: tuple[str, ...] = ()
    counted: str = "row"

    @property
    def place(self) -> str:
        """How messages name the sheet."""
        return f"sheet {self.title!r}, " if self.title else ""

    def column(self, title: str) -> str:
        """How messages name a column."""
        letter = "".join(self.headings.get(title, ())[:1])
        return f"column {letter} {title!r}" if letter else f"column {title!r}"


@dataclass(frozen=True)
class RawReturn:
    """One returned file.

    Attributes:
        name: The file as messages name it.
        code: Whose sheet it is.
        assigned: Ids by worksheet as they were given out; None where the file cannot say.
        sheets: Worksheets by name; one under the empty name for a file without worksheets.
    """

    name: str
    code: str
    assigned: Mapping[str, tuple[str, ...]] | None
    sheets: Mapping[str, RawSheet] = field(default_factory=dict)


def text_cell(content: str) -> RawCell:
    """A cell that holds text, decoded."""
    text = from_cell(content)
    return RawCell("text" if text else "empty", text)
