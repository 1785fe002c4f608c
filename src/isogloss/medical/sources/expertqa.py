"""ExpertQA: questions with long answers that experts revised; fields part it into two datasets."""

import re
from collections.abc import Mapping
from typing import Any

from isogloss.medical.sources.draft import Draft, LeftOutError, text_of

_BEFORE_STOP = re.compile(r"\s+([.,;:])(?=\s|$)")


def expertqa_draft(record: Mapping[str, Any], _dataset: str, language: str) -> Draft:
    """Make a draft of one question; its field decides between the biology and medicine datasets.

    Raises:
        LeftOutError: The field is neither biology nor medicine.
    """
    field = str(record.get("field", "")).casefold()
    if "medicine" in field:
        dataset = "expertqamed"
    elif field == "biology":
        dataset = "expertqabio"
    else:
        raise LeftOutError(f"field is neither biology nor medicine: {record.get('field')}")
    # Removed citation marks left runs of blanks and blanks before full stops (our reading).
    answer = _BEFORE_STOP.sub(r"\1", " ".join(text_of(record, "answer").split()))
    return Draft(dataset, language, {"": text_of(record, "question")}, answer)
