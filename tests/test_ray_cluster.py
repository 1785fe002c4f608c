"""A cluster that stands by itself, reached by its address from a process of its own."""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

# Not beside the engine's own Ray.
pytestmark = pytest.mark.xdist_group("ray_engine")

PATIENCE = 600
WORK = """
import sys
from functools import partial

import ray_work
from isogloss.engine import open_engine
from isogloss.errors import DataError

with open_engine(sys.argv[1]) as engine:
    print(engine.slots, [item for item, _ in engine.map(ray_work.unevenly, range(6), 1)])
    with engine.holding(partial(ray_work.make, "encoder"), None) as held:
        print([item for _, item in held.map(ray_work.held_by, iter(range(6)), 6)])
    try:
        list(engine.map(ray_work.refused, [1], 1))
    except DataError as error:
        print(error)
with open_engine(sys.argv[1]) as engine:
    print(list(engine.map(str, [1], 1)))
"""


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def listens(port: int) -> bool:
    with socket.socket() as one:
        one.settimeout(1)
        return one.connect_ex(("127.0.0.1", port)) == 0


def client_servers() -> Iterator[int]:
    """Processes that a head starts for one client each; ours is the only head that serves any."""
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if b"--mode=specific-server" in (folder / "cmdline").read_bytes():
                yield int(folder.name)


def kill_first(done: threading.Event, killed: list[int]) -> None:
    """Kill the first client server as it starts."""
    while not killed and not done.wait(0.02):
        for process in client_servers():
            os.kill(process, signal.SIGKILL)
            killed.append(process)
            return


def logs(folder: str) -> str:
    """What the head and its client servers said, which alone tells why one of them ended."""
    found = sorted(Path(folder, "session_latest", "logs").glob("ray_client_server*"))
    return "".join(f"\n{path.name}:\n{path.read_text('utf-8')[-4000:]}" for path in found)


@pytest.mark.slow
def test_a_cluster_is_used_by_its_address_though_a_client_server_dies_and_goes_on() -> None:
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN": secrets.token_hex(32),
    }
    environment.pop("RAY_ADDRESS", None)
    port, folder = free_port(), tempfile.mkdtemp(prefix="ray-", dir="/tmp")
    ray = [sys.executable, "-m", "ray.scripts.scripts", "start", "--head", "--block"]
    told = [f"--port={free_port()}", f"--ray-client-server-port={port}", f"--temp-dir={folder}"]
    quiet = ["--num-cpus=2", "--include-dashboard=false", "--disable-usage-stats"]
    with Path(folder, "said").open("wb") as said:
        head = subprocess.Popen(
            [*ray, *told, *quiet], env=environment, stdout=said, stderr=said, start_new_session=True
        )
    over, killed = threading.Event(), list[int]()
    killer = threading.Thread(target=kill_first, args=(over, killed))
    try:
        waited = time.monotonic()
        while not listens(port):
            assert head.poll() is None, Path(folder, "said").read_text("utf-8")
            assert time.monotonic() - waited < PATIENCE
            time.sleep(0.2)
        killer.start()
        done = subprocess.run(
            [sys.executable, "-c", WORK, f"ray://127.0.0.1:{port}"],
            env=environment, capture_output=True, text=True, timeout=PATIENCE,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr + logs(folder)
        seen = ["2 [0, 1, 2, 3, 4, 5]", "[0, 1, 2, 3, 4, 5]", "row 1: is none", "['1']"]
        assert done.stdout.splitlines() == seen, done.stderr
        assert killed
    finally:
        over.set()
        os.killpg(head.pid, signal.SIGTERM)
        try:
            head.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(head.pid, signal.SIGKILL)
        shutil.rmtree(folder, ignore_errors=True)
