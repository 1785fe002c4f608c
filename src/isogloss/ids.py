"""What an id may be: it stands in run files, tables and file names, parted by white space."""

import re

# All that str.split parts at, and all control characters (Unicode's Cc, NUL among them).
_NOT_IN_IDS = re.compile(r"[\s\x00-\x1f\x7f-\x9f]")
RULE = "ids hold no white space or control characters"


def is_id(text: str) -> bool:
    """Whether a text is an id: not empty, without white space and control characters."""
    return bool(text) and _NOT_IN_IDS.search(text) is None
