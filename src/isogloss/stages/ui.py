"""Start the MLflow UI on this project's store, on this machine only."""

import os
import signal
import socket
import subprocess
import sys

from isogloss.errors import TrackingError, UsageError
from isogloss.progress import note
from isogloss.project import Project

HOST = "127.0.0.1"
GRACE_SECONDS = 10.0


def run(project: Project, port: int = 5000) -> None:
    """Serve the UI until it is interrupted.

    Raises:
        UsageError: The store is a server already, or the port is no port or taken.
        TrackingError: The server could not be started.
    """
    from isogloss.tracking.experiments import MODE, links
    from isogloss.tracking.store import open_store

    if not 0 < port < 65536:
        raise UsageError(f"--port {port}: must be 1 to 65535")
    store = open_store(project)
    if store.database is None and store.uri.startswith("http"):
        raise UsageError(f"{store.place} is a tracking server already; open it in a browser")
    _check_port(port)
    command = [
        *(sys.executable, "-m", "mlflow", "server", "--host", HOST, "--port", str(port)),
        *("--backend-store-uri", store.uri, "--workers", "1"),
        *("--default-artifact-root", store.artifacts.resolve().as_uri()),
    ]
    address = f"http://{HOST}:{port}"
    note(f"MLflow UI: {address}/#/experiments?{MODE} (end it with Ctrl-C)")
    note('Runs are in the mode "Model training" (the switch at the top left), by experiment:')
    for line in links(store, address):
        note(f"  {line}")
    environment = {
        **os.environ,
        # Both ways that MLflow documents; the UI says that it collects usage data all the same.
        "MLFLOW_DISABLE_TELEMETRY": "true",
        "DO_NOT_TRACK": "true",
        # Background jobs of MLflow's own evaluators: nothing here uses them.
        "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false",
    }
    code = _serve(command, project, environment)
    if code:
        raise TrackingError(f"{HOST}:{port}: the MLflow server ended with exit code {code}")


def _check_port(port: int) -> None:
    with socket.socket() as listener:
        # As the server will: a port whose last connections are still closing is free.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, port))
        except OSError as error:
            raise UsageError(
                f"--port {port}: cannot be used on {HOST} ({error.strerror}); name another port"
            ) from error


def _serve(command: list[str], project: Project, environment: dict[str, str]) -> int:
    # The server starts workers of its own. In a group of theirs, all of them end with this process.
    server = subprocess.Popen(  # noqa: S603
        command, cwd=project.root, env=environment, start_new_session=True
    )
    endings = (signal.SIGINT, signal.SIGTERM)
    before = {ending: signal.signal(ending, signal.default_int_handler) for ending in endings}
    try:
        return server.wait()
    except KeyboardInterrupt:
        os.killpg(server.pid, signal.SIGTERM)
        try:
            server.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, signal.SIGKILL)
            server.wait()
        return 0
    finally:
        for ending, handler in before.items():
            signal.signal(ending, handler)
