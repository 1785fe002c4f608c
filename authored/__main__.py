"""``python -m authored``: record what the maintainers wrote, for the project that it runs in."""

import sys

from authored.medical.recording import record as record_medical
from authored.recording import record
from isogloss.errors import IsoglossError
from isogloss.project import find_project


def main() -> int:
    """Record, and say how many requests were answered."""
    try:
        project = find_project()
        asked = record(project) + record_medical(project)
        print(f"{asked} requests answered by what is written in authored/")
    except IsoglossError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
