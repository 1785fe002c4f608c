"""The UI serves this project's store, on this machine only."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from tracked_projects import make_project

from isogloss.errors import UsageError
from isogloss.stages import ui


@pytest.mark.slow
def test_the_ui_answers_on_loopback_and_ends_with_its_parent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    make_project(tmp_path)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    code = (
        "from isogloss.project import find_project\n"
        "from isogloss.stages import ui\n"
        f"ui.run(find_project(), {port})"
    )
    environment = {name: value for name, value in os.environ.items() if "MLFLOW" not in name}
    process = subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path, env=environment)
    try:
        until = time.monotonic() + 600
        while True:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=2) as page:
                    assert b"<html" in page.read().lower()
                break
            except OSError:
                assert process.poll() is None
                assert time.monotonic() < until
                time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=300) == 0
        with pytest.raises(OSError, match="refused"):
            urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=2)
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(timeout=300)
    assert (tmp_path / "mlflow.db").is_file()


def test_a_server_or_a_port_that_cannot_be_used_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = make_project(tmp_path)
    with pytest.raises(UsageError, match="70000"):
        ui.run(project, 70000)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        with pytest.raises(UsageError, match=f"--port {taken}: cannot be used"):
            ui.run(project, taken)
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://127.0.0.1:9")
    with pytest.raises(UsageError, match="already"):
        ui.run(project)
