"""Work for Ray's workers, which import it by this name; some of it dies the first time."""

import os
import signal
import time
from pathlib import Path
from typing import Any, NoReturn

from isogloss.errors import DataError, MissingExtraError
from isogloss.patents.google_scan import Task
from isogloss.patents.scan_files import Stored, scan_to_files
from isogloss.patents.selection import Rules
from isogloss.retrieval.embedding import Batch, embed_batch
from isogloss.retrieval.tables import Computed


def die_once(marker: Path) -> None:
    """As a worker that the system kills, but only before the marker is there."""
    if not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)


def unevenly(item: int) -> tuple[int, int]:
    """Later items are done sooner; says who did it."""
    time.sleep(0.03 * (2 - item % 3))
    return item, os.getpid()


def placed(item: int, folder: Path) -> tuple[int, str]:
    """Long enough for every node to get some; leaves a mark of where it began, and says where."""
    import ray

    node: str = ray.get_runtime_context().get_node_id()
    (folder / f"{node}-{item}").touch()
    time.sleep(0.5)
    return item, node


def dying(item: int, marker: Path) -> int:
    if item == 5:
        die_once(marker)
    return item


def dead(item: int) -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError(item)


def refused(item: int) -> NoReturn:
    raise DataError(f"row {item}: is none")


def lacking(item: int) -> NoReturn:
    raise MissingExtraError("sample", f"model {item}")


def make(name: str) -> tuple[str, int]:
    return name, os.getpid()


def make_none() -> NoReturn:
    raise DataError("weights: cannot be read")


def held_by(held: tuple[str, int], item: int) -> tuple[tuple[str, int], int]:
    return held, item


def dying_held(held: tuple[str, int], item: int, marker: Path) -> int:
    return dying(item, marker)


def dying_scan(work: tuple[Task, str], rules: Rules, folder: Path, marker: Path) -> None:
    """A part of an export, of which one was half written when its worker died."""
    if work[0].path.name == "1.jsonl" and not marker.exists():
        stored: Any = Stored(folder, work[1])
        stored._outcomes.write_bytes(b"half")
        die_once(marker)
    scan_to_files(work, rules, folder)


def dying_embed_batch(encoder: Any, batch: Batch, side: str, marker: Path) -> Computed:
    """A batch of texts, one of which kills its worker after it was encoded."""
    done = embed_batch(encoder, batch, side)  # type: ignore[arg-type]
    if "f05:en" in batch.ids:
        die_once(marker)
    return done
