"""Mean and quantiles of figures over queries or documents, as JSON takes them."""

from typing import Any

import numpy as np
import numpy.typing as npt

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def spread(values: npt.NDArray[np.float64]) -> dict[str, Any]:
    """Summarise values; NaN marks those that are not defined.

    Args:
        values: float64 (n,).

    Returns:
        `n` defined values, `undefined` others, `mean` and linear quantiles `q05` to `q95`; figures
        are None where nothing is defined.
    """
    defined = values[~np.isnan(values)]
    found = np.quantile(defined, QUANTILES) if len(defined) else [None] * len(QUANTILES)
    return {
        "n": len(defined),
        "undefined": len(values) - len(defined),
        "mean": float(defined.mean()) if len(defined) else None,
        **{
            f"q{round(100 * q):02d}": None if value is None else float(value)
            for q, value in zip(QUANTILES, found, strict=True)
        },
    }
