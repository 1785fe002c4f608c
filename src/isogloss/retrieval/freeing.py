"""Free what no tag of a table holds any more."""

import warnings
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any


def has_untagged(table: Any, kept: Mapping[str, int]) -> bool:
    """Whether a table has versions that no tag names."""
    return any(entry["version"] not in kept.values() for entry in table.list_versions())


def free_untagged(table: Any, kept: Mapping[str, int]) -> None:
    """Leave the rows and vectors of tagged versions, and nothing else, on the disk.

    Lance cleans nothing that is newer than a tagged version, and keeps the newest version whatever
    it is: so tagged ones are made the newest first. That copies no data, and wherever it is
    interrupted each tag still names what it named.

    Args:
        table: A table of LanceDB that nobody else writes.
        kept: Lance's version by tag; at least one.
    """
    oldest: int | None = None
    for version in sorted(set(kept.values())):
        table.checkout(version)
        table.restore()
        table.checkout_latest()
        for tag in (tag for tag, at in kept.items() if at == version):
            table.tags.update(tag, table.version)
        oldest = table.version if oldest is None else oldest
    made = {entry["version"]: entry["timestamp"] for entry in table.list_versions()}[oldest]
    # Lance counts a version of exactly this age as old.
    age = datetime.now(made.tzinfo) - made + timedelta(seconds=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        table.optimize(cleanup_older_than=age, delete_unverified=True)
