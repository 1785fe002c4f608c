"""From cells (model, language, dataset) to macro means, resource gaps and shifts from English.

HealMed section 3: accuracy per dataset and language, the macro mean over datasets per language,
the mean over languages per model, the gap between higher- and lower-resource languages, and the
shift of each language from English with its mean over models.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from isogloss.medical.panel import ENGLISH, HIGHER, LOWER
from isogloss.medical.resampling import Figures, Floats, means


@dataclass(frozen=True)
class Averages:
    """Figures of one score over models and languages, as a function of dataset totals.

    Attributes:
        models: How many.
        languages: Codes, in column order.
        groups: Model indexes of each panel group.
        defined: bool (models, languages), where the macro mean over all datasets is defined on the
            full data; means over models take these models only.
    """

    models: int
    languages: Sequence[str]
    groups: dict[str, list[int]]
    defined: npt.NDArray[np.bool_]

    def __call__(self, sums: Floats, counts: Floats) -> Figures:
        """Make all figures.

        Args:
            sums: (replicates, datasets, models * languages).
            counts: The same shape.

        Returns:
            ``cell`` (model, language, dataset), ``macro`` (model, language), ``mean``, ``higher``,
            ``lower`` and ``gap`` (model,), ``shift`` (model, language), ``macro_over_models`` and
            ``shift_over_models`` (language,), ``group_macro`` and ``group_shift`` (group,
            language), ``group_gap`` (group,). NaN where a cell it needs holds nothing.
        """
        shape = (len(sums), sums.shape[1], self.models, len(self.languages))
        cells = np.moveaxis(means(sums, counts).reshape(shape), 1, -1)
        macro = cells.mean(axis=-1)
        higher, lower = self._over(macro, HIGHER), self._over(macro, LOWER)
        english = macro[..., self.languages.index(ENGLISH)] if ENGLISH in self.languages else np.nan
        shift = macro - np.asarray(english)[..., None]
        gap = higher - lower
        everyone = list(range(self.models))
        members = list(self.groups.values())
        return {
            "cell": cells,
            "macro": macro,
            "mean": macro.mean(axis=-1),
            "higher": higher,
            "lower": lower,
            "gap": gap,
            "shift": shift,
            "macro_over_models": self._over_models(macro, everyone),
            "shift_over_models": self._over_models(shift, everyone),
            "group_macro": np.stack([self._over_models(macro, m) for m in members], axis=1),
            "group_shift": np.stack([self._over_models(shift, m) for m in members], axis=1),
            "group_gap": np.stack([self._gap_over_models(gap, m) for m in members], axis=1),
        }

    def _over(self, macro: Floats, group: Sequence[str]) -> Floats:
        columns = [index for index, lang in enumerate(self.languages) if lang in group]
        if not columns:
            return np.full(macro.shape[:-1], np.nan)
        averaged: Floats = macro[..., columns].mean(axis=-1)
        return averaged

    def _over_models(self, figure: Floats, members: list[int]) -> Floats:
        averaged = np.full((len(figure), len(self.languages)), np.nan)
        for column, known in enumerate(self.models_by_language(members)):
            if known:
                averaged[:, column] = figure[:, known, column].mean(axis=1)
        return averaged

    def _gap_over_models(self, gap: Floats, members: list[int]) -> Floats:
        known = [model for model in members if self.defined[model].all()]
        averaged: Floats = gap[:, known].mean(axis=1) if known else np.full(len(gap), np.nan)
        return averaged

    def models_by_language(self, members: Sequence[int]) -> list[list[int]]:
        """For each language, the models whose macro mean there (and in English) is defined."""
        english = ENGLISH in self.languages
        base = self.defined[:, self.languages.index(ENGLISH)] if english else True
        usable = self.defined & np.reshape(base, (-1, 1))
        return [[m for m in members if usable[m, lang]] for lang in range(len(self.languages))]


def defined_macros(counts: Floats, models: int, languages: int) -> npt.NDArray[np.bool_]:
    """Where every dataset holds at least one scored answer: bool (models, languages).

    Args:
        counts: (datasets, models * languages).
        models: How many.
        languages: How many.
    """
    whole: npt.NDArray[np.bool_] = (counts > 0).all(axis=0).reshape(models, languages)
    return whole


def spread(values: Floats) -> dict[str, float | int | None]:
    """Quartiles over models (linear quantiles) and their distance."""
    if not values.size:
        return {"models": 0, "q1": None, "q3": None, "iqr": None}
    low, high = (float(q) for q in np.quantile(values, [0.25, 0.75]))
    return {"models": int(values.size), "q1": low, "q3": high, "iqr": high - low}
