"""Run one piece of work in a process of its own and take its time and peak memory."""

import importlib
import json
import os
import platform
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
THREADS = "2"


@dataclass(frozen=True)
class Measured:
    """Median seconds of the work, peak resident memory of its process, and what it returned."""

    seconds: float
    peak_mb: float
    value: float | None


def measure(work: str, *arguments: str, repeats: int = 3) -> Measured:
    """Run ``benchmarks.<module>:<function>`` in a fresh process.

    The function returns a callable; only calling that is timed, so that imports and the making of
    inputs stay out. The first, cold call is left out of the median where there are several. What
    the callable returns comes back where it is a number.
    """
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.measure", work, str(repeats), *arguments],
        cwd=ROOT,
        check=True,
        stdout=subprocess.PIPE,
        env={**os.environ, "OMP_NUM_THREADS": THREADS, "MKL_NUM_THREADS": THREADS},
    )
    found = json.loads(done.stdout.splitlines()[-1])
    return Measured(found["seconds"], found["peak_mb"], found["value"])


def machine() -> str:
    """Name what the figures were measured on."""
    lines = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    names = [line.split(":", 1)[1].strip() for line in lines.splitlines() if "model name" in line]
    model = names[0] if names else platform.processor()
    return f"{model}, {os.cpu_count()} cores, {THREADS} threads, Python {platform.python_version()}"


def versions(*packages: str) -> str:
    """Name the releases of the peers."""
    return ", ".join(f"{package} {version(package)}" for package in packages)


def _child() -> None:
    work, repeats, *arguments = sys.argv[1:]
    module, function = work.split(":")
    call = getattr(importlib.import_module(f"benchmarks.{module}"), function)(*arguments)
    times = []
    value: Any = None
    for _ in range(int(repeats)):
        start = time.perf_counter()
        value = call()
        times.append(time.perf_counter() - start)
    warm = sorted(times[1:] or times)
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # Worker processes run two at a time, none larger than the largest: an upper bound.
    peak = own + int(THREADS) * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    number = value if isinstance(value, int | float) else None
    print(json.dumps({"seconds": warm[len(warm) // 2], "peak_mb": peak / 1024, "value": number}))


if __name__ == "__main__":
    _child()
