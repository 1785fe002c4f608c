"""Publishers' files become one items file, with a report of what became of every record."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from isogloss.errors import DataError, UsageError
from isogloss.files import write_json, write_jsonl
from isogloss.progress import note

if TYPE_CHECKING:
    from isogloss.medical.items import Item


def run(files: Sequence[str], out: Path, *, per_dataset: int | None = None, seed: int = 13) -> None:
    """Convert the files and write their items.

    The files of one dataset in one language are numbered on in the order given, so the same files
    in another language, given in the same order, get the same ids.

    Args:
        files: ``SOURCE=FILE`` each; sources are the keys of `conversion.SOURCES`.
        out: The items file; ``OUT.report.json`` counts every record of every file.
        per_dataset: Draw so many ids of each dataset by seed; all languages of an id stay together.
        seed: Of the draw.

    Raises:
        UsageError: A file is not given as SOURCE=FILE, or there is no such source.
        DataError: A file cannot be read, nothing is left, or versions of an id differ.
    """
    from isogloss.medical.conversion import convert, records_of
    from isogloss.medical.items import check_alignment, unaligned

    found: list[Item] = []
    report: list[dict[str, Any]] = []
    numbers: Counter[tuple[str, str]] = Counter()
    for given in files:
        name, mark, place = given.partition("=")
        if not mark or not place:
            raise UsageError(f"{given!r}: write SOURCE=FILE, for instance medqa-us=test.jsonl")
        path = Path(place)
        converted = convert(name, path, start=numbers[records_of(name)])
        numbers[records_of(name)] += converted.counts["read"]
        found += converted.items
        report.append({"source": name, "file": path.name, "counts": converted.counts,
                       "refusals": converted.refusals})  # fmt: skip
        for refusal in converted.refusals:
            note(f"refused: {refusal}")
        said = ", ".join(f"{reason} {count}" for reason, count in converted.counts.items())
        print(f"{path}: {said}")
    if not found:
        raise DataError(f"{out}: not written, since no record of these files became an item")
    check_alignment([(item, f"id {item.id!r} in {item.language}") for item in found])
    drawn = found if per_dataset is None else draw(found, per_dataset, seed)
    lacking = {language: len(ids) for language, ids in unaligned(drawn).items()}
    write_jsonl(out, (item_fields(item) for item in drawn))
    counts = Counter((item.dataset, item.language) for item in drawn)
    write_json(
        out.with_suffix(".report.json"),
        {
            "files": report,
            "items": {f"{dataset} {language}": n for (dataset, language), n in counts.items()},
            "without_a_version": lacking,
        },
    )
    for language, count in lacking.items():
        note(f"{count} items have no version in {language}")
    print(f"{out}: {len(drawn)} items of {len(found)}")


def draw(items: "Sequence[Item]", per_dataset: int, seed: int) -> "list[Item]":
    """At most so many ids of each dataset, by seed; those that English has come first.

    The order of the items stays.
    """
    from isogloss.files import sha256_bytes

    english = {item.id for item in items if item.language == "en"}
    ids: dict[str, set[str]] = {}
    for item in items:
        ids.setdefault(item.dataset, set()).add(item.id)
    kept: set[str] = set()
    for members in ids.values():
        # A hash and no generator: an item added elsewhere changes no other's draw.
        order = sorted(
            members, key=lambda id_: (id_ not in english, sha256_bytes(f"{seed}/{id_}".encode()))
        )
        kept |= set(order[:per_dataset])
    return [item for item in items if item.id in kept]


def item_fields(item: "Item") -> dict[str, str]:
    """The six fields of an item."""
    return {
        "id": item.id,
        "language": item.language,
        "task": item.task,
        "source_dataset": item.dataset,
        "input": item.input,
        "target": item.target,
    }
