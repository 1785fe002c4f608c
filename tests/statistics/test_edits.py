"""Edit distance against the plain dynamic program."""

from hypothesis import given
from hypothesis import strategies as st

from isogloss.statistics.edits import edit_distance

SEQUENCES = st.lists(st.sampled_from("abc"), max_size=12)


def plain(first: list[str], second: list[str]) -> int:
    row = list(range(len(second) + 1))
    for i, a in enumerate(first, start=1):
        before, row[0] = row[0], i
        for j, b in enumerate(second, start=1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]


@given(SEQUENCES, SEQUENCES)
def test_equals_the_dynamic_program(first: list[str], second: list[str]) -> None:
    assert edit_distance(first, second) == plain(first, second)


def test_long_sequences() -> None:
    first = [f"w{index}" for index in range(500)]
    assert edit_distance(first, first[100:] + first[:100]) == plain(
        first, first[100:] + first[:100]
    )
