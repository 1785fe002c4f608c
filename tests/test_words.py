"""Words and sentences in scripts with and without blanks."""

from isogloss.words import count_words, segmenter_version, sentences, words


def test_words_leave_punctuation_out() -> None:
    assert words("Heat to 80 °C, then: stir.", "en") == ["Heat", "to", "80", "C", "then", "stir"]
    assert count_words("", "en") == 0
    assert count_words(" .,;—\u200b", "en") == 0


def test_chinese_is_cut_by_dictionary() -> None:
    found = words("某催化剂的制备方法，包括加热。", "zh")
    assert "".join(found) == "某催化剂的制备方法包括加热"
    assert 5 < len(found) < 13


def test_sentences() -> None:
    assert sentences("Heat it. Then cool it.", "en") == ["Heat it.", "Then cool it."]
    assert sentences("加热混合物。然后冷却。", "zh") == ["加热混合物。", "然后冷却。"]
    assert sentences("  ", "de") == []


def test_the_segmenter_is_named() -> None:
    assert segmenter_version().startswith("icu4py ")
    assert "ICU" in segmenter_version()
