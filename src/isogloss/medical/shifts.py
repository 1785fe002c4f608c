"""Machine-translated against reviewed items, cell by cell, adjusted by the English control.

HealMed section 4: delta(m,l,d) = reviewed - machine-translated over the items scored in both arms.
English is the same text in both, so its change is chance; it is taken off the other languages.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from isogloss.medical.panel import ENGLISH
from isogloss.medical.resampling import Figures, Floats, means
from isogloss.statistics.permutation import sign_flip_p
from isogloss.statistics.ranks import holm


@dataclass(frozen=True)
class Shifts:
    """Cells and overall figures as a function of dataset totals of paired differences.

    Attributes:
        models: How many; each has pairs in every cell.
        languages: Codes, English among them.
        sets: Model indexes of each set of models that is averaged over; none is empty.
    """

    models: int
    languages: Sequence[str]
    sets: Sequence[Sequence[int]]

    def __call__(self, sums: Floats, counts: Floats) -> Figures:
        """Make the figures.

        Args:
            sums: (replicates, datasets, models * languages) of reviewed - machine-translated.
            counts: Paired items.

        Returns:
            ``delta`` (model, language, dataset); ``cell`` (set, language, dataset): mean over
            models minus English's, English's own unadjusted; ``overall`` (set, language): mean of
            |delta - English's mean| over models and datasets (our reading), English's its plain
            signed mean.
        """
        shape = (len(sums), sums.shape[1], self.models, len(self.languages))
        delta = np.moveaxis(means(sums, counts).reshape(shape), 1, -1)
        parts = [self._over(delta[:, list(members)]) for members in self.sets]
        cells, overall = (np.stack(part, axis=1) for part in zip(*parts, strict=True))
        return {"delta": delta, "cell": cells, "overall": overall}

    def _over(self, delta: Floats) -> tuple[Floats, Floats]:
        english = self.languages.index(ENGLISH)
        over_models = delta.mean(axis=1)
        control = over_models[:, english]
        cells = over_models - control[:, None, :]
        cells[:, english] = control
        overall = np.abs(delta - control[:, None, None, :]).mean(axis=(1, 3))
        overall[:, english] = control.mean(axis=-1)
        return cells, overall


def item_shifts(differences: Floats, paired: npt.NDArray[np.bool_], english: int) -> Floats:
    """Each item's mean adjusted difference, the unit of the sign-flip test.

    Args:
        differences: (models, languages, items) reviewed - machine-translated, 0 where unpaired.
        paired: bool, the same shape.
        english: Column of English.

    Returns:
        (items, languages): mean over the models paired in that language, minus the same in
        English; 0 where either has none (our reading). English's own column is unadjusted.
    """
    counts = paired.sum(axis=0)
    averages = means(differences.sum(axis=0), counts.astype(np.float64))
    adjusted = averages - averages[english]
    adjusted[english] = averages[english]
    whole: Floats = np.nan_to_num(adjusted, nan=0.0).T
    return whole


def cell_tests(
    shifts: Floats,
    item_dataset: npt.NDArray[np.int64],
    datasets: Sequence[int],
    permutations: int,
    seed: int,
) -> tuple[list[list[float | None]], list[list[float | None]]]:
    """Sign-flip p of every cell over its items, and Holm's correction over all of them.

    Args:
        shifts: (items, languages) from `item_shifts`.
        item_dataset: Dataset of each item.
        datasets: The datasets tested.
        permutations: Random flips, or the most that are enumerated.
        seed: The same seed gives the same digits.

    Returns:
        p and Holm-adjusted p, each a list of languages of a list of datasets. The English control
        is one of the cells that are corrected for (our reading).
    """
    columns = [
        sign_flip_p(shifts[item_dataset == dataset], permutations, seed) for dataset in datasets
    ]
    raw = [list(row) for row in zip(*columns, strict=True)]
    adjusted = iter(holm([p for row in raw for p in row]))
    return raw, [[next(adjusted) for _ in row] for row in raw]
