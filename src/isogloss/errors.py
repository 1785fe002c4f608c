"""One class per cause. Every message is one line: which file, row, key or id, and what to do."""

from isogloss.foreign_text import message_line


class IsoglossError(Exception):
    """Base of every expected failure; the command line prints it as one line and exits."""

    exit_code = 1

    def __str__(self) -> str:
        # What a message quotes comes from anywhere: it must not reach a terminal as it is.
        return message_line(super().__str__())


class UsageError(IsoglossError):
    """The call itself was wrong: an unknown name, a missing folder, clashing options."""

    exit_code = 2


class SettingsError(UsageError):
    """params.yaml holds an unknown key or a bad value."""


class DataError(IsoglossError):
    """A file, row or record cannot be used."""


class WriteError(IsoglossError):
    """A file cannot be written: a full disk, a closed folder, a name that is too long."""


class BenchmarkError(DataError):
    """A benchmark folder is incomplete or contradicts itself."""


class RunFileError(DataError):
    """A TREC run file breaks its format or names what the benchmark does not hold."""


class EncoderError(IsoglossError):
    """A model cannot be loaded or returned vectors that cannot be used."""


class StoreError(IsoglossError):
    """The vector store refused, lacks or contradicts what was asked of it."""


class TrackingError(IsoglossError):
    """The tracking store cannot be used as asked."""


class VersionMismatchError(IsoglossError):
    """Results of different dataset or metric versions were about to be mixed."""


class PullError(IsoglossError):
    """A pinned dataset version cannot be fetched: something of it is missing."""


class GateFailedError(IsoglossError):
    """A release lost significantly against the one before it."""


class EngineError(IsoglossError):
    """The engine that work was given to cannot be had, or did not bring it back."""


class MissingExtraError(IsoglossError):
    """An optional dependency is not installed."""

    def __init__(self, extra: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs an optional dependency: pip install 'isogloss[{extra}]'")
        self.extra = extra
        self._given = (extra, purpose)

    def __reduce__(self) -> tuple[type["MissingExtraError"], tuple[str, str]]:
        """As it was raised, from whichever process."""
        return type(self), self._given
