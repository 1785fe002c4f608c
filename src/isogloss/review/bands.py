"""The three bands of a query's score on 0-10: reject to 3, fair between, good from 7."""

from fractions import Fraction

BANDS = ("reject", "fair", "good")
REJECT_TO, GOOD_FROM = 3, 7


def band(score: Fraction) -> str:
    """The band of an exact score on 0-10 (ChemCLIR-Bench A.3; the open ends are our reading)."""
    if score <= REJECT_TO:
        return "reject"
    return "good" if score >= GOOD_FROM else "fair"
