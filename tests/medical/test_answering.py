"""Replies become rows whose counts add up, whatever became of the calls."""

from hypothesis import given
from hypothesis import strategies as st

from isogloss.llm.outcomes import Outcome
from isogloss.llm.replies import Reply
from isogloss.medical.answering import answer_rows, letter_of, other_language, reply_counts
from isogloss.medical.items import Item
from isogloss.medical.records import AnswerRow, written

OPTIONS = {"A": "Aspirin", "B": "Insulin"}
CHOICE = Item(
    "mcqa-headqa-0000", "de", "MCQA", "headqa",
    "Question: Was?\nOptions:\nA: Aspirin\nB: Insulin", "A", OPTIONS,
)  # fmt: skip
OPEN = Item("qa-liveqa-0000", "de", "QA", "liveqa", "Warum?", "Darum.", {})
TEXTS = st.sampled_from(["B", "Antwort: A", "A und B", "", "   ", "<think>B</think>", "Weiß nicht"])
REPLIES = st.builds(
    lambda outcome, text: Reply("key", "label", outcome, text=text, reason=str(outcome)),
    st.sampled_from(Outcome),
    TEXTS,
)


@given(st.lists(st.tuples(st.sampled_from([CHOICE, OPEN]), REPLIES), max_size=20))
def test_asked_is_the_sum_of_its_parts(pairs: list[tuple[Item, Reply]]) -> None:
    items, replies = [item for item, _ in pairs], [reply for _, reply in pairs]
    rows = answer_rows(items, replies, "m", "mt")
    counts = reply_counts(items, rows)
    assert counts.pop("asked") == sum(counts.values()) == len(pairs)
    assert counts["failed"] == sum(reply.outcome is Outcome.FAILED for reply in replies)
    for reply, row in zip(replies, rows, strict=True):
        # Only an answer keeps its text, and no row says that it holds what it does not.
        assert row.text == (reply.text if reply.outcome is Outcome.ANSWERED else "")
        assert None not in written(row).values()


def test_a_reply_in_another_language_gives_its_letter_and_is_named() -> None:
    assert letter_of(CHOICE, "The correct answer is B.") == "B"
    assert letter_of(CHOICE, "正解はBです。") == "B"
    assert letter_of(OPEN, "B") is None

    def spoken(text: str) -> dict[str, str]:
        row = AnswerRow(
            model="m", arm="mt", language="de", id=OPEN.id, outcome="answered", text=text
        )
        return other_language([OPEN], [row])

    assert spoken("The iron is not absorbed and turns the stools dark.") == {
        "de/qa-liveqa-0000": "en"
    }
    assert spoken("铁没有被吸收，使大便变黑，这是没有害处的，不用担心。") == {
        "de/qa-liveqa-0000": "zh"
    }
    assert spoken("Das Eisen wird nicht aufgenommen und färbt den Stuhl dunkel.") == {}
    # A term alone, and a trace, decide nothing.
    assert spoken("Iron.") == {}
    assert spoken("<think>The iron is not absorbed, so it is this.</think>Wegen des Eisens.") == {}
