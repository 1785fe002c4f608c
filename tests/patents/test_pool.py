from pathlib import Path

import pytest

from isogloss.patents.pool import default_workers, in_order


@pytest.mark.parametrize("workers", [1, 2])
def test_results_keep_the_order_of_the_work(workers: int) -> None:
    work = [Path("b"), Path("a"), Path("c")]
    assert list(in_order(str, work, workers, "naming")) == ["b", "a", "c"]


def test_an_error_of_a_worker_reaches_the_caller() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        list(in_order(int, ["1", "x"], 2, "reading"))


def test_no_more_processes_than_memory_allows() -> None:
    assert 1 <= default_workers() <= 4
