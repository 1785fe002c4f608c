"""Start the MLflow UI on this project's store, on this machine only."""

import os
import signal
import subprocess
import sys

from isogloss.errors import TrackingError, UsageError
from isogloss.progress import note
from isogloss.project import Project

HOST = "127.0.0.1"


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
    environment = {**os.environ, "MLFLOW_DISABLE_TELEMETRY": "true"}
    process = subprocess.Popen(command, cwd=project.root, env=environment)  # noqa: S603
    try:
        code = process.wait()
    except KeyboardInterrupt:
        process.send_signal(signal.SIGINT)
        process.wait()
        return
    if code:
        raise TrackingError(f"{HOST}:{port}: the MLflow server ended with exit code {code}")
