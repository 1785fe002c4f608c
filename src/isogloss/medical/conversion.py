"""Published datasets become items: one file in, numbered items and counts out."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from isogloss.errors import DataError, UsageError
from isogloss.medical.items import Item, ItemRow, checked_item
from isogloss.medical.panel import dataset_task
from isogloss.medical.sources.draft import Draft, LeftOutError, RefusedError
from isogloss.medical.sources.exams import exam_draft
from isogloss.medical.sources.expertqa import expertqa_draft
from isogloss.medical.sources.liveqa import liveqa_draft
from isogloss.medical.sources.medexpqa import medexpqa_draft
from isogloss.medical.sources.mmlupro import mmlupro_draft
from isogloss.medical.sources.nli import bionli_draft, mednli_draft
from isogloss.medical.sources.published import records

Maker = Callable[[Mapping[str, Any], str, str], Draft]


@dataclass(frozen=True)
class Source:
    """How one published form is read.

    Attributes:
        dataset: Its slug.
        language: ISO 639-1.
        draft: Makes a draft of a record.
        fields: Columns that a table of it must have; none where publishers give several forms.
    """

    dataset: str
    language: str
    draft: Maker
    fields: tuple[str, ...] = ()


MEDEXPQA = ("full_question", "options", "correct_option")
SOURCES = {
    "headqa-es": Source("headqa", "es", exam_draft),
    "headqa-en": Source("headqa", "en", exam_draft),
    "medqa-us": Source("medqa", "en", exam_draft),
    "medqa-zh": Source("medqa", "zh", exam_draft),
    "medexpqa": Source("medexpqa", "en", medexpqa_draft, MEDEXPQA),
    "medexpqa-es": Source("medexpqa", "es", medexpqa_draft, MEDEXPQA),
    "mmlupro": Source(
        "mmlupro",
        "en",
        mmlupro_draft,
        ("category", "question", "options", "answer", "answer_index"),
    ),
    "mednli": Source("mednli", "en", mednli_draft, ("sentence1", "sentence2", "gold_label")),
    "bionli": Source("bionli", "en", bionli_draft, ("supp_set", "conclusion", "label_cat")),
    "expertqa": Source("expertqa", "en", expertqa_draft, ("question",)),
    "liveqa": Source("liveqa", "en", liveqa_draft),
}
REFUSED = "refused"


@dataclass(frozen=True)
class Conversion:
    """Items of one file and what became of every record.

    Attributes:
        items: In the order of the file; the number in an id is the record's place, from 0, so that
            leaving one out renames no other.
        counts: Records read, kept, and left out by reason: read is the sum of the others.
        refusals: One line for each record that could not be used, naming file and record.
    """

    items: list[Item]
    counts: dict[str, int]
    refusals: list[str]


def convert(name: str, path: Path, start: int = 0) -> Conversion:
    """Convert one file of a published dataset.

    Args:
        name: A key of `SOURCES`.
        path: The file as published: JSONL, JSON lines packed, JSON, CSV, Parquet or XML.
        start: The place of its first record, where it goes on with an earlier file's numbers.

    Raises:
        UsageError: There is no such source.
        DataError: The file cannot be read, lacks a column of this source, or holds no record.
    """
    source = _source(name)
    items: list[Item] = []
    counts: Counter[str] = Counter(read=0, kept=0)
    refusals: list[str] = []
    for place, (record_name, record, fault) in enumerate(records(path, source.fields), start):
        counts["read"] += 1
        try:
            if fault:
                raise RefusedError(fault)
            draft = source.draft(record, source.dataset, source.language)
            items.append(checked_item(item_row(draft, place)))
            counts["kept"] += 1
        except LeftOutError as reason:
            counts[str(reason)] += 1
        except (RefusedError, ValueError) as wrong:
            counts[REFUSED] += 1
            refusals.append(f"{path}, {record_name}: {wrong}")
    if not counts["read"]:
        raise DataError(f"{path}: holds no record of {name}; is it the publishers' file?")
    return Conversion(items, dict(counts), refusals)


def records_of(name: str) -> tuple[str, str]:
    """Dataset and language of a source: its files share one row of numbers.

    Raises:
        UsageError: There is no such source.
    """
    source = _source(name)
    return source.dataset, source.language


def _source(name: str) -> Source:
    if name not in SOURCES:
        raise UsageError(f"no source {name!r}: there are {', '.join(SOURCES)}")
    return SOURCES[name]


def item_row(draft: Draft, place: int) -> ItemRow:
    """Write a draft in the six-field format.

    Raises:
        RefusedError: The draft's dataset is not in the panel.
    """
    task = dataset_task(draft.dataset)
    if task is None:
        raise RefusedError(f"dataset {draft.dataset!r} is not in the panel")
    lines = [f"{word}: {text}" if word else text for word, text in draft.lines.items()]
    labels = [chr(ord("A") + index) for index in range(len(draft.options))]
    if labels:
        marked = [f"{label}: {text}" for label, text in zip(labels, draft.options, strict=True)]
        lines += ["Options:", *marked]
    return ItemRow(
        id=f"{task.lower()}-{draft.dataset}-{place:04d}",
        language=draft.language,
        task=task,
        source_dataset=draft.dataset,
        input="\n".join(lines),
        target=labels[draft.target] if isinstance(draft.target, int) else draft.target,
    )
