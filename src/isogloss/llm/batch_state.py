"""Which batches are out: a small file beside the recordings, there only while one is."""

from pathlib import Path

import msgspec

from isogloss.files import one_line, write_json
from isogloss.llm.faults import RecordingError
from isogloss.llm.recordings import Recordings


class OpenBatch(msgspec.Struct):
    """One batch whose answers are not collected yet.

    Attributes:
        token: Made here and sent along as metadata, so that a batch can be found at the server
            by a run that was killed before it learned the id.
        requests: Key -> [replicate label, attempt] of each request in it.
        id: The server's id, or None until it is known.
    """

    token: str
    requests: dict[str, tuple[str, int]]
    id: str | None = None


class BatchState:
    """The open batches of one recordings file, written at each change."""

    def __init__(self, recordings: Recordings) -> None:
        self.path: Path = recordings.path.with_name(f"{recordings.path.stem}.batches.json")
        self.batches: list[OpenBatch] = []
        if self.path.exists():
            try:
                self.batches = msgspec.json.decode(self.path.read_bytes(), type=list[OpenBatch])
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise RecordingError(
                    f"{self.path}: cannot be read ({one_line(error)}); remove it to submit anew"
                ) from error

    @property
    def keys(self) -> set[str]:
        """The keys of all requests that are out."""
        return {key for batch in self.batches for key in batch.requests}

    def save(self) -> None:
        """Write the file, or remove it where nothing is out."""
        if self.batches:
            write_json(self.path, msgspec.to_builtins(self.batches))
        else:
            self.path.unlink(missing_ok=True)
