"""The rules of one returned row: locked cells as sent, every entry on its scale, none left out."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from isogloss.review.cell_text import normal, same_text
from isogloss.review.design import KEY, Column, Draft, Remark, Sheet, digest, split_key
from isogloss.review.entries import Value, entered
from isogloss.review.raw_sheet import RawRow, RawSheet

Entries = dict[str, Value | None]
_EXCERPT = 40
_ROW = re.compile(r"(.*?), (?:row|line|task) ([0-9]+)\b")


@dataclass(frozen=True)
class Fault:
    """One broken rule: the place, the id where it is known, and what to do."""

    place: str
    identifier: str | None
    message: str

    def __str__(self) -> str:
        named = f", id {self.identifier!r}" if self.identifier is not None else ""
        return f"{self.place}{named}: {self.message}"


def in_row_order(faults: Iterable[Fault]) -> list[Fault]:
    """Faults as a person goes through the sheets: place by place as first named, row by row."""
    places: dict[str, int] = {}

    def key(fault: Fault) -> tuple[int, int]:
        found = _ROW.match(fault.place)
        place, row = (found[1], int(found[2])) if found else (fault.place, 0)
        return places.setdefault(place, len(places)), row

    return sorted(faults, key=key)


def check_row(
    where: str, page: RawSheet, row: RawRow, sheet: Sheet, sent: Mapping[str, str]
) -> tuple[Entries | None, list[Fault]]:
    """Read one row whose id is known.

    Args:
        where: File, sheet and row, for messages.
        page: The worksheet it stands on.
        row: The row as returned.
        sheet: The worksheet as sent.
        sent: The row as sent, texts by column key.

    Returns:
        The entries by column key, None where nobody has touched the row yet; and every fault.
    """
    identifier = sent["id"]
    faults = _changed(where, page, row, sheet, sent)
    values: Entries = {}
    for column in sheet.entries:
        if column.entry is None:
            continue
        try:
            values[column.key] = entered(row.cells.get(column.title), column.entry)
        except ValueError as error:
            place = f"{where}, {page.column(column.title)}"
            faults.append(Fault(place, identifier, str(error)))
    whole = len(values) == len(sheet.entries)
    if whole and not any(_touched(column, values, sent) for column in sheet.entries):
        return None, faults
    faults += [
        Fault(f"{where}, {page.column(column.title)}", identifier, f"is empty; give {column.entry}")
        for column in sheet.entries
        if not isinstance(column.entry, Remark) and values.get(column.key, "") is None
    ]
    return values, faults


def _touched(column: Column, values: Entries, sent: Mapping[str, str]) -> bool:
    value = values[column.key]
    if isinstance(column.entry, Draft):
        return not same_text(str(value or ""), sent[column.key])
    return value is not None


def _changed(
    where: str, page: RawSheet, row: RawRow, sheet: Sheet, sent: Mapping[str, str]
) -> list[Fault]:
    """Locked cells that no longer hold what was sent."""
    held = {
        column.key: row.cells[column.title].text if column.title in row.cells else ""
        for column in sheet.shown
    }
    changed = [
        column for column in sheet.shown if not same_text(held[column.key], sent[column.key])
    ]
    parts = split_key(row.cells[KEY].text)
    if changed and parts and digest(sheet, held) == parts[2] != digest(sheet, sent):
        message = "was made from another version of the source; make the sheet anew"
        return [Fault(where, sent["id"], message)]
    return [
        Fault(
            f"{where}, {page.column(column.title)}",
            sent["id"],
            f"the locked cell was changed: {_difference(held[column.key], sent[column.key])}",
        )
        for column in changed
    ]


def _difference(held: str, sent: str) -> str:
    """Both texts from shortly before the first character in which they differ."""
    one, other = (" ".join(normal(text).split()) for text in (held, sent))
    pairs = zip(one, other, strict=False)
    same = next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
    start = max(0, same - _EXCERPT // 4)
    return f"holds {_from(one, start)}, must hold {_from(other, start)}"


def _from(text: str, start: int) -> str:
    end = start + _EXCERPT
    return repr(f"{'...' if start else ''}{text[start:end]}{'...' if len(text) > end else ''}")
