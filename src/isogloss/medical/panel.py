"""Languages, datasets and models of the evaluation, and how files may write their names."""

from collections.abc import Iterable
from typing import Any

from isogloss.benchmark import by_maintainers
from isogloss.medical.data import load

HIGHER: tuple[str, ...] = tuple(load("panel")["languages"]["higher"])
"""Higher-resource languages; English, the reference of every shift, comes first."""
LOWER: tuple[str, ...] = tuple(load("panel")["languages"]["lower"])
LANGUAGES = HIGHER + LOWER
ENGLISH = "en"

TASKS = ("MCQA", "NLI", "QA")
ARMS = ("mt", "reviewed")
OTHER_GROUP = "other"
FLOOR_GROUP = "floor"
HAND_GROUP = "by-hand"
"""Replies that the maintainers wrote themselves, in the sample: no model at all."""


def slug(name: str) -> str:
    """A name without case, blanks and punctuation: ``HEAD-QA`` and ``HeadQA`` are ``headqa``."""
    return "".join(character for character in name.casefold() if character.isalnum())


def dataset_name(dataset: str) -> str:
    """The printed name of a dataset; its slug where the panel does not know it."""
    return str(load("panel")["datasets"].get(dataset, {}).get("name", dataset))


def dataset_task(dataset: str) -> str | None:
    """The task that the panel gives a dataset, None where it does not know it."""
    task = load("panel")["datasets"].get(dataset, {}).get("task")
    return None if task is None else str(task)


def in_panel_order(datasets: Iterable[str]) -> list[str]:
    """Sort dataset slugs as the panel lists them, unknown ones last by name."""
    order = list(load("panel")["datasets"])
    return sorted(set(datasets), key=lambda d: (order.index(d) if d in order else len(order), d))


def group_of(model: str) -> str:
    """The group of a model by key or printed name: the panel's, `floor` for offline answerers.

    `by-hand` where the maintainers wrote the replies, `other` where the panel knows no such model.
    """
    if by_maintainers(model):
        return HAND_GROUP
    entry = _entry(model)
    return OTHER_GROUP if entry is None else str(entry.get("group", FLOOR_GROUP))


def model_name(model: str) -> str:
    """The printed name of a model; the name as given where the panel does not know it."""
    if by_maintainers(model):
        return f"{model} (by hand)"
    entry = _entry(model)
    return model if entry is None else str(entry["name"])


def model_place(model: str) -> tuple[int, str]:
    """Sorts models: the panel's in its order, unknown ones by name, floors last."""
    keys = [slug(key) for key in load("panel")["models"]]
    names = [slug(entry["name"]) for entry in load("panel")["models"].values()]
    wanted = slug(model)
    place = next((k.index(wanted) for k in (keys, names) if wanted in k), len(keys))
    return (len(keys) + 1 if group_of(model) == FLOOR_GROUP else place), model


def _entry(model: str) -> dict[str, Any] | None:
    wanted = slug(model)
    for key, entry in {**load("panel")["models"], **load("panel")["floors"]}.items():
        if wanted in (slug(key), slug(entry["name"])):
            found: dict[str, Any] = entry
            return found
    return None


def models_asked(kind: str) -> list[str]:
    """Keys of the panel's models that are asked a kind of thing, in its order.

    Args:
        kind: ``choice``, ``qa`` (reviewed arm), ``qa-mt`` (both arms) or ``refusals``.
    """
    return [key for key, entry in load("panel")["models"].items() if kind in entry["asked"]]


def language_groups() -> dict[str, tuple[str, ...]]:
    """The language groups of pooled open-ended figures."""
    rest = tuple(language for language in HIGHER if language != ENGLISH)
    return {ENGLISH: (ENGLISH,), "other-higher": rest, **{lang: (lang,) for lang in LOWER}}
