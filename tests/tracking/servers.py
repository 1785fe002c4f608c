"""Real servers on loopback: MLflow's, and PostgreSQL under it."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

SECONDS = 600
# Debian keeps the server's programs out of the search path.
PLACES = (Path("/usr/lib/postgresql"), Path("/usr/local/lib/postgresql"))


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def wait_for(answers: Callable[[], bool], process: "subprocess.Popen[bytes]", log: Path) -> None:
    until = time.monotonic() + SECONDS
    while not answers():
        said = f"\n{log.read_text('utf-8', 'replace')[-3000:]}"
        assert process.poll() is None, f"the server ended{said}"
        assert time.monotonic() < until, f"the server does not answer{said}"
        time.sleep(0.2)


@contextmanager
def started(
    command: list[str], folder: Path, answers: Callable[[], bool], end: int, **settings: Any
) -> Iterator[None]:
    """Run a server in a group of its own, with its log in the folder, until the block is left."""
    log = folder / f"{Path(command[0]).name}.log"
    with log.open("wb") as sink:
        process = subprocess.Popen(
            command, cwd=folder, stdout=sink, stderr=sink, start_new_session=True, **settings
        )
    try:
        wait_for(answers, process, log)
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, end)
        process.wait(timeout=300)


@contextmanager
def mlflow_server(folder: Path, database: str, workers: int = 1) -> Iterator[str]:
    """Serve a database and an artefact store of its own; gives the address."""
    address = f"http://127.0.0.1:{free_port()}"

    def answers() -> bool:
        try:
            urllib.request.urlopen(f"{address}/health", timeout=2).close()  # noqa: S310
        except OSError:
            return False
        return True

    command = [
        *(sys.executable, "-m", "mlflow", "server", "--host", "127.0.0.1"),
        *("--port", address.rsplit(":", 1)[1], "--workers", str(workers)),
        *("--backend-store-uri", database),
        *("--artifacts-destination", str(folder / "artifacts")),
    ]
    environment = {
        **os.environ,
        "MLFLOW_DISABLE_TELEMETRY": "true",
        "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false",
    }
    with started(command, folder, answers, signal.SIGTERM, env=environment):
        yield address


def postgres_programs() -> Path | None:
    """The folder of initdb and postgres, the newest where there are several."""
    on_path = shutil.which("initdb")
    found = [Path(on_path).parent] if on_path else []
    for place in PLACES:
        found += sorted(place.glob("*/bin"), key=lambda path: path.parent.name, reverse=True)
    return next((path for path in found if (path / "postgres").is_file()), None)


def _account() -> dict[str, Any]:
    """Whom to run PostgreSQL as: it refuses root, so there an account without rights."""
    if os.geteuid() != 0:
        return {}
    import pwd

    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    entry = names.get("postgres") or names["nobody"]
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


@contextmanager
def postgres() -> Iterator[str]:
    """A PostgreSQL of its own with an empty database; gives its SQLAlchemy address."""
    programs = postgres_programs()
    assert programs is not None
    account = _account()
    # Not pytest's folder: that one is closed to any other account.
    folder = Path(tempfile.mkdtemp(prefix="isogloss-pg-"))
    try:
        if account:
            os.chown(folder, account["user"], account["group"])
        data, port = folder / "data", free_port()
        initdb = [
            *(str(programs / "initdb"), "-D", str(data), "-U", "isogloss", "-A", "trust"),
            *("--encoding=UTF8", "--locale=C", "--no-sync"),
        ]
        subprocess.run(initdb, check=True, capture_output=True, cwd=folder, **account)
        command = [
            *(str(programs / "postgres"), "-D", str(data), "-p", str(port), "-F"),
            *("-c", "listen_addresses=127.0.0.1", "-c", f"unix_socket_directories={folder}"),
        ]
        # SIGINT is its fast shutdown: whoever is still connected is cut off.
        with started(command, folder, lambda: _is_open(port), signal.SIGINT, **account):
            # Without the driver's name SQLAlchemy 2.1 looks for psycopg 3.
            yield f"postgresql+psycopg2://isogloss@127.0.0.1:{port}/postgres"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _is_open(port: int) -> bool:
    import psycopg2

    try:
        psycopg2.connect(host="127.0.0.1", port=port, user="isogloss", dbname="postgres").close()
    except psycopg2.OperationalError:
        return False
    return True
