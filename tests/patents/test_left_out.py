import re
from collections import Counter
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

import isogloss.patents
from isogloss.patents.ingest import Ingested
from isogloss.patents.left_out import left_out
from isogloss.patents.unknown_tags import MOST_NAMED, count_unknown, parted
from isogloss.settings import SourceSettings

SETTINGS = SourceSettings(format="epo", languages=["en"])
# Counted by the readers, and told elsewhere or taking no text away.
ELSEWHERE = {
    *("truncated_documents_kept", "lone_surrogates", "segments_of_short_last_passages"),
    "kind_{record.kind}_makes_no_document",
}


def told(counts: dict[str, int], others: dict[str, int] | None = None) -> list[str]:
    return left_out(Ingested([], {}, [], Counter(counts), Counter(others or {})), SETTINGS)


def test_counts_are_told_in_words_and_zeros_are_not() -> None:
    assert told({"first_claim_empty": 0, "truncated_documents_kept": 3}) == []
    assert told({"first_claim_empty": 1}) == ["1 empty first claim"]
    assert told({"kind_A1_makes_no_document": 2, "first_claim_empty": 2}, {"fr": 1, "de": 2}) == [
        "2 empty first claims",
        "2 records of kind A1, which makes no document",
        "3 versions in languages that are no target (de, fr)",
    ]


def test_every_count_of_the_readers_has_words() -> None:
    (folder,) = map(Path, isogloss.patents.__path__)
    keys = {
        key
        for path in folder.glob("*.py")
        for key in re.findall(r'\bcounts(?:\[f?|, )"([^"]+)"[],]', path.read_text("utf-8"))
    }
    assert len(keys) > len(ELSEWHERE)
    assert {"language_unknown", "claims_language_unknown"} < keys
    for key in keys - ELSEWHERE:
        assert any(line.startswith("7 ") for line in told({key: 7})), key


def test_unknown_language_tags_are_named_with_their_count() -> None:
    counts: Counter[str] = Counter()
    for tag in ("xx", "klingon", "xx", None, "\u202e", "y" * 5_000_000):
        count_unknown(counts, "language_unknown", tag)
    alone, tags = parted(counts)
    assert alone == {"language_unknown": 6}
    (line,) = left_out(Ingested([], {}, [], alone, unknown_tags=tags), SETTINGS)
    start = "6 texts under language tags that are not known (\\u202e, klingon, none, xx, yyy"
    assert line.startswith(start)
    assert len(line) < 200


@given(st.lists(st.text("abc", max_size=3)), st.integers(0, 30))
def test_the_tags_named_do_not_depend_on_how_a_source_is_cut(tags: list[str], place: int) -> None:
    whole, first, second = Counter[str](), Counter[str](), Counter[str]()
    for number, tag in enumerate(tags):
        count_unknown(whole, "n", tag)
        count_unknown(first if number < place else second, "n", tag)
    assert parted(whole) == parted(first + second)
    assert len(whole) <= MOST_NAMED + 1
    assert parted(whole)[1] == sorted({tag or "none" for tag in tags})[:MOST_NAMED]
