"""HEAD-QA and MedQA: multiple choice with the options in one text, ``(A) ...`` a line.

The form is that of the public copies used here (Apollo's), which puts one full stop after every
option and the answer's label in brackets.
"""

import re
from collections.abc import Mapping
from typing import Any

from isogloss.medical.sources.draft import Draft, RefusedError, text_of

_OPTION = re.compile(r"^\(([A-Z])\)[ \t]*", re.MULTILINE)
_ANSWER = re.compile(r"\(?([A-Z])\)?[.]?")


def exam_draft(record: Mapping[str, Any], dataset: str, language: str) -> Draft:
    """Make a draft of one exam question.

    Raises:
        RefusedError: No options, labels out of order, or an answer that is none of them.
    """
    question = text_of(record, "question")
    pieces = _OPTION.split(text_of(record, "options"))
    labels, texts = pieces[1::2], [_option(text) for text in pieces[2::2]]
    if pieces[0].strip() or len(labels) < 2:
        raise RefusedError("field 'options' is no list of lines like '(A) text'")
    if labels != [chr(ord("A") + index) for index in range(len(labels))]:
        raise RefusedError(f"option labels are {' '.join(labels)}")
    if not all(texts):
        raise RefusedError(f"option {labels[texts.index('')]} has no text")
    answer = _ANSWER.fullmatch(text_of(record, "answer"))
    if not answer or answer[1] not in labels:
        raise RefusedError(f"answer {record['answer']!r} is none of {' '.join(labels)}")
    return Draft(dataset, language, {"Question": question}, labels.index(answer[1]), texts)


def _option(text: str) -> str:
    text = " ".join(text.split()).removesuffix(".").strip()
    # Runs of quotation marks, and a lone one at the end, are left over from CSV quoting.
    text = text.replace('"""', '"')
    return text.removesuffix('"').strip() if text.count('"') % 2 else text
