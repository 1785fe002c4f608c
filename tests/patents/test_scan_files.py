import os
from pathlib import Path
from typing import Any

import pytest

from isogloss.patents import google, google_merge, scan_files
from isogloss.patents.google import ingest_google

from .google_export import LONG, row, source, write_shard


def rows(count: int, first: int = 0) -> list[dict[str, Any]]:
    """Rows of which every third has its number from another one, with other languages."""
    made = []
    for place in range(first, first + count):
        number = f"EP-{place - place % 3 if place % 3 == 1 else place}-A1"
        languages = ("en", "de") if place % 2 else ("zh", "en")
        made.append(row(number, [(language, LONG[language]) for language in languages]))
    return made


def seen(paths: list[Path], work: Path | None = None, **selection: Any) -> dict[str, Any]:
    found = ingest_google(paths, source(**selection), work=work)
    return vars(found) | {"publications": list(found.publications)}


@pytest.fixture
def shards(tmp_path: Path) -> list[Path]:
    return [
        write_shard(tmp_path / f"part-{part}.jsonl", rows(40, first=30 * part)) for part in range(3)
    ]


def test_an_ingest_that_was_stopped_goes_on_and_gives_the_same(
    shards: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = seen(shards)
    read: list[Path] = []
    scan = scan_files.try_scan

    def stop_at_the_last(task: Any, rules: Any) -> Any:
        if task.path == shards[2]:
            raise KeyboardInterrupt
        return scan(task, rules)

    def note(task: Any, rules: Any) -> Any:
        read.append(task.path)
        return scan(task, rules)

    work = tmp_path / "work"
    monkeypatch.setattr(scan_files, "try_scan", stop_at_the_last)
    with pytest.raises(KeyboardInterrupt):
        seen(shards, work)
    monkeypatch.setattr(scan_files, "try_scan", note)
    assert seen(shards, work) == expected
    assert read == [shards[2]]


def test_a_changed_shard_or_rule_and_a_torn_part_are_read_again(
    shards: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = tmp_path / "work"
    seen(shards, work)
    read: list[str] = []
    scan = scan_files.try_scan
    monkeypatch.setattr(
        scan_files,
        "try_scan",
        lambda task, rules: (read.append(task.path.name), scan(task, rules))[1],
    )
    before = set(work.glob("*.blobs"))
    os.utime(shards[1], ns=(1, 1))
    seen(shards, work)
    assert read == ["part-1.jsonl"]
    # What the shard gave before its change lies beside it still, and nothing reads it any more.
    (torn,) = set(work.glob("*.blobs")) - before
    seen(shards, work, minimum_languages=1)
    assert read[1:] == ["part-0.jsonl", "part-1.jsonl", "part-2.jsonl"]
    read.clear()
    torn.write_bytes(torn.read_bytes()[:-1])
    seen(shards, work)
    seen(shards, work, minimum_languages=1)
    assert read == ["part-1.jsonl"]


def test_buckets_and_portions_change_nothing(
    shards: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = seen(shards)
    monkeypatch.setattr(google_merge, "BUCKET_ROWS", 7)
    monkeypatch.setattr(google_merge, "JOINED_ROWS", 5)
    monkeypatch.setattr(google, "RANGE_BYTES", 300)
    assert seen(shards) == expected
    assert expected["records"]["publications"] < expected["records"]["read"]


def test_the_limit_over_stored_publications(shards: list[Path]) -> None:
    whole = seen(shards)
    limited = seen(shards, limit=5)
    assert len(limited["publications"]) == 5
    assert limited["rules"][-1]["before"] == whole["rules"][-1]["after"]
    assert limited["rules"][-1]["after"]["publications"] == 5
