"""The two-stage review from sheet to final text."""

import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook

from isogloss.medical.items import parse_options
from isogloss.review.reading import read_return
from isogloss.review.translation_figures import review_figures
from isogloss.review.translation_rows import review_rows, reviewed_rows
from isogloss.review.translation_sheets import parse_code, part_of, second_workbook
from isogloss.review.translation_status import status, status_lines
from isogloss.review.workbook import workbook_bytes

from .translation_sample import ITEMS, fill, first_sheet, merged, question, second_sheet

ONE, TWO, NLI, QA = (item.id for item in ITEMS)
BETTER = question("Eine Gabe von 400 mg über 3 Tage?", "ja", "nein")
ALL = {
    ONE: {"scores": (3, 4, 5), "input": BETTER, "comment": "Wortwahl SECRET"},
    TWO: {"scores": (5, 5, 5)},
    NLI: {"scores": (4, 2, 5)},
    QA: {"scores": (5, 4, 4), "target": "=Arthritis durch 1 Salz."},
}


def messages(found: Any) -> list[str]:
    return [fault.message for fault in found.faults]


def test_from_two_reviewers_to_final_items(tmp_path: Path) -> None:
    first = first_sheet(tmp_path, "ana", ALL)
    second = second_sheet(
        tmp_path, "ben", [first],
        {
            ONE: {"scores": (4, 4, 5)},
            TWO: {"scores": (5, 5, 4), "input": question("Welche?", "1.", "zweite", "dritte")},
            QA: {"scores": (5, 3, 4), "input": "Was ist die Gicht?"},
        },
    )  # fmt: skip
    found = merged([second, first])
    assert not found.faults
    assert list(found.first) == sorted([ONE, TWO, NLI, QA])
    # Kept texts are the machine translation byte for byte; changed ones are what was typed.
    assert found.first[TWO].input == ITEMS[1].machine_input
    assert found.second[ONE].input == BETTER
    assert found.second[QA].input == "Was ist die Gicht?"
    assert found.second[QA].target == "=Arthritis durch 1 Salz."
    rows = {row["id"]: row for row in review_rows(found, "de")}
    assert rows[ONE]["machine"] == {"input": ITEMS[0].machine_input, "target": "A"}
    assert rows[ONE]["first"]["scores"] == {"accuracy": 3, "fluency": 4, "completeness": 5}
    assert rows[ONE]["second"]["scores"] == {"accuracy": 4, "fluency": 4, "completeness": 5}
    assert rows[NLI]["second"] is None
    final = {row["id"]: row for row in reviewed_rows(found, "de")}
    assert sorted(final) == [ONE, TWO, QA]
    assert final[TWO] == {
        "id": TWO, "language": "de", "task": "MCQA", "source_dataset": "headqa",
        "input": question("Welche?", "1.", "zweite", "dritte"), "target": "B",
    }  # fmt: skip
    asked = {(one.id, one.stage, one.rule) for one in found.questions}
    assert asked == {(NLI, 1, "unrevised"), (TWO, 2, "numbers")}


def test_figures_by_hand(tmp_path: Path) -> None:
    first = first_sheet(tmp_path, "ana", ALL)
    second = second_sheet(
        tmp_path, "ben", [first],
        {ONE: {"scores": (4, 4, 5)}, TWO: {"scores": (5, 5, 4)}, QA: {"scores": (2, 4, 4)}},
    )  # fmt: skip
    figures = review_figures(merged([first, second]))
    # Finished: ONE (3 4 5 | 4 4 5), TWO (5 5 5 | 5 5 4), QA (5 4 4 | 2 4 4).
    assert figures["n_finished"] == 3
    assert figures["scores"]["accuracy"]["first"] == pytest.approx(13 / 3)
    assert figures["scores"]["accuracy"]["second"] == pytest.approx(11 / 3)
    assert figures["scores"]["pooled"]["both"] == pytest.approx((40 + 37) / 18)
    accuracy = figures["agreement"]["accuracy"]
    assert accuracy["exact"] == pytest.approx(1 / 3)
    assert accuracy["within_one"] == pytest.approx(2 / 3)
    # Observed squared distances 1+0+9; by chance the mean over the 9 pairs times 3.
    chance = sum((a - b) ** 2 for a in (3, 5, 5) for b in (4, 5, 2)) / 3
    assert accuracy["kappa_quadratic"] == pytest.approx(1 - 10 / chance)
    assert figures["agreement"]["fluency"]["kappa_quadratic"] == 1.0
    assert figures["agreement"]["pooled"]["n"] == 9
    assert figures["revised"] == {"by_first": 2, "by_second": 0, "finished": 2}
    assert figures["questions"] == {"unrevised": 1}
    assert figures["notes"] == ["1 items are not finished"]


def test_reviewer_two_sees_nothing_of_reviewer_ones_scores(tmp_path: Path) -> None:
    first = first_sheet(tmp_path, "ana", ALL)
    reviews = merged([first]).first
    other = {
        one: review.__class__(
            "zoe", {"accuracy": 1, "fluency": 1, "completeness": 1}, review.input, review.target,
            "else", "elsewhere",
        )
        for one, review in reviews.items()
    }  # fmt: skip
    content, _ = workbook_bytes(second_workbook(ITEMS, reviews, "de", "ben"))
    assert content == workbook_bytes(second_workbook(ITEMS, other, "de", "ben"))[0]
    (tmp_path / "two.xlsx").write_bytes(content)
    with zipfile.ZipFile(tmp_path / "two.xlsx") as packed:
        assert not any(b"SECRET" in packed.read(name) for name in packed.namelist())


OPEN = "lines must open with {} in English, in this order; found: {}"
EMPTY = "is empty; give the text as it shall be"
BROKEN = [
    (
        ONE,
        {"input": question("400 mg 3 Tage?", "ja")},
        "the options cannot be read (fewer than two options); they must be A B",
    ),
    (TWO, {"input": question("Was?", "eine", "andere")}, "the options are A B, must be A B C"),
    (TWO, {"input": question("Welche?", "eine", "", "dritte")}, "option B is empty"),
    (
        ONE,
        {"input": BETTER.replace("Options:", "Optionen:")},
        OPEN.format("Question: Options:", "Question:"),
    ),
    (
        NLI,
        {"input": "Premise: P\nOptions:\nA: x\nB: y"},
        OPEN.format("Premise: Hypothesis: Options:", "Premise: Options:"),
    ),
    (ONE, {"input": None}, EMPTY),
    (QA, {"target": "  "}, EMPTY),
    (
        QA,
        {"input": "=HYPERLINK(1)"},
        "holds the formula '=HYPERLINK(1)'; type the text as it shall be",
    ),
]


@pytest.mark.parametrize(("identifier", "change", "said"), BROKEN)
def test_texts_that_are_refused(
    tmp_path: Path, identifier: str, change: dict[str, Any], said: str
) -> None:
    path = first_sheet(tmp_path, "ana", {**ALL, identifier: {"scores": (5, 5, 5), **change}})
    found = merged([path])
    assert said in messages(found), messages(found)
    fault = next(fault for fault in found.faults if fault.message == said)
    assert "row " in str(fault)
    assert f"id '{identifier}'" in str(fault)
    assert identifier not in found.first
    assert len(found.first) == 3
    assert found.sheets[0].refused == [identifier]


def test_a_target_that_was_changed_is_found_twice_over(tmp_path: Path) -> None:
    path = first_sheet(tmp_path, "ana", ALL)
    book = load_workbook(path)
    book["Choice questions"]["E2"].value = "B"
    book.save(path)
    assert messages(merged([path])) == ["the locked cell was changed: holds 'B', must hold 'A'"]
    from isogloss.review.consistency import inconsistencies

    assert inconsistencies(ITEMS[0], BETTER, "B", parse_options) == [
        "the target is 'B', must stay 'A'"
    ]


def test_what_a_program_does_to_a_text_is_no_revision(tmp_path: Path) -> None:
    text = ITEMS[3].machine_target.replace("ä", "ä")
    path = first_sheet(tmp_path, "ana", {QA: {"scores": (2, 5, 5), "target": text + " \r\n"}})
    found = merged([path])
    assert found.first[QA].keeps(ITEMS[3])
    assert [one.rule for one in found.questions] == ["unrevised"]


def test_the_same_person_in_another_spelling_cannot_be_both(tmp_path: Path) -> None:
    first = first_sheet(tmp_path, "ana", ALL)
    second = second_sheet(tmp_path, "Ana", [first], {ONE: {"scores": (4, 4, 4)}})
    found = merged([first, second])
    assert messages(found) == ["'Ana' was reviewer 1 of this item too; another person must be 2"]
    assert not found.second


def test_two_people_in_one_stage(tmp_path: Path) -> None:
    one = first_sheet(tmp_path, "ana", {ONE: ALL[ONE], TWO: ALL[TWO]})
    two = first_sheet(tmp_path, "cem", {ONE: ALL[ONE], QA: ALL[QA]})
    found = merged([one, two])
    assert sorted(found.first) == [TWO, QA]
    assert len(found.faults) == 2
    assert [fault.message for fault in found.faults] == [
        f"'{other}' reviewed this item in the same stage; keep one review"
        for other in ("cem", "ana")
    ]


def test_a_second_review_without_a_usable_first_one(tmp_path: Path) -> None:
    first = first_sheet(tmp_path, "ana", ALL)
    second = second_sheet(tmp_path, "ben", [first], {ONE: {"scores": (4, 4, 4)}})
    fill(first, 1, {ONE: {"scores": (4, 4, None)}})
    found = merged([first, second])
    assert any("reviewer 1's review of this item is missing" in one for one in messages(found))
    assert ONE not in found.second
    fill(first, 1, {ONE: {"scores": (4, 4, 4), "input": question("400 mg, 3 Tage", "ja", "na")}})
    assert messages(merged([first, second])) == [
        "was made from another version of the source; make the sheet anew"
    ]


def test_partial_returns_say_what_is_missing(tmp_path: Path) -> None:
    first = first_sheet(tmp_path, "ana", {ONE: ALL[ONE], TWO: {"scores": (5, None, 5)}})
    second = second_sheet(tmp_path, "ben", [first], {})
    state = status(merged([first, second]))
    assert state["reviewers"] == [
        {"stage": 1, "reviewer": "ana", "assigned": 4, "done": 1, "refused": [TWO],
         "missing": sorted([NLI, QA])},
        {"stage": 2, "reviewer": "ben", "assigned": 1, "done": 0, "refused": [], "missing": [ONE]},
    ]  # fmt: skip
    assert state["without_first"] == sorted([TWO, NLI, QA])
    assert state["without_second"] == [ONE]
    lines = status_lines("de", state, shown=1)
    assert lines[0] == "de: 4 items, 1 with a first review, 0 finished"
    assert f"missing 2 ({NLI} and 1 more), refused 1 ({TWO})" in lines[1]
    figures = review_figures(merged([first, second]))
    assert figures["scores"]["accuracy"]["first"] is None
    assert figures["notes"] == ["no item has both reviews: scores and agreement are null"]


def test_sheets_of_other_languages_and_of_vanished_items(tmp_path: Path) -> None:
    path = first_sheet(tmp_path, "ana", ALL)
    found = merged([path], ITEMS[:2])
    assert "is no item under review; the items changed" in messages(found)[0]
    assert sorted(found.first) == [ONE, TWO]
    from isogloss.review.translation_merge import merge

    other = merge("fr", ITEMS, [read_return(path)], parse_options)
    assert "not one of language 'fr'; left out" in messages(other)[0]
    for code in ("query-audit/b/ana", "translation-review/de/1/a b", "translation-review/de/3/ana"):
        assert parse_code(code) is None


def test_parts_cover_everything_once() -> None:
    for parts in (1, 2, 3, 5):
        shared = [item for k in range(parts) for item in part_of(ITEMS, k + 1, parts)]
        assert sorted(item.id for item in shared) == sorted(item.id for item in ITEMS)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_whatever_comes_back_every_item_is_accounted_for(tmp_path: Path, data: Any) -> None:
    path = first_sheet(tmp_path, "ana", ALL)
    values = st.one_of(st.none(), st.integers(0, 6), st.text("aA:=\n 1", max_size=6))
    places = st.tuples(st.integers(0, 1), st.integers(2, 5), st.integers(1, 12), values)
    book = load_workbook(path)
    for sheet, row, column, value in data.draw(st.lists(places, max_size=6)):
        book.worksheets[sheet].cell(row, column).value = value
    for sheet, row in data.draw(
        st.lists(st.tuples(st.integers(0, 1), st.integers(2, 4)), max_size=2)
    ):
        book.worksheets[sheet].delete_rows(row)
    book.save(path)
    found = merged([path])
    state = found.sheets[0]
    everything = [*state.read, *state.refused, *state.untouched, *state.absent]
    assert sorted(everything) == sorted(item.id for item in ITEMS)
    assert sorted(found.first) == state.read
    for identifier, review in found.first.items():
        assert list(parse_options(review.input)) == list(
            parse_options(found.items[identifier].source_input)
        )
        assert all(score in range(1, 6) for score in review.scores.values())
