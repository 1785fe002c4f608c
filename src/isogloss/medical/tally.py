"""How many questions were asked, and what became of each: the counts always add up."""

from typing import Any

import numpy as np

from isogloss.medical.sheet import ABSENT, OUTCOMES, Sheet


def tally(sheet: Sheet, arm: int, model: int, language: int, dataset: int) -> dict[str, Any]:
    """Count one cell.

    Returns:
        ``asked`` = ``answered`` + ``unanswered`` + ``refused`` + ``failed``; ``missing`` items of
        the file have no row in the answers and were not asked.
    """
    here = sheet.item_dataset == dataset
    status = sheet.status[arm, model, language, here]
    counts = {name: int(np.count_nonzero(status == code)) for name, code in OUTCOMES.items()}
    asked = int(np.count_nonzero(status != ABSENT))
    missing = int(np.count_nonzero(sheet.exists[arm, language, here] & (status == ABSENT)))
    return {"asked": asked, **counts, "missing": missing}
