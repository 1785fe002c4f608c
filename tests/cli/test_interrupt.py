"""Ctrl-C ends any command with one line and the code that shells expect."""

import signal
import subprocess
import sys

WAITING = """
import signal
import time
from isogloss.cli import main

# A shell starts what it puts into the background deaf to the key.
signal.signal(signal.SIGINT, signal.default_int_handler)

@main.app.command()
def wait() -> None:
    print("waiting", flush=True)
    time.sleep(60)

main.main(["wait"])
"""


def test_an_interrupted_command_says_one_line_and_exits_with_130() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WAITING], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "waiting\n"
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=900)
    assert told.strip() == "isogloss: interrupted; what is written is whole: run it again to go on"
    assert process.returncode == 130
