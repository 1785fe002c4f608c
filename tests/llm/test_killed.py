"""A process that is killed or stopped in mid-run loses no line and pays nothing twice."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CONCURRENCY = 8
CALLS = 300

PROGRAM = """
import sys
from pathlib import Path
from chats import model_at, questions
from isogloss.llm.door import ask
from isogloss.llm.recordings import Recordings
model = model_at(sys.argv[1])
requests = questions(model, *(f"q{number}" for number in range(int(sys.argv[3]))))
with Recordings(Path(sys.argv[2])) as recordings:
    replies = ask(requests, model, recordings, concurrency=int(sys.argv[4]))
assert [reply.text for reply in replies] == [f"echo q{n}" for n in range(len(requests))]
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """The address of a server process and the file that lists what it was asked."""
    log = tmp_path / "asked"
    process = subprocess.Popen(
        [sys.executable, str(HERE / "loopback.py"), "--delay", "0.02", "--log", str(log)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    yield f"http://127.0.0.1:{process.stdout.readline().strip()}/v1", log
    process.kill()
    process.wait()
    process.stdout.close()


def start(url: str, recordings: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, url, str(recordings), str(CALLS), str(CONCURRENCY)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), *filter(None, sys.path)])},
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for_lines(path: Path, lines: int) -> None:
    deadline = time.monotonic() + 60
    while not path.exists() or path.read_bytes().count(b"\n") < lines:
        assert time.monotonic() < deadline, "the run recorded too little"
        time.sleep(0.005)


def whole_lines(path: Path) -> list[str]:
    *lines, _ = path.read_bytes().split(b"\n")
    return [json.loads(line)["key"] for line in lines]


def test_kill_9_three_times_then_resume(server: tuple[str, Path], tmp_path: Path) -> None:
    url, log = server
    path = tmp_path / "recordings.jsonl"
    kept: list[str] = []
    for kill in range(1, 4):
        run = start(url, path)
        wait_for_lines(path, 60 * kill)
        run.send_signal(signal.SIGKILL)
        run.communicate()
        assert run.returncode == -signal.SIGKILL
        now = whole_lines(path)
        # No line that lay there before is lost or moved.
        assert now[: len(kept)] == kept
        kept = now
        assert len(kept) < CALLS
    run = start(url, path)
    _, said = run.communicate(timeout=900)
    assert run.returncode == 0, said
    keys = whole_lines(path)
    assert len(keys) == len(set(keys)) == CALLS
    asked = Counter(log.read_text().split())
    assert set(asked) == {f"q{number}" for number in range(CALLS)}
    # Paid twice were at most the calls in flight at a kill.
    assert sum(asked.values()) - CALLS <= 3 * CONCURRENCY


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_polite_stop_lets_calls_in_flight_end(
    server: tuple[str, Path], tmp_path: Path, number: signal.Signals
) -> None:
    url, log = server
    path = tmp_path / "recordings.jsonl"
    run = start(url, path)
    wait_for_lines(path, 40)
    run.send_signal(number)
    _, said = run.communicate(timeout=900)
    assert run.returncode == 1
    assert f"stopped by {number.name}" in said
    assert len(whole_lines(path)) == len(log.read_text().split()) < CALLS
    run = start(url, path)
    assert run.wait(timeout=900) == 0
    run.communicate()
    # Nothing at all was paid twice.
    assert len(log.read_text().split()) == CALLS
