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
        sets: Model indexes of each set of models that is averaged over.
        filled: bool (models, languages, datasets), where the full data hold a scored answer; means
            over models take the models whose parts are filled.
    """

    models: int
    languages: Sequence[str]
    sets: Sequence[Sequence[int]]
    filled: npt.NDArray[np.bool_]

    def __call__(self, sums: Floats, counts: Floats) -> Figures:
        """Make all figures.

        Args:
            sums: (replicates, datasets, models * languages).
            counts: The same shape.

        Returns:
            ``cell`` (model, language, dataset), ``macro`` and ``shift`` (model, language),
            ``mean``, ``higher``, ``lower`` and ``gap`` (model,), and each of them again under
            ``set_...``, its mean over models, with the set for the model. NaN where a cell it
            needs holds nothing.
        """
        shape = (len(sums), sums.shape[1], self.models, len(self.languages))
        cells = np.moveaxis(means(sums, counts).reshape(shape), 1, -1)
        macro = cells.mean(axis=-1)
        higher, lower = self._over(macro, HIGHER), self._over(macro, LOWER)
        english = macro[..., self.languages.index(ENGLISH)] if ENGLISH in self.languages else np.nan
        own = {
            "cell": cells,
            "macro": macro,
            "mean": macro.mean(axis=-1),
            "higher": higher,
            "lower": lower,
            "gap": higher - lower,
            "shift": macro - np.asarray(english)[..., None],
        }
        averaged = {
            f"set_{name}": np.stack(
                [self._over_models(figure, self.known(name, s)) for s in range(len(self.sets))],
                axis=1,
            )
            for name, figure in own.items()
        }
        return {**own, **averaged}

    def _over(self, macro: Floats, group: Sequence[str]) -> Floats:
        columns = [index for index, lang in enumerate(self.languages) if lang in group]
        if not columns:
            return np.full(macro.shape[:-1], np.nan)
        averaged: Floats = macro[..., columns].mean(axis=-1)
        return averaged

    def _over_models(self, figure: Floats, known: npt.NDArray[np.bool_]) -> Floats:
        """Mean over axis 1 of what is known; NaN where nothing is."""
        return means(
            np.where(known, figure, 0.0).sum(axis=1),
            np.broadcast_to(known.sum(axis=0), (len(figure), *known.shape[1:])).astype(np.float64),
        )

    def known(self, name: str, s: int) -> npt.NDArray[np.bool_]:
        """Where a figure of a model enters the mean over a set: bool, the figure's own shape.

        A cell needs itself; a macro mean and a shift all datasets of their language and of
        English; the others all cells of the model.
        """
        member: npt.NDArray[np.bool_] = np.isin(np.arange(self.models), self.sets[s])
        if name == "cell":
            return self.filled & member[:, None, None]
        whole: npt.NDArray[np.bool_] = np.asarray(self.filled.all(axis=-1))
        if name in ("macro", "shift"):
            if ENGLISH in self.languages:
                member = member & whole[:, self.languages.index(ENGLISH)]
            known: npt.NDArray[np.bool_] = whole & member[:, None]
            return known
        return np.asarray(whole.all(axis=-1) & member)


def spread(values: Floats) -> dict[str, float | int | None]:
    """Quartiles over models (linear quantiles) and their distance."""
    if not values.size:
        return {"models": 0, "q1": None, "q3": None, "iqr": None}
    low, high = (float(q) for q in np.quantile(values, [0.25, 0.75]))
    return {"models": int(values.size), "q1": low, "q3": high, "iqr": high - low}
