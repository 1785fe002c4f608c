"""The sheet on which experts judge answers that a model has judged (HealMed appendix D).

Neither the judge's scores nor the name of the answering model are in it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from isogloss.files import sha256_bytes
from isogloss.review.cell_text import LONGEST
from isogloss.review.criteria import criteria, explanations, score_columns, task
from isogloss.review.design import Column, Remark, Sheet, Workbook
from isogloss.review.people import person
from isogloss.review.returns import Return
from isogloss.review.sampling import shuffled

KIND = "expert-audit"
SHEET = "Answers"
DIMENSIONS = tuple(one.key for one in criteria("answer"))


@dataclass(frozen=True)
class JudgedAnswer:
    """One open-ended answer with the judge's five scores, in the order of `DIMENSIONS`."""

    language: str
    dataset: str
    id: str
    model: str
    question: str
    reference: str
    answer: str
    judge: tuple[int, ...]

    @property
    def code(self) -> str:
        """A name that does not tell the model; with a letter first, no program sees a number."""
        name = "\0".join((self.language, self.id, self.model))
        return f"r{sha256_bytes(name.encode())[:11]}"


def sample_answers(
    answers: Sequence[JudgedAnswer], models: Sequence[str], per_dataset: int, seed: int
) -> list[JudgedAnswer]:
    """Draw questions of each language and dataset across the judge's scores, all models of each.

    Questions that every model answered with a usable verdict are ordered by their summed scores and
    cut into as many parts as questions are wanted; one is drawn from each part (section "Judge
    against expert"; the parts are our reading).

    Args:
        answers: Judged answers of any models and languages.
        models: Whose answers are audited.
        per_dataset: Questions per language and dataset; all where there are no more.
        seed: Another seed draws other questions.

    Returns:
        The drawn answers by language, dataset, question and code.
    """
    groups: dict[tuple[str, str], dict[str, list[JudgedAnswer]]] = {}
    for answer in answers:
        if answer.model in models and _fits(answer):
            questions = groups.setdefault((answer.language, answer.dataset), {})
            questions.setdefault(answer.id, []).append(answer)
    drawn: list[JudgedAnswer] = []
    for key in sorted(groups):
        whole = {id_: held for id_, held in groups[key].items() if len(held) == len(set(models))}
        sums = {id_: sum(sum(one.judge) for one in held) for id_, held in whole.items()}
        place = {id_: index for index, id_ in enumerate(shuffled(list(whole), seed))}
        ordered = sorted(whole, key=lambda id_: (sums[id_], place[id_]))
        wanted = min(per_dataset, len(ordered))
        edges = [len(ordered) * part // wanted for part in range(wanted + 1)] if wanted else []
        chosen = [
            min(ordered[start:end], key=lambda id_: place[id_]) for start, end in pairwise(edges)
        ]
        # Shuffled again: in the order of the parts a sheet would tell what the judge thought.
        for id_ in shuffled(chosen, seed + 1):
            drawn += sorted(whole[id_], key=lambda one: one.code)
    return drawn


def _fits(answer: JudgedAnswer) -> bool:
    return max(map(len, (answer.question, answer.reference, answer.answer))) <= LONGEST // 2


def expert_workbook(sample: Sequence[JudgedAnswer], language: str, expert: str) -> Workbook:
    """Lay the drawn answers of one language out for one expert."""
    columns = (
        Column("id", "Answer no.", width=15),
        Column("dataset", "Dataset", width=13),
        Column("question", "Question", width=45),
        Column("reference", "Reference answer", width=55),
        Column("answer", "Answer to judge", width=65),
        *score_columns("answer"),
        Column("comment", "Comment", Remark(), 30),
    )
    rows = tuple(
        {
            "id": one.code,
            "dataset": one.dataset,
            "question": one.question,
            "reference": one.reference,
            "answer": one.answer,
        }
        for one in sample
        if one.language == language
    )
    return Workbook(
        f"{KIND}/{language}/{person(expert)}",
        (Sheet(SHEET, columns, rows),),
        task("answer")["introduction"],
        explanations("answer"),
    )


def expert_rows(
    returned: Return, sample: Sequence[JudgedAnswer], expert: str
) -> list[dict[str, object]]:
    """What an expert gave, one row an answer: the six keys of an experts file, and who it was."""
    rows: list[dict[str, object]] = []
    for one in sample:
        values = returned.entries.get(one.code)
        if values is not None:
            rows.append(
                {
                    "language": one.language,
                    "dataset": one.dataset,
                    "id": one.id,
                    "model": one.model,
                    "expert": [values[dimension] for dimension in DIMENSIONS],
                    "judge": list(one.judge),
                    "rater": expert,
                    "comment": values["comment"] or "",
                }
            )
    return rows
