"""Scores of one arm: cells, macro means, gaps and shifts with intervals (HealMed section 3)."""

from typing import Any

import numpy as np
import numpy.typing as npt

from isogloss.medical.averages import Averages, defined_macros, spread
from isogloss.medical.figure import figure, rounded
from isogloss.medical.panel import group_of
from isogloss.medical.resampling import Floats, ItemBootstrap
from isogloss.medical.sheet import ABSENT, Sheet
from isogloss.medical.tally import tally

Values = npt.NDArray[np.floating]
Mask = npt.NDArray[np.bool_]


def groups_of_models(models: list[str]) -> dict[str, list[int]]:
    """Indexes of the models of each panel group, in the panel's order."""
    groups: dict[str, list[int]] = {}
    for index, model in enumerate(models):
        groups.setdefault(group_of(model), []).append(index)
    return groups


def score_section(
    sheet: Sheet, arm: int, values: Values, counted: Mask, boot: ItemBootstrap, *, open_ended: bool
) -> dict[str, Any]:
    """All averages of one score in one arm.

    Args:
        sheet: The replies.
        arm: Index of the arm.
        values: (models, languages, items) the score of each reply.
        counted: bool, the same shape: which replies enter.
        boot: Draws of items.
        open_ended: Which of the two kinds of items.

    Returns:
        ``cells`` by model, language and dataset, and the averages over them, for the models that
        were asked anything of the kind; empty where none was.
    """
    datasets = sheet.datasets_of(open_ended=open_ended)
    kind = sheet.open_ended == open_ended
    asked = (sheet.status[arm][..., kind] != ABSENT).any(axis=(1, 2))
    chosen = np.flatnonzero(asked)
    if not len(chosen) or not datasets:
        return {}
    models = [sheet.models[index] for index in chosen]
    mask = counted[chosen]
    columns = _columns(np.where(mask, values[chosen], 0.0)), _columns(mask)
    totals = np.stack([columns[1][sheet.item_dataset == d].sum(axis=0) for d in datasets])
    languages = sheet.languages
    groups = groups_of_models(models)
    defined = defined_macros(totals, len(models), len(languages))
    averages = Averages(len(models), languages, groups, defined)
    found = boot.estimates(*columns, averages, datasets)
    n = np.moveaxis(totals.reshape(len(datasets), len(models), -1), 0, -1)
    cells: dict[str, Any] = {}
    for m, model in enumerate(models):
        for lang, language in enumerate(languages):
            for d, dataset in enumerate(datasets):
                counts = tally(sheet, arm, int(chosen[m]), lang, dataset)
                if counts["asked"]:
                    cells.setdefault(model, {}).setdefault(language, {})[
                        sheet.datasets[dataset]
                    ] = figure(found["cell"][m, lang, d], n[m, lang, d], **counts)
    per_language = {
        name: {
            model: {
                language: figure(found[name][m, lang], n[m, lang].sum())
                for lang, language in enumerate(languages)
            }
            for m, model in enumerate(models)
        }
        for name in ("macro", "shift")
    }
    per_model = {
        name: {model: figure(found[name][m], n[m].sum()) for m, model in enumerate(models)}
        for name in ("mean", "higher", "lower", "gap")
    }
    return {
        "datasets": [sheet.datasets[d] for d in datasets],
        "cells": cells,
        **per_language,
        **per_model,
        "over_models": _over_models(averages, found, languages),
        "groups": _groups(averages, found, groups, models),
    }


def _columns(array: npt.NDArray[Any]) -> Floats:
    columns: Floats = array.reshape(-1, array.shape[-1]).T.astype(np.float64)
    return columns


def _over_models(averages: Averages, found: dict[str, Any], languages: list[str]) -> dict[str, Any]:
    """Per language: mean over models with its interval, and quartiles; n counts models."""
    known = averages.models_by_language(range(averages.models))
    section: dict[str, Any] = {}
    for name in ("macro", "shift"):
        section[name] = {}
        for lang, language in enumerate(languages):
            values = [found[name][m, lang].value for m in known[lang]]
            quartiles = rounded(spread(np.array([v for v in values if v is not None])))
            section[name][language] = figure(
                found[f"{name}_over_models"][lang], quartiles.pop("models"), **quartiles
            )
    return section


def _groups(
    averages: Averages, found: dict[str, Any], groups: dict[str, list[int]], models: list[str]
) -> dict[str, Any]:
    """Per panel group: mean macro and shift by language and the mean gap; n counts models."""
    section: dict[str, Any] = {}
    for g, (group, members) in enumerate(groups.items()):
        known = averages.models_by_language(members)
        whole = [m for m in members if averages.defined[m].all()]
        section[group] = {
            "models": [models[m] for m in members],
            "gap": figure(found["group_gap"][g], len(whole)),
            **{
                name: {
                    language: figure(found[f"group_{name}"][g, lang], len(known[lang]))
                    for lang, language in enumerate(averages.languages)
                }
                for name in ("macro", "shift")
            },
        }
    return section
