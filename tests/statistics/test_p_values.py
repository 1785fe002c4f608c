"""A p-value is written one way."""

import pytest

from isogloss.statistics.p_values import p_is, p_text


@pytest.mark.parametrize(
    ("p", "text", "sentence"),
    [
        (9.999e-05, "< 0.001", "p < 0.001"),
        (0.0, "< 0.001", "p < 0.001"),
        (0.001, "0.001", "p = 0.001"),
        (0.0416, "0.042", "p = 0.042"),
        (1.0, "1.000", "p = 1.000"),
    ],
)
def test_a_p_is_never_zero(p: float, text: str, sentence: str) -> None:
    assert (p_text(p), p_is(p)) == (text, sentence)
