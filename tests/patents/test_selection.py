from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from isogloss.patents.record import Publication, Version
from isogloss.patents.selection import (
    Rules,
    count_rules,
    judge,
    newest_first,
    outcomes_array,
    pack_outcome,
)

RULES = Rules(("en", "de"), True, None, 3, 2, None)


def publication(*versions: Version, codes: tuple[str, ...] = ("C07",)) -> Publication:
    return Publication("EP1B1", codes=list(codes), versions=list(versions), found=len(versions))


def test_a_version_is_judged_by_its_first_claim_where_it_has_one() -> None:
    short_claim = Version("en", abstract="one two three four", claim="one two")
    outcome = judge(publication(short_claim, Version("de", claim="eins zwei drei")), RULES)
    assert (outcome.worded, outcome.chosen) == (1, None)


def test_markup_adds_no_words_and_no_length() -> None:
    marked = Version("en", abstract="<sub>one</sub> &lt;b&gt; two")
    plain = Version("en", abstract="one two three")
    german = Version("de", abstract="eins zwei drei")
    chosen = judge(publication(marked, plain, german), RULES).chosen
    assert chosen is not None
    assert [version.abstract for version in chosen.versions] == ["eins zwei drei", "one two three"]


def test_equal_versions_fall_to_the_first_in_order() -> None:
    first, second = (Version("en", abstract=f"one two {end}") for end in ("alpha", "gamma"))
    rules = replace(RULES, minimum_languages=1)
    for order in ((first, second), (second, first)):
        chosen = judge(publication(*order), rules).chosen
        assert chosen is not None
        assert chosen.versions == [order[0]]


def test_rules_that_are_off_have_no_row() -> None:
    outcomes = outcomes_array(pack_outcome(1, 2, 2, True, 2, 3))
    names = [rule["rule"] for rule in count_rules(outcomes, replace(RULES, chemistry=False))]
    assert "chemistry" not in names
    assert [rule["rule"] for rule in count_rules(outcomes, replace(RULES, minimum_words=0))] == [
        "has a text",
        "target languages",
        "chemistry",
        "one version per language",
        "at least 2 languages",
    ]


OUTCOME = st.builds(
    lambda found, targeted, chemical, worded, mask: (
        0,
        found,
        min(targeted, found),
        chemical,
        min(worded, targeted, found) if chemical else 0,
        mask if chemical and min(worded, targeted, found) >= mask.bit_count() else 0,
    ),
    st.integers(0, 5),
    st.integers(0, 5),
    st.booleans(),
    st.integers(0, 5),
    st.integers(0, 3),
)


@given(st.lists(OUTCOME, max_size=20))
def test_no_rule_adds_anything_and_each_begins_where_the_last_ended(
    rows: list[tuple[int, int, int, bool, int, int]],
) -> None:
    counts = count_rules(outcomes_array(b"".join(pack_outcome(*row) for row in rows)), RULES)
    assert counts[0]["before"]["publications"] == len(rows)
    for rule in counts:
        assert rule["after"]["documents"] <= rule["before"]["documents"]
        assert rule["after"]["publications"] <= rule["before"]["publications"]
    for before, after in pairwise(counts):
        assert after["before"] == before["after"]


def test_newest_first_then_number_then_unknown() -> None:
    found = [(None, "A"), ("2006-01-02", "B2"), ("2006-01-02", "B10"), ("2007-01-01", "Z")]
    assert sorted(found, key=lambda pair: newest_first(*pair)) == [
        ("2007-01-01", "Z"),
        ("2006-01-02", "B10"),
        ("2006-01-02", "B2"),
        (None, "A"),
    ]
