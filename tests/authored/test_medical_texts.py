"""The medical sample as it is written: aligned, in order, and honest about its own faults."""

from collections import Counter

import pytest
from authored.medical.texts import FOLDER, Review, edited, items, replies, translations

from isogloss.errors import DataError
from isogloss.medical.extraction import Question, extract_letter
from isogloss.medical.items import parse_options
from isogloss.medical.panel import ARMS, ENGLISH, LANGUAGES
from isogloss.review.consistency import inconsistencies
from isogloss.review.numbers_and_units import quantity_questions
from isogloss.review.translation_items import TranslatedItem

OTHERS = [language for language in LANGUAGES if language != ENGLISH]


def finals(language: str) -> dict[str, tuple[str, str]]:
    """Input and target of every item after both reviews."""
    found = {}
    for id_, one in translations(language).items():
        text, target = one.input, one.target
        for review in one.reviews:
            text, target = edited(text, target, review, id_)
        found[id_] = (text, target)
    return found


def test_three_items_of_each_of_nine_datasets() -> None:
    counts = Counter((item.task, item.dataset) for item in items())
    assert len(counts) == 9
    assert set(counts.values()) == {3}
    assert {item.task for item in items()} == {"MCQA", "NLI", "QA"}


def test_every_language_holds_every_item_and_nothing_else() -> None:
    files = {path.stem for path in (FOLDER / "translations").iterdir()}
    assert files == set(OTHERS)
    assert {path.stem for path in (FOLDER / "replies").iterdir()} == set(LANGUAGES)
    wanted = [item.id for item in items()]
    for language in OTHERS:
        assert list(translations(language)) == wanted
    for language in LANGUAGES:
        assert set(replies(language)) == {(arm, id_) for arm in ARMS for id_ in wanted}


@pytest.mark.parametrize("language", OTHERS)
def test_machine_and_final_texts_keep_labels_fixed_words_and_targets(language: str) -> None:
    machine, final = translations(language), finals(language)
    for item in items():
        source = (item.id, item.task, item.dataset, item.input, item.target)
        one = machine[item.id]
        pair = TranslatedItem(*source, one.input, one.target)
        for text, target in ((one.input, one.target), final[item.id]):
            assert inconsistencies(pair, text, target, parse_options) == []
            assert text not in (item.input, "")


@pytest.mark.parametrize("language", [one for one in OTHERS if one != "ja"])
def test_final_texts_keep_every_figure_and_unit(language: str) -> None:
    final = finals(language)
    for item in items():
        pairs = [(item.input, final[item.id][0])]
        if not item.options:
            pairs.append((item.target, final[item.id][1]))
        for source, text in pairs:
            assert quantity_questions(source, text) == [], item.id


def test_japanese_adds_a_one_where_the_language_counts() -> None:
    # 1日, 1つ: "daily", "a gene". Nothing else may be odd.
    final = finals("ja")
    asked = [
        question
        for item in items()
        for source, text in (
            (item.input, final[item.id][0]),
            *([] if item.options else [(item.target, final[item.id][1])]),
        )
        for question in quantity_questions(source, text)
    ]
    assert asked == ["the number 1 is not in the source"] * 3


def test_machine_texts_have_figures_to_find() -> None:
    found = {
        language: sum(
            bool(quantity_questions(item.input, translations(language)[item.id].input))
            or bool(
                not item.options
                and quantity_questions(item.target, translations(language)[item.id].target)
            )
            for item in items()
        )
        for language in ("th", "sw", "zu")
    }
    assert all(found.values()), found


def test_a_low_score_goes_with_a_correction_but_for_the_one_on_purpose() -> None:
    left = [
        (language, id_)
        for language in OTHERS
        for id_, one in translations(language).items()
        if min(one.reviews[0].scores) <= 3 and not one.reviews[0].edits
    ]
    assert left == [("de", "qa-liveqa-0002")]


def test_a_text_without_fault_is_left_as_it_is() -> None:
    for language in OTHERS:
        for id_, one in translations(language).items():
            if all(set(review.scores) == {5} for review in one.reviews):
                changed = one.reviews[0].edits or one.reviews[1].edits
                # Written-out figures and anatomical names are settled without a deduction.
                assert not changed or one.reviews[0].comment or one.reviews[1].comment, id_


def test_lower_resource_languages_need_more_correction() -> None:
    revised = {
        language: sum(bool(one.reviews[0].edits) for one in translations(language).values())
        for language in OTHERS
    }
    assert min(revised[one] for one in ("sw", "zu")) > max(
        revised[one] for one in ("de", "es", "pt", "zh")
    )


def test_replies_hold_refusals_silences_and_a_verdict_that_is_none() -> None:
    spoken = [reply for language in LANGUAGES for reply in replies(language).values()]
    assert sum(reply.refused for reply in spoken) == 10
    assert sum(reply.verdict is not None for reply in spoken) == 2
    letters = {
        (arm, language): sum(
            extract_letter(
                replies(language)[arm, item.id].text,
                Question(item.options, language, item.input.rpartition("\nOptions:")[0]),
            )
            == item.target
            for item in items()
            if item.options
        )
        for arm in ARMS
        for language in LANGUAGES
    }
    assert letters["reviewed", "en"] == 17
    assert letters["reviewed", "en"] > letters["reviewed", "zu"] > letters["mt", "zu"]


def test_experts_scored_three_languages() -> None:
    held = {
        language: sum(
            reply.expert is not None
            for (arm, _), reply in replies(language).items()
            if arm == "reviewed"
        )
        for language in LANGUAGES
    }
    assert {language for language, count in held.items() if count} == {"en", "zh", "sw"}
    assert {count for count in held.values() if count} == {9}


@pytest.mark.parametrize("text", ["nothing of it", "twice twice"])
def test_an_edit_must_find_its_place_once(text: str) -> None:
    with pytest.raises(DataError, match="de: x, review 1: 'twice' must stand once"):
        edited(text, "", Review((5, 5, 5), {"twice": "once"}, ""), "de: x, review 1")
