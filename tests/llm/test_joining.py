from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isogloss.errors import UsageError
from isogloss.llm.joining import join_by_id


@pytest.mark.parametrize("case", ["L05"], indirect=True)
@pytest.mark.parametrize("name", ["01", "02"])
def test_l05_answers_join_by_id_without_a_shift(case: dict[str, Any], name: str) -> None:
    given_ = case[name]["input"]
    joined = join_by_id(given_["requests"], given_["responses"])
    assert joined.answers == case[name]["expected"]
    assert list(joined.answers) == given_["requests"]
    assert (joined.repeated, joined.conflicts, joined.unknown) == (0, [], [])


@pytest.mark.parametrize("case", ["L05"], indirect=True)
def test_l05_duplicates_conflicts_and_strangers(case: dict[str, Any]) -> None:
    refused, conflict, unknown = (case[name]["input"] for name in ("03", "04", "05"))
    with pytest.raises(UsageError, match="duplicate item id 'q1'"):
        join_by_id(refused["requests"], refused["responses"])
    joined = join_by_id(conflict["requests"], conflict["responses"])
    assert (joined.answers, joined.repeated, joined.conflicts) == ({"q1": "A"}, 1, ["q1"])
    joined = join_by_id(unknown["requests"], unknown["responses"])
    assert (joined.answers, joined.unknown) == ({"q1": None}, ["q9"])


@given(st.sets(st.text(), max_size=8), st.lists(st.tuples(st.text(max_size=2), st.integers())))
def test_every_answer_is_kept_repeated_or_unknown(
    ids: set[str], answers: list[tuple[str, int]]
) -> None:
    joined = join_by_id(sorted(ids), answers)
    kept = sum(answer is not None for answer in joined.answers.values())
    strangers = sum(name not in ids for name, _ in answers)
    assert kept + joined.repeated + strangers == len(answers)
