"""``python -m authored``: record what the maintainers wrote, for the project that it runs in."""

import sys

from authored.recording import record
from isogloss.errors import IsoglossError
from isogloss.project import find_project


def main() -> int:
    """Record, and say how many requests were answered."""
    try:
        print(f"{record(find_project())} requests answered by what is written in authored/")
    except IsoglossError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
