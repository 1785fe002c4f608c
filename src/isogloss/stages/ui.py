"""Start the MLflow UI on this project's store, on this machine only."""

import os
import signal
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
        UsageError: The store is a server already, or the port is no port.
        TrackingError: The server could not be started.
    """
    from isogloss.tracking.store import open_store

    if not 0 < port < 65536:
        raise UsageError(f"--port {port}: must be 1 to 65535")
    store = open_store(project)
    if store.database is None and store.uri.startswith("http"):
        raise UsageError(f"{store.uri} is a tracking server already; open it in a browser")
    command = [
        *(sys.executable, "-m", "mlflow", "server", "--host", HOST, "--port", str(port)),
        *("--backend-store-uri", store.uri, "--workers", "1"),
        *("--default-artifact-root", store.artifacts.resolve().as_uri()),
    ]
    note(f"MLflow UI: http://{HOST}:{port} (end it with Ctrl-C)")
    environment = {
        **os.environ,
        "MLFLOW_DISABLE_TELEMETRY": "true",
        # Background jobs of MLflow's own evaluators: nothing here uses them.
        "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false",
    }
    code = _serve(command, project, environment)
    if code:
        raise TrackingError(f"{HOST}:{port}: the MLflow server ended with exit code {code}")


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
