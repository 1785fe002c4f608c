import re
from collections import Counter
from pathlib import Path

import isogloss.patents
from isogloss.patents.ingest import Ingested
from isogloss.patents.left_out import left_out
from isogloss.patents.unknown_tags import MOST_NAMED, count_unknown, named_tags, without_tags
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
    (line,) = left_out(Ingested([], {}, [], counts), SETTINGS)
    start = "6 texts under language tags that are not known (xx, \\u202e, klingon, none, yyy"
    assert line.startswith(start)
    assert len(line) < 200
    assert without_tags(counts) == {"language_unknown": 6}


def test_few_unknown_tags_are_kept_however_many_there_are() -> None:
    counts: Counter[str] = Counter()
    for number in range(1000):
        count_unknown(counts, "language_unknown", f"t{number}")
    # As from two parts of one export.
    both = counts + Counter({"unknown language tag: z": 9, "language_unknown": 9})
    assert named_tags(both) == ["z", "t0", "t1", "t2", "t3"]
    assert len(counts) == MOST_NAMED + 1
