"""Medical results as tables, from results/medical/scores.json."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from isogloss.report.layout.shown import UNDEFINED
from isogloss.report.page.names import language_name
from isogloss.report.page.table import Cell, Column, Row, Table

Scores = Mapping[str, Any]
Figure = Mapping[str, Any] | None
SIGNIFICANT = 0.05
# Scores by key: how they are called, their factor, and their decimals.
SCALES = {
    "accuracy": ("accuracy in %, macro mean over datasets", 100, 1),
    "qa": ("open-ended score from 1 to 5, macro mean over datasets", 1, 2),
}


def medical_tables(scores: Scores) -> list[Table]:
    """Every table that the scores hold figures for."""
    makers: tuple[Callable[[Scores], list[Table]], ...] = (
        _averages,
        _pooled,
        _arms,
        _refusals,
        _agreement,
    )
    return [table for make in makers for table in make(scores)]


def _averages(scores: Scores) -> list[Table]:
    arm = scores["headline"]
    languages = list(scores["languages"])
    tables = []
    for score, (name, factor, digits) in SCALES.items():
        section = scores["arms"][arm][score]
        if not section.get("macro"):
            continue
        columns = (
            *(Column(code, code, "by language", language_name(code), True) for code in languages),
            Column("mean", "mean", interval=True),
            Column("gap", "resource gap", interval=True),
        )
        rows = []
        for model, macros in section["macro"].items():
            line = [figure_cell(macros.get(code), factor, digits) for code in languages]
            line += [
                figure_cell(section[key].get(model), factor, digits, bounds=True)
                for key in ("mean", "gap")
            ]
            rows.append(Row((model, scores["models"][model]), tuple(line)))
        caption = f"{name} ({arm} questions)"
        key = f"medical.{score}"
        tables.append(Table(key, caption, ("model", "group"), columns, tuple(rows)))
    return tables


def _pooled(scores: Scores) -> list[Table]:
    arm = scores["headline"]
    pooled = scores["arms"][arm]["qa"].get("pooled") or {}
    order = sorted(pooled, key=lambda group: (group != "en", len(group) == 2, group))
    groups = {group: pooled[group]["all"] for group in order if "all" in pooled[group]}
    if not groups:
        return []
    measures = list(next(iter(groups.values())))
    columns = tuple(Column(group, group, interval=True) for group in groups)
    rows = [
        Row(
            (measure.replace("_", " "),),
            tuple(figure_cell(found.get(measure), 1, 2, bounds=True) for found in groups.values()),
        )
        for measure in measures
    ]
    caption = f"Open-ended replies of all models, by language group ({arm} questions)"
    return [Table("medical.groups", caption, ("measure",), columns, tuple(rows))]


def _arms(scores: Scores) -> list[Table]:
    tables = []
    for score, (name, factor, digits) in SCALES.items():
        section = scores["mt_against_reviewed"][score]
        if "cells" not in section:
            continue
        datasets = list(next(iter(section["cells"].values())))
        overall = {"en": section["english_overall"], **section["overall"]}
        columns = (
            *(Column(dataset, dataset, interval=True) for dataset in datasets),
            Column("overall", "overall", interval=True),
        )
        rows = []
        for code in _ordered(section["cells"], scores):
            found = section["cells"][code]
            line = [_shift(found.get(dataset), factor, digits) for dataset in datasets]
            line.append(figure_cell(overall.get(code), factor, digits, bounds=True))
            rows.append(Row((language_name(code),), tuple(line)))
        counts = section["lower_in_reviewed"]
        notes = (
            "* Holm-corrected p < 0.05; English is the unadjusted control, asked twice; lower in "
            f"reviewed: {counts['cells']} of {counts['of']} cells.",
        )
        caption = f"Reviewed minus machine-translated questions: {name.partition(',')[0]}"
        key = f"medical.arms.{score}"
        tables.append(Table(key, caption, ("language",), columns, tuple(rows), notes))
    return tables


def _refusals(scores: Scores) -> list[Table]:
    arm = scores["headline"]
    found = scores["arms"][arm]["refusals"]
    if not found:
        return []
    codes = [*scores["languages"], "all"]
    columns = tuple(Column(code, code, interval=True) for code in codes)
    rows = tuple(
        Row((model,), tuple(figure_cell(by.get(code), 100, 2) for code in codes))
        for model, by in found.items()
    )
    caption = f"Refusals in % of replies ({arm} questions)"
    return [Table("medical.refusals", caption, ("model",), columns, rows)]


def _agreement(scores: Scores) -> list[Table]:
    if not scores["agreement"]:
        return []
    columns = (
        Column("n", "replies"),
        Column("within_one", "within one point, %", interval=True),
        Column("concordance", "concordance", interval=True),
        Column("difference", "judge minus expert", interval=True),
    )
    rows = tuple(
        Row(
            (language_name(code),),
            (
                Cell(str(section["n"]), section["n"]),
                figure_cell(section["within_one"], 100, 1, bounds=True),
                figure_cell(section["concordance"], 1, 2, bounds=True),
                figure_cell(section["overall"]["difference"], 1, 2, bounds=True),
            ),
        )
        for code in _ordered(scores["agreement"], scores)
        for section in [scores["agreement"][code]]
    )
    caption = "The judge against experts, by language"
    return [Table("medical.agreement", caption, ("language",), columns, rows)]


def figure_cell(found: Figure, factor: float, digits: int, *, bounds: bool = False) -> Cell:
    """A figure of scores.json; CSV holds it at the scale shown, and its bounds."""
    if found is None or found["value"] is None:
        return Cell(UNDEFINED, kind="undefined")
    low, high = found["ci"] or (None, None)
    ends = (None, None) if low is None or high is None else (low * factor, high * factor)
    text = f"{found['value'] * factor:.{digits}f}"
    if bounds and ends[0] is not None:
        text += f" [{ends[0]:.{digits}f}, {ends[1]:.{digits}f}]"
    return Cell(text, found["value"] * factor, *ends)


def _shift(found: Figure, factor: float, digits: int) -> Cell:
    cell = figure_cell(found, factor, digits)
    if found is None or not isinstance(cell.value, float):
        return cell
    p = found.get("p_holm")
    star = "*" if p is not None and p < SIGNIFICANT else ""
    text = f"{cell.value:+.{digits}f}{star}"
    return Cell(text, cell.value, cell.low, cell.high, kind="apart" if star else "")


def _ordered(found: Mapping[str, Any], scores: Scores) -> list[str]:
    """Languages in the order of the scores; JSON holds keys in alphabetical order."""
    rank = {code: place for place, code in enumerate(scores["languages"])}
    return sorted(found, key=lambda code: (rank.get(code, len(rank)), code))


def notes(scores: Scores) -> Sequence[str]:
    """What a reader must know beside the tables."""
    return [f"{note[0].upper()}{note[1:]}." for note in scores["notes"] if note]
