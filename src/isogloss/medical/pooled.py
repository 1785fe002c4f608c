"""Shares and means pooled over groups of replies: one sum over one count."""

from dataclasses import dataclass

from isogloss.medical.resampling import Figures, Floats, means


@dataclass(frozen=True)
class Pooled:
    """A table of pooled ratios.

    Attributes:
        shape: The shape the columns fold into.
    """

    shape: tuple[int, ...]

    def __call__(self, sums: Floats, counts: Floats) -> Figures:
        """Pool over datasets: ``pooled`` (replicates, *shape), NaN where nothing is counted."""
        ratios = means(sums.sum(axis=1), counts.sum(axis=1))
        return {"pooled": ratios.reshape(len(sums), *self.shape)}
