"""Where a chat model is reached."""

import os

from isogloss.chat_settings import ChatModelSettings as ChatModelSettings
from isogloss.chat_settings import address_fault
from isogloss.llm.faults import MissingKeyError

OFFICIAL = "https://api.openai.com/v1"


def address(model: ChatModelSettings) -> str:
    """The base URL of a model.

    Raises:
        MissingKeyError: The variable that shall hold it is empty or holds no usable URL.
    """
    if model.base_url_env is None:
        return model.base_url or OFFICIAL
    url = os.environ.get(model.base_url_env, "").strip()
    fault = address_fault(url) if url else "is not set"
    if fault:
        raise MissingKeyError(
            f"environment variable {model.base_url_env} (model {model.name}) {fault}"
        )
    return url
