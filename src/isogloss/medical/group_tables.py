"""scores.json over groups of models, and agreement by its parts, as flat tables."""

from collections.abc import Iterator, Mapping
from typing import Any

from isogloss.medical.model_groups import ALL_MODELS

Rows = Iterator[list[Any]]
FIGURE = ["value", "low", "high", "n"]
BETWEEN = "reviewed-mt"


def _figure(found: Mapping[str, Any]) -> list[Any]:
    low, high = found["ci"] or (None, None)
    return [found["value"], low, high, found["n"]]


def group_rows(scores: Mapping[str, Any]) -> Rows:
    """Every figure over all models but the floors, and over each group; floors are one of them.

    n counts models in means over models, replies in shares, items in differences of the arms.
    """
    yield ["arm", "score", "group", "figure", "language", "dataset", *FIGURE, "q1", "q3"]
    for arm, sections in scores["arms"].items():
        for score in ("accuracy", "qa"):
            section = sections[score]
            if section:
                held = {ALL_MODELS: section["over_models"], **section["groups"]}
                for group, found in held.items():
                    for row in _means(found):
                        yield [arm, score, group, *row]
        for language, groups in sections["qa"].get("pooled_groups", {}).items():
            for group, measures in groups.items():
                for measure, found in measures.items():
                    yield [arm, "qa", group, measure, language, "", *_figure(found), None, None]
        for group, languages in sections["refusal_groups"].items():
            for language, found in languages.items():
                yield [arm, "", group, "refusal", language, "", *_figure(found), None, None]
        for group, languages in sections["trace_groups"].items():
            for language, found in languages.items():
                share = _figure(found["share"])
                yield [arm, "", group, "trace", language, "", *share, None, None]
    for score, section in scores["mt_against_reviewed"].items():
        for group, found in section.get("groups", {}).items():
            for row in _changes(found):
                yield [BETWEEN, score, group, *row]


def _means(found: Mapping[str, Any]) -> Rows:
    for language, datasets in found["cells"].items():
        for dataset, one in datasets.items():
            yield ["cell", language, dataset, *_figure(one), one["q1"], one["q3"]]
    for name in ("macro", "shift"):
        for language, one in found[name].items():
            yield [name, language, "", *_figure(one), one["q1"], one["q3"]]
    for name in ("mean", "higher", "lower", "gap"):
        one = found[name]
        yield [name, "", "", *_figure(one), one["q1"], one["q3"]]


def _changes(found: Mapping[str, Any]) -> Rows:
    for language, cells in found["cells"].items():
        for dataset, one in cells.items():
            yield ["cell", language, dataset, *_figure(one), None, None]
    for language, one in found["overall"].items():
        yield ["overall", language, "", *_figure(one), None, None]
    yield ["overall", "en", "", *_figure(found["english_overall"]), None, None]


def agreement_part_rows(scores: Mapping[str, Any]) -> Rows:
    """Judge against experts by dataset and by group of models."""
    yield ["part", "name", "language", "figure", *FIGURE]
    for part in ("dataset", "group"):
        for name, languages in scores[f"agreement_by_{part}"].items():
            for language, section in languages.items():
                for key in ("within_one", "concordance"):
                    yield [part, name, language, key, *_figure(section[key])]
                difference = section["overall"]["difference"]
                yield [part, name, language, "overall_difference", *_figure(difference)]
