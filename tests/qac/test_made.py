from isogloss.qac.made import counts_text


def test_counts_are_words_and_those_of_nothing_are_left_out() -> None:
    counts = {
        "documents": {"read": 4, "kept": 4, "without_text": 0},
        "by_language": {
            "de": {"families": 2, "queries": 0, "no_title": 2},
            "en": {"families": 0, "queries": 0},
        },
        "planned": 3,
        "kept": 0,
    }
    assert counts_text(counts) == (
        "planned 3; documents: read 4, kept 4; de: families 2, no title 2"
    )
    assert counts_text({}) == ""
