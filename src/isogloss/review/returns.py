"""A returned file against the workbook that was sent: what counts, what is refused, what lacks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from isogloss.review.cell_text import same_text
from isogloss.review.design import KEY, Sheet, Workbook, split_key
from isogloss.review.raw_sheet import RawReturn, RawRow, RawSheet
from isogloss.review.row_rules import Entries, Fault, check_row, in_row_order

_NAMED = 5


@dataclass
class Return:
    """What came back. The ids sent = read + refused + untouched + absent, each in one of them.

    Attributes:
        entries: Values by id and column key, of the rows that kept every rule.
        faults: Every broken rule.
        refused: Ids of rows that broke one.
        untouched: Ids of rows that nobody has filled in yet.
        absent: Ids whose rows are gone.
        rows: Where each read id stands, for messages.
    """

    entries: dict[str, Entries] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    untouched: list[str] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)
    rows: dict[str, str] = field(default_factory=dict)


def check_return(raw: RawReturn, sent: Workbook) -> Return:
    """Hold a returned file against what was sent.

    Args:
        raw: The file as read.
        sent: The workbook as it was made, with the rows that went to this person.

    Returns:
        Entries of the good rows, and everything else with its reason.
    """
    result = Return()
    if raw.code != sent.code:
        result.faults.append(
            Fault(raw.name, None, f"is the sheet {raw.code!r}, expected was {sent.code!r}")
        )
        result.absent = [row["id"] for sheet in sent.sheets for row in sheet.rows]
        return result
    titles = {row["id"]: sheet.title for sheet in sent.sheets for row in sheet.rows}
    for sheet in sent.sheets:
        page = _page(raw, sheet, sent)
        if page is None:
            if sheet.rows:
                result.absent += [row["id"] for row in sheet.rows]
                if "" not in raw.sheets:
                    there = ", ".join(repr(title) for title in raw.sheets) or "none"
                    result.faults.append(
                        Fault(
                            raw.name,
                            None,
                            f"has no sheet {sheet.title!r} (there are: {there}); "
                            "give it back its name",
                        )
                    )
            continue
        _check_sheet(raw.name, page, sheet, sent.code, titles, result)
    result.faults = in_row_order(result.faults)
    return result


def _page(raw: RawReturn, sheet: Sheet, sent: Workbook) -> RawSheet | None:
    if "" not in raw.sheets:
        return raw.sheets.get(sheet.title)
    page = raw.sheets[""]
    # A CSV file does not say which worksheet it was: the ids of its rows do.
    keys = [split_key(row.cells[KEY].text) for row in page.rows if KEY in row.cells]
    ids = {parts[1] for parts in keys if parts}
    held = {one.title: sum(row["id"] in ids for row in one.rows) for one in sent.sheets}
    return page if max(held, key=lambda title: held[title]) == sheet.title else None


def _check_sheet(
    name: str, page: RawSheet, sheet: Sheet, code: str, titles: Mapping[str, str], result: Return
) -> None:
    wanted = [KEY, *(column.title for column in sheet.columns)]
    lacking = [title for title in wanted if title not in page.headings]
    twice = [title for title in wanted if len(page.headings.get(title, ())) > 1]
    place = f"{name}, {page.place}"
    for title in lacking:
        result.faults.append(Fault(f"{place}heading", None, f"no column {title!r}; restore it"))
    for title in twice:
        result.faults.append(Fault(f"{place}heading", None, f"two columns {title!r}; keep one"))
    if lacking or twice:
        result.refused += [row["id"] for row in sheet.rows]
        return
    result.faults += [Fault(place.rstrip(", "), None, fault) for fault in page.faults]
    stray = [title for title in page.headings if title and title not in wanted]
    for title in stray:
        if any(title in row.cells and not row.cells[title].is_blank for row in page.rows):
            message = f"column {title!r} is not read; move its text into a column of the sheet"
            result.faults.append(Fault(f"{place}heading", None, message))
    _check_rows(place, page, sheet, code, titles, result)


def _check_rows(
    place: str, page: RawSheet, sheet: Sheet, code: str, titles: Mapping[str, str], result: Return
) -> None:
    expected = {row["id"]: row for row in sheet.rows}
    found: dict[str, list[RawRow]] = {}
    lost = _lost(page, sheet)
    for row in page.rows:
        where = f"{place}{page.counted} {row.number}"
        identifier, message = _identify(page, row, sheet, code, titles, lost)
        if identifier in expected:
            found.setdefault(identifier, []).append(row)
        if message:
            result.faults.append(Fault(where, identifier or None, message))
            if identifier in expected:
                result.refused.append(identifier)
    for identifier, sent in expected.items():
        rows = found.get(identifier, [])
        if not rows:
            result.absent.append(identifier)
            continue
        where = f"{place}{page.counted} {rows[0].number}"
        if len(rows) > 1:
            for other in rows[1:]:
                message = (
                    f"is there already in {page.counted} {rows[0].number}; keep one of the two"
                )
                result.faults.append(
                    Fault(f"{place}{page.counted} {other.number}", identifier, message)
                )
            result.refused.append(identifier)
        elif identifier not in result.refused:
            _sort_in(check_row(where, page, rows[0], sheet, sent), identifier, where, result)
    result.refused[:] = dict.fromkeys(result.refused)


def _lost(page: RawSheet, sheet: Sheet) -> list[str]:
    """Ids of the sheet that no row bears, neither in its key nor in the open."""
    title = sheet.columns[0].title
    borne = set()
    for row in page.rows:
        parts = split_key(row.cells[KEY].text) if KEY in row.cells else None
        borne |= {parts[1]} if parts else set()
        borne |= {row.cells[title].text.strip()} if title in row.cells else set()
    return [row["id"] for row in sheet.rows if row["id"] not in borne]


def _sort_in(
    checked: tuple[Entries | None, list[Fault]], identifier: str, where: str, result: Return
) -> None:
    values, faults = checked
    result.faults += faults
    if faults:
        result.refused.append(identifier)
    elif values is None:
        result.untouched.append(identifier)
    else:
        result.entries[identifier] = values
        result.rows[identifier] = where


def _identify(
    page: RawSheet,
    row: RawRow,
    sheet: Sheet,
    code: str,
    titles: Mapping[str, str],
    lost: Sequence[str],
) -> tuple[str, str | None]:
    """The id of a row by its hidden key, and what is wrong with the row as a whole."""
    # Work may stand in a row whose id and key were both edited: where ids are gone, say which.
    advice = "delete {}"
    if lost:
        more = f" and {len(lost) - _NAMED} more" if len(lost) > _NAMED else ""
        advice = (
            f"if it is a row of this sheet, restore its id and {page.column(KEY)} as sent (missing "
            f"here: {', '.join(lost[:_NAMED])}{more}), otherwise delete {{}}"
        )
    title = sheet.columns[0].title
    shown = row.cells[title].text.strip() if title in row.cells else ""
    parts = split_key(row.cells[KEY].text) if KEY in row.cells else None
    if parts is None:
        what = f"{page.column(KEY)} (hidden) is empty or was changed"
        if shown in titles:
            return shown, f"{what}; copy the row from the sheet as sent"
        return shown, f"is no row of this sheet ({what}); {advice.format('it')}"
    owner, identifier, _ = parts
    if owner != code:
        return "", f"belongs to the sheet {owner!r}; {advice.format('it here')}"
    if identifier not in titles:
        return identifier, f"is unknown; {advice.format('the row')}"
    if titles[identifier] != sheet.title:
        return "", f"id {identifier!r} belongs on sheet {titles[identifier]!r}; move it back"
    if not same_text(shown, identifier):
        message = f"the id was changed to {shown!r}; write {identifier!r} again"
        return identifier, f"{page.column(title)}: {message}"
    return identifier, "; ".join(row.faults) or None
