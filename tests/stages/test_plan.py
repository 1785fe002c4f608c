from pathlib import Path

import pytest

from isogloss.errors import UsageError
from isogloss.project import Project
from isogloss.report.page.budget import rate_cell
from isogloss.retrieval.budget import ReadingDepth
from isogloss.settings import Settings
from isogloss.stages.plan import run


@pytest.mark.parametrize("what", ["price", "seconds"])
@pytest.mark.parametrize("value", [1e308, 1e303, float("inf"), float("nan"), -1.0])
def test_a_rate_whose_cost_is_no_finite_number_is_refused(
    tmp_path: Path, what: str, value: float
) -> None:
    with pytest.raises(UsageError, match=f"^--{what} .* finite"):
        run(Project(tmp_path, Settings.model_validate({"run": {}})), **{what: value})


def test_the_largest_rate_taken_gives_finite_costs() -> None:
    with pytest.raises(UsageError, match="no benchmark"):
        run(Project(Path("/"), Settings.model_validate({"run": {}})), ["x"], price=1e302)
    assert "inf" not in rate_cell(reading(1000), 1e302 * 1000).text


@pytest.mark.parametrize(
    ("rate", "cost"), [(0.002, 0.026), (2e-15, 2.6e-14), (0.1, 1.3), (1e300, 1.3e301)]
)
def test_a_cost_has_no_noise_and_a_small_one_is_no_zero(rate: float, cost: float) -> None:
    assert rate_cell(reading(13), rate).value == cost


def reading(depth: int) -> ReadingDepth:
    return ReadingDepth(0.8, 9, 1.0, depth, depth, depth)
