"""What a sheet looks like: columns that are shown, and columns that are filled in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from isogloss.files import sha256_bytes
from isogloss.review.cell_text import normal

KEY = "key"


@dataclass(frozen=True)
class Score:
    """A whole number between two bounds, both allowed."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"a whole number from {self.low} to {self.high}"


@dataclass(frozen=True)
class Choice:
    """One of some words."""

    options: tuple[str, ...]

    def __str__(self) -> str:
        return " or ".join(self.options)


@dataclass(frozen=True)
class Draft:
    """A text that is already there and may be changed, but not emptied."""

    def __str__(self) -> str:
        return "the text as it shall be"


@dataclass(frozen=True)
class Remark:
    """Free text that may stay empty."""

    def __str__(self) -> str:
        return "any text, or nothing"


Entry = Score | Choice | Draft | Remark


@dataclass(frozen=True)
class Column:
    """One column.

    Attributes:
        key: Its name in code and in what is read back.
        title: Its heading.
        entry: What is filled in; None for a locked cell that only shows something.
        width: In characters.
        help: One line shown beside the cell while it is filled in.
    """

    key: str
    title: str
    entry: Entry | None = None
    width: int = 12
    help: str = ""


@dataclass(frozen=True)
class Sheet:
    """One worksheet and its rows.

    Attributes:
        title: The worksheet's name.
        columns: In order; the first must have the key ``id``.
        rows: Texts by column key, one mapping a row; `Score`, `Choice` and `Remark` start empty.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[Mapping[str, str], ...]

    @property
    def shown(self) -> tuple[Column, ...]:
        """The locked columns."""
        return tuple(column for column in self.columns if column.entry is None)

    @property
    def entries(self) -> tuple[Column, ...]:
        """The columns to be filled in."""
        return tuple(column for column in self.columns if column.entry is not None)


@dataclass(frozen=True)
class Explanation:
    """One line of the key sheet: what a criterion asks and what its scores mean."""

    name: str
    asks: str
    scale: str = ""


@dataclass(frozen=True)
class Workbook:
    """Everything one person gets in one file.

    Attributes:
        code: Says what this is and for whom, parts joined by ``/``, as ``translation/de/1/ana``.
        introduction: Lines that open the key sheet.
        explanations: The criteria, one a line of the key sheet.
        notes: A further sheet of notes by its title, for instance on terminology.
    """

    code: str
    sheets: tuple[Sheet, ...]
    introduction: Sequence[str] = ()
    explanations: Sequence[Explanation] = ()
    notes: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if "#" in self.code:
            raise ValueError(f"the code {self.code!r} must not hold '#'")


def digest(sheet: Sheet, row: Mapping[str, str]) -> str:
    """Eight hex digits over what a row shows: parts an edited cell from an older source."""
    shown = "\0".join(f"{column.key}\0{normal(row[column.key])}" for column in sheet.shown)
    return sha256_bytes(shown.encode("utf-8"))[:8]


def row_key(code: str, sheet: Sheet, row: Mapping[str, str]) -> str:
    """The hidden cell that opens every row: whose sheet, which id, what it showed."""
    return f"{code}#{row['id']}#{digest(sheet, row)}"


def split_key(key: str) -> tuple[str, str, str] | None:
    """Take a hidden cell apart: code, id, digest; None where it is no such cell."""
    code, _, rest = key.partition("#")
    identifier, mark, showed = rest.rpartition("#")
    return (code, identifier, showed) if mark and code and identifier else None
