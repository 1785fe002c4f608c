"""ExpertQA: questions with long answers that experts revised; fields part it into two datasets.

The publishers' file has ``metadata.field`` and one entry under ``answers`` with a
``revised_answer_string``; a plain form with ``field`` and ``answer`` is read as well.
"""

import re
from collections.abc import Mapping
from typing import Any

from isogloss.medical.sources.draft import Draft, LeftOutError, text_of

_CITATION = re.compile(r"\[\d+\]")
_BEFORE_STOP = re.compile(r"\s+([.,;:])(?=\s|$)")


def expertqa_draft(record: Mapping[str, Any], _dataset: str, language: str) -> Draft:
    """Make a draft of one question; its field decides between the biology and medicine datasets.

    Raises:
        LeftOutError: The field is neither biology nor medicine, or no answer was revised.
        RefusedError: A field is missing.
    """
    metadata = record.get("metadata")
    held = metadata if isinstance(metadata, Mapping) else record
    field = text_of(held, "field")
    if "medicine" in field.casefold():
        dataset = "expertqamed"
    elif field.casefold() == "biology":
        dataset = "expertqabio"
    else:
        raise LeftOutError(f"field is neither biology nor medicine: {field}")
    answers = record.get("answers")
    if isinstance(answers, Mapping):
        # The publishers take the citation marks out too.
        told = [one for one in answers.values() if isinstance(one, Mapping)]
        revised = [str(one.get("revised_answer_string") or "") for one in told]
        answer = next((text for text in revised if text.strip()), "")
        if not answer:
            raise LeftOutError("no revised answer")
        answer = _CITATION.sub("", answer)
    else:
        answer = text_of(record, "answer")
    # Removed citation marks left runs of blanks and blanks before full stops (our reading).
    answer = _BEFORE_STOP.sub(r"\1", " ".join(answer.split()))
    return Draft(dataset, language, {"": text_of(record, "question")}, answer)
