"""The key reaches the server's header and nothing else."""

import os
import subprocess
import sys
import traceback
from pathlib import Path

import pytest
from chats import SECRET, model_at, questions
from loopback import Answer, Call, Loopback, answer, error

from isogloss.llm.door import ask
from isogloss.llm.faults import StoppedError
from isogloss.llm.recordings import Recordings

ECHO = {
    "401": error(401, f"Incorrect API key provided: {SECRET}."),
    "400": error(400, f"no such header {SECRET}"),
    "500": error(500, SECRET),
    "html": Answer(f"<html>{SECRET}</html>".encode(), 500),
    "filter": error(400, f"filtered {SECRET}", "content_filter"),
    "answer": answer(f"your key is {SECRET}"),
    "refusal": answer(None, refusal=f"I do not like {SECRET}"),
}


@pytest.mark.parametrize("echo", ECHO.values(), ids=ECHO.keys())
def test_an_echoed_key_reaches_no_recording_reply_or_exception(
    tmp_path: Path, echo: Answer
) -> None:
    path = tmp_path / "r.jsonl"
    shown = ""
    with Loopback(lambda call: echo) as server, Recordings(path) as recordings:
        model = model_at(server.url, retries=1)
        try:
            replies = ask(questions(model, "q"), model, recordings)
        except StoppedError as error:
            shown = "".join(traceback.format_exception(error)) + repr(error.replies)
        else:
            shown = repr(replies) + repr([reply.response for reply in replies])
        assert SECRET in server.calls[0].headers["authorization"]
    assert SECRET not in shown
    assert SECRET.encode() not in path.read_bytes()


PROGRAM = """
import logging, sys
logging.basicConfig(level=logging.DEBUG)
from pathlib import Path
from chats import model_at, questions
from isogloss.llm.door import ask
from isogloss.llm.recordings import Recordings
model = model_at(sys.argv[1], retries=1)
with Recordings(Path(sys.argv[2])) as recordings:
    ask(questions(model, "a", "b", "c"), model, recordings, concurrency=1, progress="Asking")
"""


def test_the_loudest_logs_and_a_traceback_hold_no_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def behave(call: Call) -> Answer:
        return {"a": answer("yes"), "b": error(500, SECRET)}.get(call.said, error(401, SECRET))

    monkeypatch.setenv("OPENAI_LOG", "debug")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    with Loopback(behave) as server:
        ran = subprocess.run(
            [sys.executable, "-c", PROGRAM, server.url, str(tmp_path / "r.jsonl")],
            capture_output=True,
            text=True,
            timeout=900,
        )
    assert ran.returncode == 1
    assert "StoppedError" in ran.stderr
    assert "DEBUG" in ran.stderr
    assert SECRET not in ran.stderr + ran.stdout
