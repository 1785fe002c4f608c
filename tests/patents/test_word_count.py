from hypothesis import given
from hypothesis import strategies as st

from isogloss.patents.cleaning import clean
from isogloss.patents.word_count import has_words
from isogloss.words import count_words

LETTERS = st.sampled_from([*"aZé9²½'’.,:;_-·/ ()α中沸石のカไทย한\u0301\u202f"])


@given(
    st.one_of(st.text(), st.lists(LETTERS, max_size=60).map("".join)),
    st.sampled_from(["en", "fr", "zh", "ja", "th"]),
    st.integers(-1, 25),
)
def test_the_bounds_agree_with_full_segmentation(text: str, language: str, minimum: int) -> None:
    cleaned = clean(text)
    assert has_words(cleaned, language, minimum) == (count_words(cleaned, language) >= minimum)


def test_chinese_is_counted_in_words() -> None:
    text = "本发明涉及一种用于催化裂化的沸石催化剂及其制备方法。" * 4
    assert has_words(text, "zh", 50)
    assert not has_words(text[:60], "zh", 50)
