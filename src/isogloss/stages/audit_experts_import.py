"""Read experts' sheets into an experts file, which `medical score` compares with the judge."""

from collections.abc import Sequence
from pathlib import Path

from isogloss.errors import DataError


def run(folder: Path, returned: Sequence[Path] = (), *, strict: bool = False) -> None:
    """Write ``experts.jsonl``.

    Args:
        folder: The folder of the export; holds the sample.
        returned: Files or folders of returned sheets; ``data/medical/audits`` where none is given.
        strict: Write nothing if any rule is broken.

    Raises:
        DataError: No sample, no usable row, or, with `strict`, any broken rule.
    """
    from isogloss.files import write_jsonl
    from isogloss.progress import note
    from isogloss.review.expert_audit import KIND, expert_rows, expert_workbook
    from isogloss.review.gathering import account_lines, gather
    from isogloss.review.people import is_person
    from isogloss.review.reading import read_return, returned_files
    from isogloss.review.returns import Return, check_return
    from isogloss.review.row_rules import Fault
    from isogloss.stages.audit_experts_export import SAMPLE, read_sample
    from isogloss.stages.review_terminal import settle_faults

    sample = read_sample(folder / SAMPLE)
    places = returned or [Path("data/medical/audits")]
    paths = [
        one for place in places for one in (returned_files(place) if place.is_dir() else [place])
    ]
    returns: list[tuple[str, Return]] = []
    faults: list[Fault] = []
    for path in paths:
        try:
            raw = read_return(path)
        except DataError as error:
            faults.append(Fault(str(error), None, "the file is left out"))
            continue
        kind, language, expert = (*raw.code.split("/"), "", "")[:3]
        if kind != KIND or not is_person(expert):
            faults.append(Fault(str(path), None, f"is the sheet {raw.code!r}; left out"))
            continue
        returns.append((expert, check_return(raw, expert_workbook(sample, language, expert))))
    gathered = gather(returns)
    settle_faults([*faults, *gathered.faults], len(gathered.refused), strict=strict)
    for line in account_lines(gathered.account()):
        note(line)
    rows: list[dict[str, object]] = []
    for expert in sorted({who for who, _ in gathered.entries}):
        mine = Return({one: held for (who, one), held in gathered.entries.items() if who == expert})
        rows += expert_rows(mine, sample, expert)
    if not rows:
        raise DataError(f"{folder}: no returned sheet holds a usable row")
    write_jsonl(folder / "experts.jsonl", rows)
    judged = len({(row["language"], row["id"], row["model"]) for row in rows})
    print(f"{folder / 'experts.jsonl'}: {len(rows)} rows on {judged} of {len(sample)} answers")
