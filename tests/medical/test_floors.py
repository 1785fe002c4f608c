"""Floors answer without a model, without their own target, and never by chance."""

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st

from isogloss.medical.floors import majority_letters, nearest_letters, question_of
from isogloss.medical.items import Item


def item(number: int, target: str, labels: str = "ABC", dataset: str = "headqa") -> Item:
    options = {label: f"option {label} of {number}" for label in labels}
    lines = [f"Question: What is {number}?", "Options:"]
    lines += [f"{label}: {text}" for label, text in options.items()]
    return Item(
        f"mcqa-{dataset}-{number:04d}", "en", "MCQA", dataset, "\n".join(lines), target, options
    )


@given(st.lists(st.sampled_from("ABC"), min_size=1, max_size=12), st.data())
def test_an_items_own_target_never_moves_its_answer(
    targets: list[str], data: st.DataObject
) -> None:
    items = [item(number, target) for number, target in enumerate(targets)]
    place = data.draw(st.integers(0, len(items) - 1))
    other = data.draw(st.sampled_from("ABC"))
    changed = [*items[:place], item(place, other), *items[place + 1 :]]
    assert majority_letters(items)[place] == majority_letters(changed)[place]


def test_majority_counts_by_dataset_and_keeps_to_the_items_labels() -> None:
    items = [item(0, "C"), item(1, "C"), item(2, "A"), item(3, "B", "AB"), item(4, "B", "AB")]
    # C, C, A, B, B: each without its own; the two without a C choose among A and B.
    assert majority_letters(items) == ["B", "B", "B", "A", "A"]
    alone = item(5, "B", dataset="medqa")
    assert majority_letters([*items, alone])[-1] == "A"


def test_questions_lose_the_fixed_words_and_the_options() -> None:
    text = "Premise: Hb is 7.\nIt fell.\nHypothesis: Options: none.\nOptions:\nA: Yes\nB: No"
    pair = Item("nli-mednli-0000", "en", "NLI", "mednli", text, "A", {"A": "Yes", "B": "No"})
    assert question_of(pair) == "Hb is 7.\nIt fell.\nOptions: none."


def test_the_nearest_option_wins_and_ties_take_the_first_label() -> None:
    items = [item(0, "A"), item(1, "A")]
    seen: list[str] = []

    def encode(texts: list[str]) -> npt.NDArray[np.float32]:
        seen.extend(texts)
        rows = {"What is 0?": (1.0, 0.0), "option C of 0": (1.0, 0.0), "option A of 0": (0.0, 1.0)}
        return np.array([rows.get(text, (0.6, 0.8)) for text in texts], dtype=np.float32)

    assert nearest_letters(items, encode) == ["C", "A"]
    assert len(seen) == len(set(seen)) == 8
    assert nearest_letters([], encode) == []
