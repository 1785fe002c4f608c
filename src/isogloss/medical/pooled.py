"""Shares and means pooled over groups of replies: one sum over one count."""

from dataclasses import dataclass

from isogloss.medical.resampling import Figures, Floats, means


@dataclass(frozen=True)
class Pooled:
    """A table of pooled ratios.

    Attributes:
        shape: The shape the columns of the sums fold into. The counts may lack its first axis:
            several measures of the same replies share one count.
    """

    shape: tuple[int, ...]

    def __call__(self, sums: Floats, counts: Floats) -> Figures:
        """Pool over datasets: ``pooled`` (replicates, *shape), NaN where nothing is counted."""
        top, bottom = sums.sum(axis=1), counts.sum(axis=1)
        shared = top.reshape(len(top), -1, bottom.shape[1])
        return {"pooled": means(shared, bottom[:, None]).reshape(len(top), *self.shape)}
