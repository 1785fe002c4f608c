"""Experts judge what a model has judged."""

import io
from collections import Counter

import pytest
from openpyxl import load_workbook

from isogloss.medical.verdicts import DIMENSIONS as RUBRIC
from isogloss.review.expert_audit import (
    DIMENSIONS,
    JudgedAnswer,
    expert_rows,
    expert_workbook,
    sample_answers,
)
from isogloss.review.returns import Return
from isogloss.review.workbook import workbook_bytes

MODELS = ("alpha", "beta", "gamma")


def answer(number: int, model: str, dataset: str = "liveqa", **other: object) -> JudgedAnswer:
    score = 1 + number % 5
    fields = {
        "language": "de", "dataset": dataset, "id": f"{dataset}-{number:02}", "model": model,
        "question": "Q", "reference": "R", "answer": f"{number}", "judge": (score,) * 5, **other,
    }  # fmt: skip
    return JudgedAnswer(**fields)


ANSWERS = [answer(n, m, d) for n in range(25) for m in MODELS for d in ("liveqa", "expertqabio")]


def test_the_dimensions_are_the_rubrics_in_its_order() -> None:
    assert DIMENSIONS == RUBRIC


def test_five_questions_a_dataset_across_the_scores() -> None:
    drawn = sample_answers(ANSWERS, MODELS, 5, seed=1)
    assert Counter((one.dataset, one.model) for one in drawn) == {
        (dataset, model): 5 for dataset in ("liveqa", "expertqabio") for model in MODELS
    }
    # 25 questions with five of each score: one question of each score.
    for dataset in ("liveqa", "expertqabio"):
        scores = [one.judge[0] for one in drawn if one.dataset == dataset and one.model == "beta"]
        assert sorted(scores) == [1, 2, 3, 4, 5]
        assert scores != sorted(scores)
    assert drawn == sample_answers(ANSWERS[::-1], MODELS, 5, seed=1)
    assert drawn != sample_answers(ANSWERS, MODELS, 5, seed=2)


def test_only_questions_that_all_models_answered_and_that_fit_a_cell() -> None:
    some = [one for one in ANSWERS if one.model != "gamma" or one.answer in ("3", "4")]
    some = [one for one in some if one.dataset == "liveqa"]
    assert {one.id for one in sample_answers(some, MODELS, 5, seed=1)} == {"liveqa-03", "liveqa-04"}
    long = [answer(1, model, answer="x" * 20_000) for model in MODELS]
    assert sample_answers(long, MODELS, 5, seed=1) == []


def test_the_sheet_tells_neither_model_nor_scores() -> None:
    drawn = sample_answers(ANSWERS, MODELS, 5, seed=1)
    content, _ = workbook_bytes(expert_workbook(drawn, "de", "eva"))
    blind = [
        JudgedAnswer(**{**vars(one), "judge": (1,) * 5, "answer": one.answer}) for one in drawn
    ]
    assert content == workbook_bytes(expert_workbook(blind, "de", "eva"))[0]
    book = load_workbook(io.BytesIO(content))
    cells = {str(cell.value) for page in book for row in page for cell in row}
    assert not [text for text in cells if any(model in text for model in MODELS)]
    assert book["Answers"].max_row == 31


def test_rows_of_an_experts_file() -> None:
    drawn = sample_answers(ANSWERS, MODELS, 1, seed=1)
    values = dict(zip(DIMENSIONS, (5, 4, 3, 2, 1), strict=True))
    rows = expert_rows(Return({drawn[0].code: {**values, "comment": None}}), drawn, "eva")
    assert rows == [
        {
            "language": "de", "dataset": drawn[0].dataset, "id": drawn[0].id,
            "model": drawn[0].model, "expert": [5, 4, 3, 2, 1],
            "judge": list(drawn[0].judge), "rater": "eva", "comment": "",
        }
    ]  # fmt: skip


@pytest.mark.parametrize("per_dataset", [1, 2, 7, 25, 40])
def test_any_number_of_questions(per_dataset: int) -> None:
    drawn = sample_answers(ANSWERS, MODELS, per_dataset, seed=3)
    ids = {one.id for one in drawn if one.dataset == "liveqa"}
    assert len(ids) == min(per_dataset, 25)
