"""LiveQA (TREC 2017, medical task): consumer questions with reference answers, as XML.

The published test file mixes the spelling of its tags (``RefAnswer``, ``ReferenceAnswer``), and the
training files write them in capitals without a wrapper; tags are compared without case.
"""

from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path
from typing import Any

from lxml import etree

from isogloss.errors import DataError
from isogloss.files import one_line
from isogloss.medical.sources.draft import Draft, LeftOutError, RefusedError


def liveqa_records(path: Path) -> Iterator[tuple[str, Mapping[str, list[str]]]]:
    """Yield every question of a file as subject, message and reference answers.

    Raises:
        DataError: The file is no XML, or defines entities of its own.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        root = etree.fromstring(path.read_bytes(), parser)
    except (OSError, etree.XMLSyntaxError) as error:
        raise DataError(f"{path}: cannot be read as XML ({one_line(error)})") from error
    if root.getroottree().docinfo.internalDTD is not None:
        raise DataError(f"{path}: has a DOCTYPE; remove it, entities are not read")
    for place, question in enumerate(_below(root, "nlm-question"), start=1):
        name = question.get("qid") or question.get("questionid") or f"question {place}"
        found = {key: [_text(node) for node in _below(question, key)] for key in _FIELDS}
        yield name, {key: [text for text in texts if text] for key, texts in found.items()}


_FIELDS = ("subject", "message", "answer")


def liveqa_draft(record: Mapping[str, Any], dataset: str, language: str) -> Draft:
    """Make a draft: subject and message are the question, all reference answers the target.

    Joining several references with blank lines is our reading.

    Raises:
        LeftOutError: There is no reference answer.
        RefusedError: There is no question.
    """
    if any(not isinstance(record.get(key), list) for key in _FIELDS):
        raise RefusedError("is no question of LiveQA's XML")
    question = "\n".join([*record["subject"][:1], *record["message"][:1]])
    if not question:
        raise RefusedError("neither subject nor message")
    if not record["answer"]:
        raise LeftOutError("no reference answer")
    return Draft(dataset, language, {"": question}, "\n\n".join(record["answer"]))


def _below(node: Any, name: str) -> list[Any]:
    return [
        child
        for child in node.iterdescendants()
        if isinstance(child.tag, str) and child.tag.casefold() == name
    ]


def _text(node: Any) -> str:
    # The training files escape some characters twice (``&amp;quot;``).
    text = unescape("".join(node.itertext()))
    lines = (" ".join(line.split()) for line in text.splitlines())
    return "\n".join(line for line in lines if line)
