"""Seeded stratified samples."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isogloss.review.sampling import shares, shuffled, stratified_sample


@pytest.mark.parametrize(
    ("sizes", "wanted", "expected"),
    [
        ([50, 30, 20], 10, [5, 3, 2]),
        ([100, 1, 1], 10, [8, 1, 1]),
        ([5, 5], 100, [5, 5]),
        ([3, 3, 3], 2, [1, 1, 0]),
        ([10, 10], 3, [2, 1]),
        ([], 3, []),
    ],
)
def test_shares(sizes: list[int], wanted: int, expected: list[int]) -> None:
    assert shares(sizes, wanted) == expected


@given(st.lists(st.integers(1, 40), max_size=8), st.integers(0, 120))
def test_shares_add_up_and_take_no_more_than_there_is(sizes: list[int], wanted: int) -> None:
    taken = shares(sizes, wanted)
    assert sum(taken) == min(wanted, sum(sizes))
    assert all(0 <= some <= size for some, size in zip(taken, sizes, strict=True))
    if wanted >= len(sizes):
        assert all(some >= 1 for some in taken)


def test_a_sample_does_not_depend_on_the_order_of_rows() -> None:
    ids = [f"q{n}" for n in range(60)]
    strata = [f"s{n % 3}" for n in range(60)]
    drawn = stratified_sample(ids, strata, 12, seed=7)
    assert drawn == stratified_sample(ids[::-1], strata[::-1], 12, seed=7)
    assert drawn != stratified_sample(ids, strata, 12, seed=8)
    assert len(set(drawn)) == 12
    assert [sum(int(one[1:]) % 3 == s for one in drawn) for s in range(3)] == [4, 4, 4]
    # Written down once, so that a sheet that is out can be drawn again by a later release.
    assert shuffled(["a", "b", "c", "d"], 13) == ["a", "d", "b", "c"]
