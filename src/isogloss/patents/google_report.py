"""What the passes over an export refused and counted, gathered for the report."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from isogloss.patents.google_scan import Task
from isogloss.patents.record import Refusal
from isogloss.patents.scan_files import Stored


@dataclass
class Seen:
    """The small things of all parts.

    Attributes:
        unusable: Shards that cannot be read at all, and why.
        refused: Those shards, then the rows refused, by shard and line.
        cut_short: Shards that end early.
        counts: How often each smaller thing happened.
        other_languages: Versions in languages that are no target.
    """

    unusable: dict[Path, str] = field(default_factory=dict)
    refused: list[Refusal] = field(default_factory=list)
    cut_short: list[dict[str, str]] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    other_languages: Counter[str] = field(default_factory=Counter)


def look_through(tasks: Sequence[Task], files: Sequence[Stored], names: Mapping[Path, str]) -> Seen:
    """Gather what lies in the headers of all parts.

    Args:
        tasks: The parts of the export.
        files: What was found in each.
        names: What the report calls each shard.
    """
    seen = Seen()
    for task, stored in zip(tasks, files, strict=True):
        reason = stored.header().unusable
        if reason is not None:
            seen.unusable.setdefault(task.path, reason)
    seen.refused += [Refusal(names[path], reason) for path, reason in seen.unusable.items()]
    before: Counter[Path] = Counter()
    for task, stored in zip(tasks, files, strict=True):
        if task.path in seen.unusable:
            continue
        header, name = stored.header(), names[task.path]
        seen.refused += [
            Refusal(name, reason, line=before[task.path] + line) for line, reason in header.faults
        ]
        before[task.path] += header.lines
        seen.counts.update(header.counts)
        seen.other_languages.update(header.other_languages)
        if header.cut:
            seen.cut_short.append({"file": name, "reason": header.cut})
    return seen
