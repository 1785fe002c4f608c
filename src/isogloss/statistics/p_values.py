"""How every text of this package writes a p-value."""

SMALLEST = 0.001


def p_text(p: float) -> str:
    """Three decimals, such as ``0.042``, and ``< 0.001`` below: never "0"."""
    return f"< {SMALLEST}" if p < SMALLEST else f"{p:.3f}"


def p_is(p: float) -> str:
    """The same with its sign, for a sentence: ``p = 0.042`` or ``p < 0.001``."""
    text = p_text(p)
    return f"p {text}" if p < SMALLEST else f"p = {text}"
