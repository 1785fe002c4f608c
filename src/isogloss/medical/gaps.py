"""What is not there: answers that were never given, and cells that cannot be compared."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from isogloss.medical.panel import dataset_name
from isogloss.medical.sheet import ABSENT, Sheet

Missing = dict[str, dict[str, dict[str, int]]]
Unpaired = dict[str, dict[str, list[str]]]


def missing_answers(sheet: Sheet, arm: int) -> Missing:
    """Items without a row in the answers, by model and language.

    A model that was asked no open-ended items, or no others, lacks none of that kind.

    Returns:
        ``accuracy`` and ``qa``, how many of either kind, ``missing`` their sum, and ``of`` how
        many; what nothing lacks is absent.
    """
    held: Missing = {}
    kinds = {"accuracy": ~sheet.open_ended, "qa": sheet.open_ended}
    for m, model in enumerate(sheet.models):
        absent = sheet.status[arm, m] == ABSENT
        asked = {name: kind for name, kind in kinds.items() if not absent[:, kind].all()}
        for lang, language in enumerate(sheet.languages):
            here = sheet.exists[arm, lang]
            counts = dict.fromkeys(kinds, 0) | {
                name: int(np.count_nonzero(here & kind & absent[lang]))
                for name, kind in asked.items()
            }
            missing = sum(counts.values())
            if missing:
                of = sum(int(np.count_nonzero(here & kind)) for kind in asked.values())
                held.setdefault(model, {})[language] = {**counts, "missing": missing, "of": of}
    return held


def missing_of(missing: Missing, model: str, what: str = "missing") -> int:
    """How many answers of a model are missing, over all languages: of a score, or all."""
    return sum(found[what] for found in missing.get(model, {}).values())


def missing_notes(missing: Missing, arm: str) -> Iterator[str]:
    """One sentence a model and language."""
    for model, languages in missing.items():
        for language, found in languages.items():
            yield (
                f"{model}, {language}: {found['missing']} of {found['of']} items have no answer "
                f"({arm} arm); its scores are over the rest"
            )


def unpaired(sheet: Sheet, counted: np.ndarray[Any, np.dtype[np.bool_]], kind: bool) -> Unpaired:
    """Datasets without an item that is scored in both arms, by model and language.

    Args:
        sheet: The replies, of both arms.
        counted: bool (arms, models, languages, items), which replies enter.
        kind: Open-ended items, or the others.

    Returns:
        Models that were asked such items in both arms; who lacks nothing is absent.
    """
    held: Unpaired = {}
    of_kind = sheet.open_ended == kind
    both = counted[0] & counted[1]
    for m, model in enumerate(sheet.models):
        asked = (sheet.status[:, m][..., of_kind] != ABSENT).any(axis=(1, 2)).all()
        # Without verdicts, say, nothing is scored in either arm; that is no hole in a comparison.
        if not asked or not counted[:, m][..., of_kind].any():
            continue
        for lang, language in enumerate(sheet.languages):
            for dataset in sheet.datasets_of(open_ended=kind):
                if not both[m, lang, sheet.item_dataset == dataset].any():
                    name = sheet.datasets[dataset]
                    held.setdefault(model, {}).setdefault(language, []).append(name)
    return held


def unpaired_notes(compared: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Sentences that name score, datasets, languages and models."""
    for score, section in compared.items():
        word = "accuracy" if score == "accuracy" else "open-ended score"
        lacking: dict[tuple[str, tuple[str, ...]], list[str]] = {}
        for model, languages in section.get("unpaired", {}).items():
            for language, datasets in languages.items():
                lacking.setdefault((language, tuple(datasets)), []).append(model)
        alike: dict[tuple[tuple[str, ...], tuple[str, ...]], list[str]] = {}
        for (language, datasets), models in lacking.items():
            alike.setdefault((datasets, tuple(models)), []).append(language)
        for (datasets, who), where in alike.items():
            names = ", ".join(dataset_name(dataset) for dataset in datasets)
            yield (
                f"reviewed minus machine-translated, {word}: no item of {names} is scored in both "
                f"arms in {', '.join(where)} for {', '.join(who)}"
            )
