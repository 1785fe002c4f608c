"""Scores of one arm: cells, macro means, gaps and shifts with intervals (HealMed section 3)."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from isogloss.medical.averages import Averages, spread
from isogloss.medical.figure import figure, rounded
from isogloss.medical.model_groups import ALL_MODELS, model_sets
from isogloss.medical.resampling import Floats, ItemBootstrap
from isogloss.medical.shares import ALL_LANGUAGES
from isogloss.medical.sheet import ABSENT, OUTCOMES, Sheet
from isogloss.medical.tally import tally

Values = npt.NDArray[np.floating]
Mask = npt.NDArray[np.bool_]


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
    n = np.moveaxis(totals.reshape(len(datasets), len(models), -1), 0, -1)
    sets = model_sets(models)
    averages = Averages(len(models), languages, list(sets.values()), n > 0)
    found = boot.estimates(*columns, averages, datasets)
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
    slugs = [sheet.datasets[d] for d in datasets]
    over = {
        name: _over_models(averages, found, s, slugs) | {"models": [models[m] for m in members]}
        for s, (name, members) in enumerate(sets.items())
    }
    return {
        "datasets": slugs,
        "cells": cells,
        "outcomes": {model: outcomes(languages) for model, languages in cells.items()},
        **per_language,
        **per_model,
        "over_models": over.pop(ALL_MODELS),
        "groups": over,
    }


def outcomes(cells: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> dict[str, dict[str, int]]:
    """What became of one model's questions, by language and over all of them.

    Args:
        cells: Its cells by language and dataset.
    """
    names = ("asked", *OUTCOMES, "missing")
    by_language = {
        language: {name: sum(cell[name] for cell in datasets.values()) for name in names}
        for language, datasets in cells.items()
    }
    everything = {name: sum(found[name] for found in by_language.values()) for name in names}
    return {**by_language, ALL_LANGUAGES: everything}


def _columns(array: npt.NDArray[Any]) -> Floats:
    columns: Floats = array.reshape(-1, array.shape[-1]).T.astype(np.float64)
    return columns


def _over_models(
    averages: Averages, found: dict[str, Any], s: int, datasets: list[str]
) -> dict[str, Any]:
    """Means over a set of models, with intervals and quartiles over models; n counts models."""

    def one(name: str, *place: int) -> dict[str, Any]:
        # Models, the first axis, to the last: what is left of a figure's place picks its row.
        known = np.moveaxis(averages.known(name, s), 0, -1)[place]
        values = [found[name][(int(m), *place)].value for m in np.flatnonzero(known)]
        quartiles = rounded(spread(np.array([v for v in values if v is not None])))
        models = quartiles.pop("models")
        return figure(found[f"set_{name}"][(s, *place)], models, **quartiles)

    languages = list(enumerate(averages.languages))
    return {
        "cells": {
            language: {name: one("cell", lang, d) for d, name in enumerate(datasets)}
            for lang, language in languages
        },
        **{
            name: {language: one(name, lang) for lang, language in languages}
            for name in ("macro", "shift")
        },
        **{name: one(name) for name in ("mean", "higher", "lower", "gap")},
    }
