"""What can stop a run of chat requests; each message is one line and holds no key."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from isogloss.errors import DataError, IsoglossError, UsageError

if TYPE_CHECKING:
    from isogloss.llm.replies import Reply


class ChatError(IsoglossError):
    """Base of what goes wrong between this project and a chat model."""


class MissingKeyError(UsageError):
    """The environment variable that shall hold an API key or address is empty or unusable."""


class OfflineError(ChatError):
    """A reply is not recorded, and calls are not allowed."""


class RecordingError(DataError):
    """A recordings file cannot be read or appended to."""


class StoppedError(ChatError):
    """A run ended before every request had its reply; what was answered is recorded.

    Attributes:
        replies: In the order of the requests; None where none was had.
    """

    def __init__(self, message: str, replies: "Sequence[Reply | None]" = ()) -> None:
        super().__init__(message)
        self.replies = replies
