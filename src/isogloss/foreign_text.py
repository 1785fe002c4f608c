"""Text from elsewhere as messages show it: printable, on one line, and short."""

LONGEST_ID = 80
"""Characters of an id or value within a message."""

LONGEST_LINE = 4000
"""Characters of a whole message; the longest that help are lists of faults."""


def printable(text: str) -> str:
    """The text with all that is not printable as an escape.

    Line ends, control characters and marks that turn the direction of writing are not.
    """
    if text.isprintable():
        return text
    signs = (sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)
    return "".join(signs)


def shown(text: str, longest: int = LONGEST_ID) -> str:
    """The text printable, and with its middle left out where it is longer than `longest`."""
    if len(text) > longest:
        left_out = len(text) - longest
        head, tail = longest - longest // 4, longest // 4
        start, end = printable(text[:head]), printable(text[-tail:])
        return f"{start}[... {left_out:,} characters ...]{end}"
    return printable(text)


def message_line(text: str) -> str:
    """A message as it is printed: on one line, and never a file's worth of it."""
    return shown(" ".join(text.splitlines()) if "\n" in text else text, LONGEST_LINE)
