"""Who answers: models of the panel, models of one's own, and floors that ask nobody."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from isogloss.chat_settings import ChatModelSettings
from isogloss.errors import UsageError
from isogloss.faults import known_names
from isogloss.medical.data import load
from isogloss.medical.panel import FLOOR_GROUP, OTHER_GROUP
from isogloss.settings import parse

CHOICE, OPEN, OPEN_MT = "choice", "qa", "qa-mt"


@dataclass(frozen=True)
class Answerer:
    """One answerer.

    Attributes:
        key: Its key, which names its files and stands in its rows.
        group: Panel group, ``other`` for one's own model, ``floor`` for no model at all.
        asked: Kinds of questions it takes.
        endpoint: How it is reached; None for a floor.
        method: How a floor answers; None for a model.
        encoder: Key of the model whose vectors a floor compares.
    """

    key: str
    group: str
    asked: frozenset[str]
    endpoint: ChatModelSettings | None = None
    method: Literal["majority", "nearest"] | None = None
    encoder: str | None = None

    def takes(self, task: str, arm: str) -> bool:
        """Whether it is asked items of a task in an arm.

        A model whose refusals alone were counted is asked what has options (our reading).
        """
        if task != "QA":
            return bool(self.asked & {CHOICE, "refusals"})
        return OPEN in self.asked and (arm == "reviewed" or OPEN_MT in self.asked)


def answerer(key: str, own: Mapping[str, ChatModelSettings]) -> Answerer:
    """Find an answerer.

    Args:
        key: Its key.
        own: Endpoints of `chat.answerers`: models beside the panel, which take every task, or
            another address for one of the panel's.

    Raises:
        UsageError: Nothing is declared under that key.
    """
    panel = load("panel")
    if key in panel["floors"]:
        floor = panel["floors"][key]
        return Answerer(
            key,
            FLOOR_GROUP,
            frozenset({CHOICE}),
            method=floor["method"],
            encoder=floor.get("encoder"),
        )
    if key in panel["models"]:
        entry = panel["models"][key]
        endpoint = own.get(key) or parse(
            ChatModelSettings, entry["endpoint"], f"panel.yaml: {key}.endpoint"
        )
        return Answerer(key, entry["group"], frozenset(entry["asked"]), endpoint)
    if key in own:
        return Answerer(key, OTHER_GROUP, frozenset({CHOICE, OPEN, OPEN_MT}), own[key])
    known = known_names(key, [*panel["models"], *panel["floors"], *own])
    raise UsageError(f"no answerer {key!r}: declare it under chat.answerers{known}")
