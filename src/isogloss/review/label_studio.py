"""The same sheets as Label Studio projects: tasks and labelling configuration out, annotations in.

Scores are single choices, so that nothing off the scale can be given and a default cannot slip in.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from isogloss.errors import DataError
from isogloss.files import json_bytes, one_line
from isogloss.review.cell_text import printable
from isogloss.review.design import (
    KEY,
    Choice,
    Column,
    Draft,
    Score,
    Sheet,
    Workbook,
    row_key,
    split_key,
)
from isogloss.review.raw_sheet import RawCell, RawReturn, RawRow, RawSheet, text_cell

SHEET = "sheet"


def tasks_json(workbook: Workbook, sheet: Sheet) -> bytes:
    """The tasks of one worksheet, to be imported into one project."""
    tasks = []
    for row in sheet.rows:
        clean = {column.key: printable(row.get(column.key, ""))[0] for column in sheet.columns}
        shown = {column.key: clean[column.key] for column in sheet.columns if _has_text(column)}
        tasks.append(
            {"data": {KEY: row_key(workbook.code, sheet, clean), SHEET: sheet.title, **shown}}
        )
    return json_bytes(tasks) + b"\n"


def labelling_config(sheet: Sheet) -> str:
    """The labelling interface of one worksheet, as Label Studio's XML."""
    lines = ["<View>"]
    for column in sheet.shown:
        name, value = quoteattr(f"shown_{column.key}"), quoteattr(f"${column.key}")
        lines += [
            f'  <Header value={quoteattr(column.title)} size="5"/>',
            f"  <Text name={name} value={value}/>",
        ]
    target = quoteattr(f"shown_{sheet.columns[0].key}")
    for column in sheet.entries:
        title = f"{column.title}: {column.help}" if column.help else column.title
        lines.append(f'  <Header value={quoteattr(title)} size="5"/>')
        name = quoteattr(column.key)
        if isinstance(column.entry, Score | Choice):
            lines.append(
                f'  <Choices name={name} toName={target} choice="single-radio" '
                'showInline="true" required="true">'
            )
            lines += [f"    <Choice value={quoteattr(value)}/>" for value in _values(column)]
            lines.append("  </Choices>")
        else:
            start = (
                f" value={quoteattr(f'${column.key}')}" if isinstance(column.entry, Draft) else ""
            )
            lines.append(
                f'  <TextArea name={name} toName={target}{start} rows="4" maxSubmissions="1" '
                'editable="true"/>'
            )
    return "\n".join([*lines, "</View>", ""])


def _has_text(column: Column) -> bool:
    return column.entry is None or isinstance(column.entry, Draft)


def _values(column: Column) -> tuple[str, ...]:
    if isinstance(column.entry, Score):
        return tuple(str(value) for value in range(column.entry.low, column.entry.high + 1))
    return column.entry.options if isinstance(column.entry, Choice) else ()


def read_annotations(path: Path, workbook: Workbook) -> dict[str, RawReturn]:
    """Read Label Studio's JSON export as if every annotator had returned a sheet.

    Skipped (cancelled) annotations and predictions are left out.

    Args:
        path: The export, in the full JSON format.
        workbook: The workbook whose tasks were given out.

    Returns:
        Annotator (``ls-`` and Label Studio's user id) to what came back.

    Raises:
        DataError: The file is no such export.
    """
    try:
        tasks = json.loads(path.read_text("utf-8-sig"))
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: is no JSON export of Label Studio ({one_line(error)})") from error
    if not isinstance(tasks, list):
        raise DataError(f"{path}: is no list of tasks; export as JSON, not as JSON-MIN or CSV")
    rows: dict[str, dict[str, list[RawRow]]] = {}
    sheets = {sheet.title: sheet for sheet in workbook.sheets}
    code = ""
    for place, task in enumerate(tasks, start=1):
        where = f"{path}, task {place}"
        data = _part(task, "data", dict, where)
        title = str(data.get(SHEET, ""))
        if title not in sheets:
            raise DataError(f"{where}: names the sheet {title!r}; there are {', '.join(sheets)}")
        parts = split_key(str(data.get(KEY, "")))
        code = code or (parts[0] if parts else "")
        for annotation in _part(task, "annotations", list, where):
            annotator, row = _row(place, annotation, data, sheets[title], where)
            if row is not None:
                rows.setdefault(annotator, {}).setdefault(title, []).append(row)
    return {
        annotator: RawReturn(
            f"{path}, annotator {annotator}",
            code,
            None,
            {title: _page(sheet, found.get(title, [])) for title, sheet in sheets.items()},
        )
        for annotator, found in sorted(rows.items())
    }


def _page(sheet: Sheet, rows: list[RawRow]) -> RawSheet:
    headings = dict.fromkeys((KEY, *(column.title for column in sheet.columns)), ("",))
    return RawSheet(sheet.title, headings, tuple(rows), counted="task")


def _part(holder: Any, name: str, kind: type, where: str) -> Any:
    value = holder.get(name) if isinstance(holder, dict) else None
    if not isinstance(value, kind):
        raise DataError(f"{where}: has no {name!r}; export as JSON, not as JSON-MIN or CSV")
    return value


def _row(
    place: int, annotation: Any, data: dict[str, Any], sheet: Sheet, where: str
) -> tuple[str, RawRow | None]:
    results = _part(annotation, "result", list, where)
    if annotation.get("was_cancelled"):
        return "", None
    user = annotation.get("completed_by")
    user = user.get("id") if isinstance(user, dict) else user
    cells = {KEY: text_cell(str(data.get(KEY, "")))}
    titles = {column.key: column.title for column in sheet.columns}
    for column in sheet.columns:
        if _has_text(column):
            # A draft that nobody touched has no result of its own.
            cells[column.title] = text_cell(str(data.get(column.key, "")))
    faults: list[str] = []
    for name, values in _results(results, where):
        if name not in titles or any(c.key == name and c.entry is None for c in sheet.columns):
            faults.append(f"result {name!r} is no field of this sheet")
        elif len(values) > 1:
            faults.append(f"{name!r} has {len(values)} answers; keep one")
        else:
            cells[titles[name]] = values[0] if values else text_cell("")
    return f"ls-{user}", RawRow(place, cells, tuple(faults))


def _results(results: list[Any], where: str) -> Iterator[tuple[str, list[RawCell]]]:
    for result in results:
        value = _part(result, "value", dict, where)
        kind = next((one for one in ("choices", "text", "number", "rating") if one in value), None)
        held = value[kind] if kind else []
        items = held if isinstance(held, list) else [held]
        yield (
            str(result.get("from_name")),
            [
                RawCell("number", item)
                if isinstance(item, int | float) and not isinstance(item, bool)
                else text_cell(str(item))
                for item in items
            ],
        )
