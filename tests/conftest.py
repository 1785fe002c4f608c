"""What every test may use."""

import json
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).parent


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the repository."""
    return TESTS.parent


def load_case(name: str) -> dict[str, Any]:
    """A failure case: its checks by name, each with input, expected value and tolerance."""
    case: dict[str, Any] = json.loads((TESTS / "cases" / f"{name}.json").read_text("utf-8"))
    return {check["name"]: check for check in case["checks"]}


@pytest.fixture
def case(request: pytest.FixtureRequest) -> dict[str, Any]:
    """The case named by ``@pytest.mark.parametrize("case", ["M03"], indirect=True)``."""
    return load_case(request.param)
