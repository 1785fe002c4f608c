"""Which models the maintainers stand for, and where these are asked while recording."""

from dataclasses import replace
from typing import Any

from isogloss.benchmark import by_maintainers
from isogloss.chat_settings import ChatModelSettings, ChatSettings
from isogloss.project import Project

ROLES = ("generator", "verifier", "translator", "judge", "refusal_classifier")


def asking(project: Project, url: str) -> Project:
    """The project with the maintainers' models at an address, one call at a time.

    One at a time keeps the lines of a recording in order.
    """
    chat = project.settings.chat
    there = {
        **chat.model_dump(),
        **{role: _at(getattr(chat, role), url) for role in ROLES},
        "answerers": {key: _at(model, url) for key, model in chat.answerers.items()},
        "concurrency": 1,
    }
    update = {"chat": ChatSettings.model_validate(there)}
    return replace(project, settings=project.settings.model_copy(update=update))


def _at(model: ChatModelSettings, url: str) -> dict[str, Any]:
    where = {"base_url": url, "replay_only": False} if by_maintainers(model.name) else {}
    return {**model.model_dump(), **where}
