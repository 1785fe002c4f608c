r"""Evaluation items: six fields a line, the same ids in every language.

`input` is ``Question: ...`` or ``Premise: ...\nHypothesis: ...`` followed by ``Options:`` and one
option a line; for open-ended questions it is the bare question. Those words stay English in every
language (HealMed section 2).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from isogloss.errors import DataError
from isogloss.ids import RULE, is_id
from isogloss.languages import normalise_language
from isogloss.medical.panel import LANGUAGES, TASKS, dataset_task, slug
from isogloss.medical.rows import numbered_rows

OPENING = {"MCQA": ("Question:",), "NLI": ("Premise:", "Hypothesis:")}
_OPTIONS = re.compile(r"^Options:[ \t]*$", re.MULTILINE)
_OPTION = re.compile(r"([A-Z])[ \t]*[:：](.*)", re.DOTALL)


class ItemRow(msgspec.Struct, frozen=True):
    """One line of an items file; other fields are passed over."""

    id: str
    language: str
    task: str
    source_dataset: str
    input: str
    target: str


@dataclass(frozen=True)
class Item:
    """One question in one language.

    Attributes:
        id: The same across languages, for instance ``mcqa-headqa-0000``.
        language: ISO 639-1.
        task: MCQA, NLI or QA.
        dataset: Slug of its source, for instance ``headqa``.
        input: What is asked, as in the file.
        target: An option's label; for QA the reference answer.
        options: Text by label, empty for QA.
    """

    id: str
    language: str
    task: str
    dataset: str
    input: str
    target: str
    options: dict[str, str]


def parse_options(text: str) -> dict[str, str]:
    """Read the options of an input: label to text, in order; empty where there are none.

    The block starts after the last line that holds ``Options:`` alone. A line that opens with no
    label goes on with the option above it.

    Raises:
        ValueError: The block has fewer than two options, a label twice, or text before the first.
    """
    marks = list(_OPTIONS.finditer(text))
    if not marks:
        return {}
    options: dict[str, str] = {}
    label = ""
    for line in text[marks[-1].end() :].strip().splitlines():
        found = _OPTION.fullmatch(line.strip())
        if found:
            label = found[1]
            if label in options:
                raise ValueError(f"option {label} is there twice")
            options[label] = found[2].strip()
        elif not label:
            raise ValueError(f"no option label opens the line {line[:40]!r}")
        else:
            options[label] = f"{options[label]}\n{line.strip()}".strip()
    if len(options) < 2:
        raise ValueError("fewer than two options")
    return options


def checked_item(row: ItemRow) -> Item:
    """Turn one row into an item.

    Raises:
        ValueError: A field breaks the format; the message says which and how.
    """
    if not is_id(row.id):
        raise ValueError(f"id is empty, or none: {RULE}")
    language = normalise_language(row.language)
    if language not in LANGUAGES:
        raise ValueError(f"language {row.language!r} is none of {' '.join(LANGUAGES)}")
    task, dataset = row.task.strip().upper(), slug(row.source_dataset)
    if task not in TASKS:
        raise ValueError(f"task {row.task!r} is none of {' '.join(TASKS)}")
    if not dataset or dataset_task(dataset) not in (None, task):
        raise ValueError(f"source_dataset {row.source_dataset!r} holds no {task} items")
    if not row.input.strip():
        raise ValueError("input is empty")
    if task == "QA":
        if not row.target.strip():
            raise ValueError("target, the reference answer, is empty")
        return Item(row.id, language, task, dataset, row.input, row.target.strip(), {})
    for word in OPENING[task]:
        if not re.search(f"^{word}", row.input, re.MULTILINE):
            raise ValueError(f"input has no line that opens with {word!r}")
    options = parse_options(row.input)
    if not options:
        raise ValueError("input has no line 'Options:'")
    if row.target.strip() not in options:
        raise ValueError(f"target {row.target!r} is none of its labels {' '.join(options)}")
    return Item(row.id, language, task, dataset, row.input, row.target.strip(), options)


def read_items(path: Path) -> list[Item]:
    """Read a file of items, or every .jsonl file of a folder, and check ids across languages.

    Returns:
        Items in file order.

    Raises:
        DataError: A row breaks the format, an id comes twice in a language, or the versions of an
            id differ in task, dataset, labels or target label; file, line and id are named.
    """
    paths = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    found: list[tuple[Item, str]] = []
    for file in paths:
        for line, row in numbered_rows(file, ItemRow):
            where = f"{file}, line {line}, id {row.id!r}"
            try:
                item = checked_item(row)
            except ValueError as error:
                raise DataError(f"{where}: {error}") from error
            found.append((item, where))
    if not found:
        raise DataError(f"{path}: holds no items")
    check_alignment(found)
    return [item for item, _ in found]


def check_alignment(items: Sequence[tuple[Item, str]]) -> None:
    """Check that an id comes once in a language and means the same in all.

    Args:
        items: Each with the words by which messages name its place.

    Raises:
        DataError: An id comes twice in a language, or its versions differ in task, dataset, labels
            or target label.
    """
    seen: dict[tuple[str, str], str] = {}
    firsts: dict[str, tuple[Item, str]] = {}
    for item, where in items:
        key = (item.id, item.language)
        if key in seen:
            raise DataError(f"{where}: in {item.language} already at {seen[key]}; drop one")
        seen[key] = where
        first, there = firsts.setdefault(item.id, (item, where))
        if fault := difference(first, item):
            raise DataError(f"{where}: {fault} than in {first.language} ({there})")


def difference(first: Item, second: Item) -> str | None:
    """Say in what two versions of one id differ that must not; None where they agree."""
    if first.task != second.task or first.dataset != second.dataset:
        return f"another task or dataset ({second.task} {second.dataset})"
    if list(first.options) != list(second.options):
        return f"other option labels ({' '.join(second.options)})"
    if first.options and first.target != second.target:
        return f"another target ({second.target})"
    return None


def unaligned(items: list[Item]) -> dict[str, list[str]]:
    """For each language, the ids that other languages of the file hold and it lacks."""
    ids: dict[str, set[str]] = {}
    for item in items:
        ids.setdefault(item.language, set()).add(item.id)
    everything = set().union(*ids.values())
    lacking = {language: sorted(everything - held) for language, held in sorted(ids.items())}
    return {language: missing for language, missing in lacking.items() if missing}
