from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from isogloss.qac.seeded import balanced, draw

CODES = ("de", "en", "es", "fr", "zh")


def test_a_draw_is_the_same_everywhere() -> None:
    # printf "13\0x" | sha256sum
    assert hex(draw(13, "x"))[2:10] == "63148530"
    assert draw(13, "ab", "c") != draw(13, "a", "bc")


@given(st.integers(1, 60), st.integers(0, 9))
def test_equal_choice_is_balanced_to_one(size: int, seed: int) -> None:
    used = Counter(balanced({str(n): CODES for n in range(size)}, seed).values())
    assert max(used.values()) - min(used[code] for code in CODES) <= 1


@given(st.dictionaries(st.text("abc", min_size=1), st.lists(st.sampled_from(CODES), min_size=1)))
def test_each_name_gets_one_of_its_own_options(options: dict[str, list[str]]) -> None:
    chosen = balanced(options, 1)
    assert chosen.keys() == options.keys()
    assert all(chosen[name] in options[name] for name in options)
    assert balanced(dict(reversed(options.items())), 1) == chosen


def test_another_seed_is_another_choice() -> None:
    options = {str(n): CODES for n in range(50)}
    assert balanced(options, 1) != balanced(options, 2)
