import hashlib

import pytest

from isogloss.retrieval.manifest import rows_digest, truncated_shares


def test_shares_are_by_language_and_count_what_is_beyond_the_limit():
    languages = ["de", "en", "de", "zh"]
    assert truncated_shares(languages, [9, 8, 8, 1], 8) == {"de": 0.5, "en": 0.0, "zh": 0.0}


@pytest.mark.parametrize(("tokens", "limit"), [([None, None], None), ([3, None], 8)])
def test_without_a_limit_there_is_no_share(tokens, limit):
    assert truncated_shares(["de", "en"], tokens, limit) is None


def test_the_digest_can_be_repeated_by_hand():
    expected = hashlib.sha256(b"a\t1\nb\t2\n").hexdigest()
    assert rows_digest(["a", "b"], ["1", "2"]) == expected
    assert rows_digest(["a", "b"], ["1", "3"]) != expected
