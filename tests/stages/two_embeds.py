"""Two processes embed one table: the first is stopped in the middle until the second waits.

``python two_embeds.py FOLDER`` prints what each of them said and whether the table is whole.
"""

import os
import signal
import sys
import time
from pathlib import Path

from killing import BENCHMARK, MODEL, embedded, forked, lay_out

from isogloss.project import find_project
from isogloss.retrieval import staging
from isogloss.stages import embed


def started(folder: Path, log: Path) -> int:
    """Embed in a fork that writes what it says to a file."""
    child = os.fork()
    if not child:
        code = 1
        try:
            opened = os.open(log, os.O_WRONLY | os.O_CREAT)
            os.dup2(opened, 1)
            os.dup2(opened, 2)
            sys.stdout = sys.stderr = os.fdopen(opened, "w", buffering=1)
            embed.run(find_project(folder), BENCHMARK, MODEL, "cpu")
            code = 0
        finally:
            os._exit(code)
    return child


def waited(condition: object) -> None:
    """Look until something is so."""
    end = time.monotonic() + 120
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < end
        time.sleep(0.001)


def main(place: Path) -> None:
    """Start one, stop it, start the other, let the first go on."""
    staging.FLUSH_SECONDS = 0.0
    folder = place / "project"
    assert forked(lambda: lay_out(folder))[0] == 0
    logs = [place / "first.log", place / "second.log"]
    first = started(folder, logs[0])
    waited(lambda: list((folder / "lancedb").glob("*.staging.lance/_versions/*.manifest")))
    os.kill(first, signal.SIGSTOP)
    second = started(folder, logs[1])
    waited(lambda: logs[1].exists() and "waiting for it" in logs[1].read_text())
    os.kill(first, signal.SIGCONT)
    for child in (first, second):
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    print(forked(lambda: embedded(find_project(folder)))[1]["tables"])
    for log in logs:
        print(log.read_text())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
