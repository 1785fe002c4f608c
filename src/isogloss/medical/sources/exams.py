"""HEAD-QA and MedQA: multiple choice, as their publishers give them and in Apollo's copies.

HEAD-QA has ``qtext``, ``answers`` (``aid``, ``atext``) and ``ra``; MedQA a mapping of options and
``answer_idx``. The copies have the options in one text, ``(A) ...`` a line, with one full stop
after every option and the answer's label in brackets.
"""

import re
from collections.abc import Mapping
from typing import Any

from isogloss.medical.sources.draft import Draft, LeftOutError, RefusedError, text_of

_OPTION = re.compile(r"^\(([A-Z])\)[ \t]*", re.MULTILINE)
_ANSWER = re.compile(r"\(?([A-Z])\)?[.]?")


def exam_draft(record: Mapping[str, Any], dataset: str, language: str) -> Draft:
    """Make a draft of one exam question, in whichever of the three forms it is.

    Raises:
        LeftOutError: The question needs a picture.
        RefusedError: No options, labels out of order, or an answer that is none of them.
    """
    if "qtext" in record:
        return _headqa(record, dataset, language)
    question = text_of(record, "question")
    if isinstance(record.get("options"), Mapping):
        return _lettered(record, question, dataset, language)
    pieces = _OPTION.split(text_of(record, "options"))
    labels, texts = pieces[1::2], [_option(text) for text in pieces[2::2]]
    if pieces[0].strip() or len(labels) < 2:
        raise RefusedError("field 'options' is no list of lines like '(A) text'")
    right = _place(labels, text_of(record, "answer"))
    return _draft(dataset, language, question, texts, right)


def _lettered(record: Mapping[str, Any], question: str, dataset: str, language: str) -> Draft:
    options = record["options"]
    labels, texts = list(options), [" ".join(str(text).split()) for text in options.values()]
    right = _place(labels, text_of(record, "answer_idx"))
    return _draft(dataset, language, question, texts, right)


def _headqa(record: Mapping[str, Any], dataset: str, language: str) -> Draft:
    if str(record.get("image") or "").strip():
        raise LeftOutError("needs a picture")
    answers = record.get("answers") or []
    try:
        ordered = sorted(answers, key=lambda answer: int(answer["aid"]))
        numbers = [int(answer["aid"]) for answer in ordered]
        texts = [" ".join(str(answer["atext"]).split()) for answer in ordered]
        right = numbers.index(int(record["ra"]))
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise RefusedError(f"ra {record.get('ra')!r} is the aid of no answer") from error
    return _draft(dataset, language, text_of(record, "qtext"), texts, right)


def _place(labels: list[str], answer: str) -> int:
    if labels != [chr(ord("A") + index) for index in range(len(labels))]:
        raise RefusedError(f"option labels are {' '.join(map(str, labels))}")
    found = _ANSWER.fullmatch(answer)
    if not found or found[1] not in labels:
        raise RefusedError(f"answer {answer!r} is none of {' '.join(labels)}")
    return labels.index(found[1])


def _draft(dataset: str, language: str, question: str, texts: list[str], right: int) -> Draft:
    if not all(texts):
        raise RefusedError(f"option {chr(ord('A') + texts.index(''))} has no text")
    return Draft(dataset, language, {"Question": question}, right, texts)


def _option(text: str) -> str:
    text = " ".join(text.split()).removesuffix(".").strip()
    # Runs of quotation marks, and a lone one at the end, are left over from CSV quoting.
    text = text.replace('"""', '"')
    return text.removesuffix('"').strip() if text.count('"') % 2 else text
