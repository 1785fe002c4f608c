"""Languages, datasets and models of the evaluation, and how files may write their names."""

from collections.abc import Iterable

from isogloss.medical.data import load

HIGHER: tuple[str, ...] = tuple(load("panel")["languages"]["higher"])
"""Higher-resource languages; English, the reference of every shift, comes first."""
LOWER: tuple[str, ...] = tuple(load("panel")["languages"]["lower"])
LANGUAGES = HIGHER + LOWER
ENGLISH = "en"

TASKS = ("MCQA", "NLI", "QA")
ARMS = ("mt", "reviewed")
OTHER_GROUP = "other"


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
    """The panel group of a model by key or printed name; `other` where it is not in the panel."""
    for key, entry in load("panel")["models"].items():
        if slug(model) in (slug(key), slug(entry["name"])):
            return str(entry["group"])
    return OTHER_GROUP


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
