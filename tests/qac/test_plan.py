from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isogloss.errors import DataError
from isogloss.qac.plan import PlannedQuery, plan_queries, plan_table
from isogloss.qac.versions import Family, families

from .conftest import row, table

LANGUAGES = ("de", "en", "fr", "zh")


def corpus(*languages: str) -> list[Family]:
    """One family for each string of comma-separated codes."""
    return families(
        table(
            [
                row(f"F{number}", code, f"text {number} {code}")
                for number, codes in enumerate(languages)
                for code in codes.split(",")
            ]
        )
    )


def planned(read: list[Family], **over: Any) -> list[PlannedQuery]:
    wish: dict[str, Any] = {
        "queries": 8,
        "setups": ["random-existing"],
        "modes": ["general", "technical"],
        "languages": LANGUAGES,
        "seed": 1,
    }
    return plan_queries(read, **{**wish, **over})


TWENTY = corpus(*["de,en", "en,fr", "fr,zh", "de,zh"] * 5)


def test_languages_and_modes_are_balanced() -> None:
    plan = planned(TWENTY, queries=16)
    assert Counter((one.mode, one.language) for one in plan) == {
        (mode, language): 2 for mode in ("general", "technical") for language in LANGUAGES
    }
    assert max(Counter(one.family for one in plan).values()) == 1


@pytest.mark.parametrize(
    ("setup", "has"), [("random-existing", {True}), ("random-missing", {False})]
)
def test_setups_say_whether_the_family_has_the_language(setup: str, has: set[bool]) -> None:
    languages = {family.id: family.languages for family in TWENTY}
    plan = planned(TWENTY, queries=24, setups=[setup])
    assert {one.language in languages[one.family] for one in plan} == has
    assert all(one.document_language in languages[one.family] for one in plan)


def test_setup_all_asks_in_any_language() -> None:
    plan = planned(corpus("de,en"), setups=["all"], modes=["general"], queries=4)
    assert [one.language for one in plan] == ["de", "en", "fr", "zh"]


def test_the_document_is_the_version_in_the_query_s_language_where_there_is_one() -> None:
    plan = planned(TWENTY, setups=["random-existing", "random-missing"], queries=16)
    for one in plan:
        assert (one.document_language == one.language) == (one.setup == "random-existing")
        assert one.document == f"{one.family}:{one.document_language}"


@given(seed=st.integers(0, 50), order=st.randoms(use_true_random=False))
def test_neither_row_order_nor_the_order_of_settings_changes_a_plan(seed: int, order: Any) -> None:
    shuffled, languages, modes = list(TWENTY), list(LANGUAGES), ["technical", "general"]
    for one in (shuffled, languages, modes):
        order.shuffle(one)
    assert planned(shuffled, seed=seed, languages=languages, modes=modes) == planned(
        TWENTY, seed=seed
    )


def test_another_seed_gives_another_plan() -> None:
    assert planned(TWENTY, seed=1) != planned(TWENTY, seed=2)


def test_ids_are_unique_when_a_family_is_asked_about_more_than_once() -> None:
    plan = planned(corpus("de,en"), setups=["all", "random-existing"], modes=["general"], queries=4)
    assert len({one.id for one in plan}) == 4


def test_more_than_the_corpus_gives_is_an_error_that_says_how_many() -> None:
    with pytest.raises(DataError, match=r"gives 2 of 3 queries.*random-missing, mode technical"):
        planned(corpus("de,en"), setups=["random-missing"], modes=["technical"], queries=3)


def test_a_family_without_text_is_never_planned() -> None:
    empty = Family("EMPTY", "EMPTY", ())
    plan = planned([empty, *corpus("de,en")], setups=["all"], queries=8)
    assert {one.family for one in plan} == {"F0"}


def test_the_table_has_a_line_a_query() -> None:
    lines = plan_table(planned(corpus("de"), queries=1, modes=["general"])).splitlines()
    assert lines == [
        "id,language,mode,setup,family,document,document_language",
        "F0:de:general,de,general,random-existing,F0,F0:de,de",
    ]
