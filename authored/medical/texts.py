"""The texts of this folder, each fault named by file and item."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from isogloss.errors import DataError
from isogloss.medical.items import Item, ItemRow, checked_item
from isogloss.medical.panel import ARMS, ENGLISH
from isogloss.medical.verdicts import DIMENSIONS, FLAGS
from isogloss.settings import read_yaml

FOLDER = Path(__file__).parent
TASKS = {"mcqa": "MCQA", "nli": "NLI", "qa": "QA"}
SCALE = range(1, 6)


@dataclass(frozen=True)
class Review:
    """One reviewer's entry: three scores, exact replacements in the text before, a comment."""

    scores: tuple[int, ...]
    edits: dict[str, str]
    comment: str


@dataclass(frozen=True)
class Translation:
    """A translation as a machine might write it, and what two reviewers made of it."""

    input: str
    target: str
    reviews: tuple[Review, Review]


@dataclass(frozen=True)
class Reply:
    """What the answerer says in one arm, and what is said of it.

    Attributes:
        text: The reply.
        refused: Whether it declines.
        scores: The second reader's five, None where the item has options.
        flags: Labels by flag of the rubric; those left out are "no".
        why: The second reader's reason.
        verdict: A verdict that is no JSON, in place of the scores.
        expert: An expert's five scores.
    """

    text: str
    refused: bool = False
    scores: tuple[int, ...] | None = None
    flags: dict[str, str] | None = None
    why: str = ""
    verdict: str | None = None
    expert: tuple[int, ...] | None = None


@cache
def items() -> list[Item]:
    """The English items, in the order of the file.

    Raises:
        DataError: One breaks the format of items.
    """
    path = FOLDER / "items.yaml"
    found = []
    for id_, written in read_yaml(path).items():
        kind, dataset, _ = id_.split("-")
        row = ItemRow(id_, ENGLISH, TASKS[kind], dataset, written["input"], written["target"])
        try:
            found.append(checked_item(row))
        except ValueError as error:
            raise DataError(f"{path}: {id_}: {error}") from error
    return found


@cache
def translations(language: str) -> dict[str, Translation]:
    """Translations and reviews by item id.

    Raises:
        DataError: An item lacks one, or a review is off the scale.
    """
    path = FOLDER / "translations" / f"{language}.yaml"
    found = {}
    for item, written in _by_item(path):
        where = f"{path}: {item.id}"
        reviews = tuple(_review(written[stage], where) for stage in ("first", "second"))
        target = item.target if item.options else written["target"]
        found[item.id] = Translation(written["machine"], target, (reviews[0], reviews[1]))
    return found


def _review(written: dict[str, Any], where: str) -> Review:
    scores = _scores(written["scores"], 3, where)
    return Review(scores, written.get("edits") or {}, written.get("comment") or "")


def edited(text: str, target: str, review: Review, where: str) -> tuple[str, str]:
    """Both texts of an item after a review.

    Raises:
        DataError: What is to be replaced is not there, or more than once.
    """
    for old, new in review.edits.items():
        if text.count(old) + target.count(old) != 1:
            raise DataError(f"{where}: {old!r} must stand once in the text before")
        text, target = text.replace(old, new), target.replace(old, new)
    return text, target


@cache
def replies(language: str) -> dict[tuple[str, str], Reply]:
    """Replies by arm and item id.

    Raises:
        DataError: An item lacks one, or scores are off the scale.
    """
    path = FOLDER / "replies" / f"{language}.yaml"
    found = {}
    for item, written in _by_item(path):
        whole = {"text": written} if isinstance(written, str) else dict(written)
        other = whole.pop("mt", {})
        other = {"text": other} if isinstance(other, str) else other
        for arm in ARMS:
            one = {**whole, **other} if arm == "mt" else whole
            found[arm, item.id] = _reply(one, not item.options, f"{path}: {item.id}")
    return found


def _reply(written: dict[str, Any], is_open: bool, where: str) -> Reply:
    if not is_open:
        return Reply(str(written["text"]), bool(written.get("refused")))
    flags = written.get("flags") or {}
    if not set(flags) <= set(FLAGS):
        raise DataError(f"{where}: flags are {', '.join(FLAGS)}")
    expert = written.get("expert")
    return Reply(
        text=written["text"],
        refused=bool(written.get("refused")),
        scores=_scores(written["scores"], len(DIMENSIONS), where),
        flags={flag: flags.get(flag, "no") for flag in FLAGS},
        why=written["why"],
        verdict=written.get("verdict"),
        expert=None if expert is None else _scores(expert, len(DIMENSIONS), where),
    )


def _scores(written: list[int], count: int, where: str) -> tuple[int, ...]:
    if len(written) != count or not all(score in SCALE for score in written):
        raise DataError(f"{where}: {count} scores from {SCALE[0]} to {SCALE[-1]}")
    return tuple(written)


def _by_item(path: Path) -> list[tuple[Item, Any]]:
    """What a file holds, joined to the items; it must hold each of them and nothing else."""
    written, wanted = read_yaml(path), items()
    if odd := set(written) ^ {item.id for item in wanted}:
        raise DataError(f"{path}: {min(odd)} is missing, or no item")
    return [(item, written[item.id]) for item in wanted]
