"""scores.json as flat tables and as a readable page of text."""

from collections.abc import Iterator, Sequence
from typing import Any

from isogloss.medical.gaps import missing_of
from isogloss.medical.group_tables import agreement_part_rows, group_rows
from isogloss.medical.model_groups import ALL_MODELS
from isogloss.medical.panel import dataset_name
from isogloss.spreadsheet import people_csv

Rows = Iterator[list[Any]]
FIGURE = ["value", "low", "high", "n"]


def _figure(found: dict[str, Any]) -> list[Any]:
    low, high = found["ci"] or (None, None)
    return [found["value"], low, high, found["n"]]


def cell_rows(scores: dict[str, Any]) -> Rows:
    """One row a scored cell, accuracy and open-ended, with what became of the questions."""
    counts = ["asked", "answered", "unanswered", "refused", "failed", "missing"]
    yield ["arm", "score", "model", "language", "dataset", *FIGURE, *counts, "unusable", "unjudged"]
    for arm, sections in scores["arms"].items():
        for score in ("accuracy", "qa"):
            for model, languages in sections[score].get("cells", {}).items():
                for language, cells in languages.items():
                    for dataset, cell in cells.items():
                        rest = [cell[name] for name in counts]
                        judged = [cell.get("unusable"), cell.get("unjudged")]
                        yield [
                            *(arm, score, model, language, dataset),
                            *(*_figure(cell), *rest, *judged),
                        ]


def average_rows(scores: dict[str, Any]) -> Rows:
    """Macro means and shifts by language, and means and gaps, of each model."""
    yield ["arm", "score", "model", "group", "figure", "language", *FIGURE]
    for arm, sections in scores["arms"].items():
        for score in ("accuracy", "qa"):
            section = sections[score]
            for name in ("macro", "shift"):
                for model, languages in section.get(name, {}).items():
                    for language, found in languages.items():
                        group = scores["models"][model]
                        yield [arm, score, model, group, name, language, *_figure(found)]
            for name in ("mean", "higher", "lower", "gap"):
                for model, found in section.get(name, {}).items():
                    yield [arm, score, model, scores["models"][model], name, "", *_figure(found)]


def comparison_rows(scores: dict[str, Any]) -> Rows:
    """Machine-translated against reviewed: every cell, then the overall figures."""
    yield ["score", "language", "dataset", *FIGURE, "pairs", "p", "p_holm"]
    for score, section in scores["mt_against_reviewed"].items():
        for language, cells in section.get("cells", {}).items():
            for dataset, cell in cells.items():
                rest = [cell["pairs"], cell["p"], cell["p_holm"]]
                yield [score, language, dataset, *_figure(cell), *rest]
        for language, found in section.get("overall", {}).items():
            yield [score, language, "overall", *_figure(found), None, None, None]
        if "english_overall" in section:
            yield [score, "en", "overall", *_figure(section["english_overall"]), None, None, None]


def pooled_rows(scores: dict[str, Any]) -> Rows:
    """Shares and means of open-ended replies by language group."""
    yield ["arm", "group", "model", "measure", *FIGURE]
    for arm, sections in scores["arms"].items():
        for group, models in sections["qa"].get("pooled", {}).items():
            for model, measures in models.items():
                for measure, found in measures.items():
                    yield [arm, group, model, measure, *_figure(found)]


def share_rows(scores: dict[str, Any]) -> Rows:
    """Refusal rates and reasoning traces by model and language."""
    yield ["arm", "share", "model", "language", *FIGURE]
    for arm, sections in scores["arms"].items():
        for model, languages in sections["refusals"].items():
            for language, found in languages.items():
                yield [arm, "refusal", model, language, *_figure(found)]
        for model, languages in sections["traces"].items():
            for language, found in languages.items():
                yield [arm, "trace", model, language, *_figure(found["share"])]
                yield [
                    *(arm, "trace_in_prompt_language", model, language),
                    *_figure(found["in_prompt_language"]),
                ]


def agreement_rows(scores: dict[str, Any]) -> Rows:
    """Judge against experts by language."""
    yield ["language", "figure", *FIGURE]
    for language, section in scores["agreement"].items():
        for name in ("within_one", "concordance"):
            yield [language, name, *_figure(section[name])]
        parts = {"overall": section["overall"], **section["dimensions"]}
        for part, figures in parts.items():
            for name, found in figures.items():
                yield [language, f"{part}_{name}", *_figure(found)]


TABLES = {
    "cells": cell_rows,
    "averages": average_rows,
    "mt_against_reviewed": comparison_rows,
    "open_ended": pooled_rows,
    "shares": share_rows,
    "agreement": agreement_rows,
    "groups": group_rows,
    "agreement_parts": agreement_part_rows,
}


def csv_text(rows: Rows) -> str | None:
    """Rows as CSV; None where there is nothing below the header. A missing value is empty."""
    written = list(rows)
    return people_csv(written) if len(written) > 1 else None


def page(scores: dict[str, Any]) -> str:
    """The headline arm as text: accuracy, open-ended scores, cells, refusals, agreement."""
    sections = scores["arms"][scores["headline"]]
    blocks = [f"Arm: {scores['headline']}"]
    for score, scale, title in (
        ("accuracy", 100, "Accuracy, macro mean over datasets (%)"),
        ("qa", 1, "Open-ended score, macro mean over datasets (1-5)"),
    ):
        if sections[score]:
            blocks.append(f"{title}\n{_averages(sections, score, scores['languages'], scale)}")
    if sections["qa"].get("pooled"):
        blocks.append(f"Open-ended replies by language group\n{_pooled(sections['qa']['pooled'])}")
    for score, scale, title in (
        ("accuracy", 100, "Reviewed minus machine-translated, accuracy (points)"),
        ("qa", 1, "Reviewed minus machine-translated, open-ended score"),
    ):
        section = scores["mt_against_reviewed"][score]
        if "cells" in section:
            blocks.append(f"{title}\n{_cells(section, scale)}")
        else:
            blocks.append(f"{title}\nnot computed: {section['reason']}")
    if sections["refusals"]:
        header = ["model", *scores["languages"], "all"]
        rows = [
            [model, *(_number(langs.get(code), 100, 2) for code in header[1:])]
            for model, langs in sections["refusals"].items()
        ]
        blocks.append(f"Refusals (% of replies)\n{aligned([header, *rows])}")
    if scores["agreement"]:
        blocks.append(f"Judge against experts\n{_agreement(scores['agreement'])}")
    if scores["notes"]:
        blocks.append("\n".join(f"note: {note}" for note in scores["notes"]))
    return "\n\n".join(blocks)


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Columns side by side, the first to the left, the others to the right."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if index == 0 else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def _number(found: dict[str, Any] | None, scale: float, decimals: int, sign: str = "") -> str:
    if found is None or found["value"] is None:
        return "-"
    # Adding 0.0 to a rounded zero takes its minus sign away.
    return f"{round(found['value'] * scale, decimals) + 0.0:{sign}.{decimals}f}"


def _ranged(found: dict[str, Any], scale: float, decimals: int) -> str:
    """A figure with its interval, where it has one."""
    value = _number(found, scale, decimals)
    if found["ci"] is None:
        return value
    low, high = (f"{bound * scale:.{decimals}f}" for bound in found["ci"])
    return f"{value} [{low}, {high}]"


def _averages(sections: dict[str, Any], score: str, languages: list[str], scale: float) -> str:
    section = sections[score]
    decimals = 1 if scale == 100 else 2
    header = ["model", *languages, "mean [95%]", "gap [95%]", "missing"]
    rows = [
        [
            model,
            *(_number(macros[language], scale, decimals) for language in languages),
            _ranged(section["mean"][model], scale, decimals),
            _ranged(section["gap"][model], scale, decimals),
            str(missing_of(sections["missing"], model, score)),
        ]
        for model, macros in section["macro"].items()
    ]
    over = section["over_models"]["shift"]
    shift = [_number(over[language], scale, decimals, "+") for language in languages]
    return aligned([header, *rows, ["mean shift from en", *shift, "", "", ""]])


def _pooled(pooled: dict[str, Any]) -> str:
    groups = {group: models[ALL_MODELS] for group, models in pooled.items()}
    measures = next(iter(groups.values()))
    header = ["measure", *groups]
    rows = [
        [measure, *(_ranged(found[measure], 1, 3) for found in groups.values())]
        for measure in measures
    ]
    sizes = ["scored replies", *(str(found["overall"]["n"]) for found in groups.values())]
    return aligned([header, *rows, sizes])


def _cells(section: dict[str, Any], scale: float) -> str:
    decimals = 1 if scale == 100 else 2
    datasets = list(next(iter(section["cells"].values())))
    header = ["language", *(dataset_name(dataset) for dataset in datasets), "overall"]
    overall = {"en": section["english_overall"], **section["overall"]}
    rows = [
        [
            language,
            *(
                _number(cell, scale, decimals, "+") + ("*" if (cell["p_holm"] or 1) < 0.05 else "")
                for cell in cells.values()
            ),
            _ranged(overall[language], scale, decimals),
        ]
        for language, cells in section["cells"].items()
    ]
    counts = section["lower_in_reviewed"]
    return (
        f"{aligned([header, *rows])}\n* Holm-corrected p < 0.05; en is the unadjusted control; "
        f"lower in reviewed: {counts['cells']} of {counts['of']} cells"
    )


def _agreement(agreement: dict[str, Any]) -> str:
    header = ["language", "n", "within one (%)", "concordance", "judge - expert"]
    rows = [
        [
            language,
            str(section["n"]),
            _ranged(section["within_one"], 100, 1),
            _ranged(section["concordance"], 1, 2),
            _ranged(section["overall"]["difference"], 1, 2),
        ]
        for language, section in agreement.items()
    ]
    return aligned([header, *rows])
