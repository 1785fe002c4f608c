"""A cluster of two nodes that stands by itself, reached by its address from other processes."""

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
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
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
PLACED = """
import sys
from functools import partial
from pathlib import Path

import ray_work
from isogloss.engine import open_engine

with open_engine(sys.argv[1]) as engine:
    work = partial(ray_work.placed, folder=Path(sys.argv[2]))
    results = list(engine.map(work, range(24), 1))
    print([item for item, _ in results] == list(range(24)), len({node for _, node in results}))
"""


class Cluster:
    """A head and a second node of one processor each, on this machine; every one ends with it."""

    def __init__(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="ray-", dir="/tmp")
        self.environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
            "RAY_USAGE_STATS_ENABLED": "0",
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN": secrets.token_hex(32),
        }
        self.environment.pop("RAY_ADDRESS", None)
        port, self.client_port = free_port(), free_port()
        self.address = f"ray://127.0.0.1:{self.client_port}"
        told = [f"--port={port}", f"--ray-client-server-port={self.client_port}"]
        self.head = self._start(
            "--head", *told, "--include-dashboard=false", f"--temp-dir={self.folder}"
        )
        self._wait(lambda: listens(self.client_port))
        self.node = self._start(f"--address=127.0.0.1:{port}")
        said = Path(self.folder, "said")
        self._wait(lambda: said.read_text("utf-8").count("Ray runtime started") == 2)

    def _start(self, *told: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block"]
        with Path(self.folder, "said").open("ab") as said:
            return subprocess.Popen(
                [*command, *told, "--num-cpus=1", "--disable-usage-stats"],
                env=self.environment, stdout=said, stderr=said, start_new_session=True,
            )  # fmt: skip

    def _wait(self, until: Callable[[], bool]) -> None:
        waited = time.monotonic()
        while not until():
            assert self.head.poll() is None, Path(self.folder, "said").read_text("utf-8")
            assert time.monotonic() - waited < PATIENCE
            time.sleep(0.2)

    def started(self, code: str, *told: str) -> subprocess.Popen[str]:
        """A process of a user of the cluster."""
        return subprocess.Popen(
            [sys.executable, "-c", code, self.address, *told],
            env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def printed(self, process: subprocess.Popen[str]) -> list[str]:
        """What it printed, once it has ended well."""
        out, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, err + self.logs()
        return out.splitlines()

    def logs(self) -> str:
        """What the head's client servers said, which alone tells why one of them ended."""
        found = sorted(Path(self.folder, "session_latest", "logs").glob("ray_client_server*"))
        return "".join(f"\n{path.name}:\n{path.read_text('utf-8')[-4000:]}" for path in found)

    def close(self) -> None:
        for process in (self.node, self.head):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
        shutil.rmtree(self.folder, ignore_errors=True)


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def listens(port: int) -> bool:
    with socket.socket() as one:
        one.settimeout(1)
        return one.connect_ex(("127.0.0.1", port)) == 0


def processes(*parts: bytes) -> Iterator[int]:
    """Those whose command line holds each part."""
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            command = (folder / "cmdline").read_bytes()
            if all(part in command for part in parts):
                yield int(folder.name)


def kill_first(done: threading.Event, killed: list[int]) -> None:
    """Kill the first client server as it starts."""
    while not killed and not done.wait(0.02):
        # The head starts one for each client; no other head here serves any.
        for process in processes(b"--mode=specific-server"):
            os.kill(process, signal.SIGKILL)
            killed.append(process)
            return


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    one = Cluster()
    try:
        yield one
    finally:
        one.close()


@pytest.mark.slow
def test_a_cluster_is_used_by_its_address_though_a_client_server_dies_and_goes_on(
    cluster: Cluster,
) -> None:
    over, killed = threading.Event(), list[int]()
    killer = threading.Thread(target=kill_first, args=(over, killed))
    killer.start()
    try:
        printed = cluster.printed(cluster.started(WORK))
    finally:
        over.set()
    seen = ["2 [0, 1, 2, 3, 4, 5]", "[0, 1, 2, 3, 4, 5]", "row 1: is none", "['1']"]
    assert printed == seen
    assert killed


@pytest.mark.slow
def test_a_node_that_dies_in_mid_work_loses_and_doubles_nothing(
    cluster: Cluster, tmp_path: Path
) -> None:
    """After the test above: the cluster has one node from here on."""
    assert cluster.printed(cluster.started(PLACED, str(tmp_path))) == ["True 2"]
    began = {path.name.partition("-")[0] for path in tmp_path.iterdir()}
    again = tmp_path / "again"
    again.mkdir()
    process = cluster.started(PLACED, str(again))
    # Both have begun: what the second one has in hand is lost with it.
    cluster._wait(lambda: {path.name.partition("-")[0] for path in again.iterdir()} == began)
    nodes = partial(processes, b"/raylet/raylet", os.fsencode(cluster.folder))
    assert len(list(nodes())) == 2
    os.killpg(cluster.node.pid, signal.SIGKILL)
    cluster._wait(lambda: len(list(nodes())) == 1)
    assert cluster.printed(process)[0].startswith("True ")
