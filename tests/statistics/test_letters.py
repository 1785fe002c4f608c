from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from isogloss.statistics.letters import compact_letters


def test_a_middle_system_shares_with_both_ends():
    letters = compact_letters(["best", "middle", "worst"], [frozenset({"best", "worst"})])
    assert letters == {"best": "a", "middle": "ab", "worst": "b"}


def test_no_difference_and_all_different():
    assert compact_letters(["x", "y"], []) == {"x": "a", "y": "a"}
    pairs = [frozenset(pair) for pair in combinations("xyz", 2)]
    assert compact_letters(list("xyz"), pairs) == {"x": "a", "y": "b", "z": "c"}
    assert compact_letters([], []) == {}


@given(st.sets(st.sampled_from([frozenset(pair) for pair in combinations("abcdefg", 2)])))
def test_two_share_a_letter_exactly_when_they_do_not_differ(differing):
    letters = compact_letters(list("abcdefg"), differing)
    for pair in combinations("abcdefg", 2):
        shared = set(letters[pair[0]]) & set(letters[pair[1]])
        assert bool(shared) != (frozenset(pair) in differing)
