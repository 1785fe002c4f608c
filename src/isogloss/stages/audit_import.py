"""Read returned audits, refuse what breaks a rule, and say how far people and model agree."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from isogloss.errors import DataError
from isogloss.faults import known_names
from isogloss.project import Project
from isogloss.settings import checked_key
from isogloss.stages.audit_export import LABEL_STUDIO, audits_folder, sample_path

if TYPE_CHECKING:
    from isogloss.review.audits import Audit
    from isogloss.review.returns import Return
    from isogloss.review.row_rules import Fault


def run(
    project: Project,
    benchmark: str,
    kind: str,
    returned: Sequence[Path] = (),
    *,
    out: Path | None = None,
    strict: bool = False,
) -> None:
    """Write ratings and figures of a benchmark's audit.

    Args:
        project: The project.
        benchmark: Whose audit.
        kind: ``queries`` or ``seed``.
        returned: Files or folders of returned sheets (.xlsx, .csv) and Label Studio exports
            (.json); ``data/audits/BENCHMARK`` where none is given.
        out: The folder of the export, where results go too.
        strict: Fail on the first broken rule's account instead of leaving its row out.

    Raises:
        DataError: No sample, nothing returned, or, with `strict`, any broken rule.
    """
    from isogloss.files import read_parquet, write_json, write_jsonl
    from isogloss.progress import note
    from isogloss.review.audits import audit_kind, rating_rows
    from isogloss.review.gathering import account_lines, gather
    from isogloss.review.returns import Return
    from isogloss.stages.review_terminal import settle_faults

    checked_key(benchmark)
    audit = audit_kind(kind)
    folder = out or audits_folder(project, benchmark)
    if out is None and not folder.is_dir():
        held = [path.name for path in folder.parent.glob("*") if path.is_dir()]
        absent = f"{sample_path(folder, kind)}: no such file; export the audit first"
        raise DataError(f"{absent}{known_names(benchmark, held)}")
    sample = audit.checked(read_parquet(sample_path(folder, kind)), str(sample_path(folder, kind)))
    returns: list[tuple[str, Return]] = []
    faults: list[Fault] = []
    for path in _files(returned or [project.root / "data" / "audits" / benchmark]):
        found, stray = _read(path, audit, benchmark, sample)
        returns += found
        faults += stray
    gathered = gather(returns)
    settle_faults([*faults, *gathered.faults], len(gathered.refused), strict=strict)
    for line in account_lines(gathered.account()):
        note(line)
    by_person: dict[str, Return] = {}
    for (who, identifier), values in gathered.entries.items():
        by_person.setdefault(who, Return()).entries[identifier] = values
    ratings = [
        rating for who, result in sorted(by_person.items()) for rating in audit.ratings(result, who)
    ]
    if not ratings:
        raise DataError(f"{folder}: no returned sheet of this audit holds a usable row")
    figures: dict[str, Any] = audit.figures(ratings, sample)
    figures["returns"] = gathered.account()
    write_jsonl(folder / f"{kind}.ratings.jsonl", rating_rows(ratings))
    write_json(folder / f"{kind}.json", figures)
    print(_summary(kind, figures))


def _files(returned: Sequence[Path]) -> list[Path]:
    from isogloss.review.reading import returned_files

    paths: list[Path] = []
    for path in returned:
        if path.is_dir():
            paths += returned_files(path)
            paths += sorted(path.glob("*.json"))
        else:
            paths.append(path)
    if not paths:
        raise DataError(f"{returned[0]}: holds no returned sheet (.xlsx, .csv, .json)")
    return paths


def _read(
    path: Path, audit: "Audit", benchmark: str, sample: list[dict[str, Any]]
) -> "tuple[list[tuple[str, Return]], list[Fault]]":
    """Returns of one file by person; sheets of another kind of audit are passed over."""
    from isogloss.progress import note
    from isogloss.review.label_studio import read_annotations
    from isogloss.review.people import is_person
    from isogloss.review.reading import read_return
    from isogloss.review.returns import check_return
    from isogloss.review.row_rules import Fault

    if path.suffix.lower() == ".json":
        book = audit.workbook(sample, benchmark, LABEL_STUDIO)
        found = read_annotations(path, book)
        return [(who, check_return(raw, book)) for who, raw in found.items()], []
    try:
        raw = read_return(path)
    except DataError as error:
        # One file that cannot be read does not sink the others.
        return [], [Fault(str(error).removesuffix("."), None, "the file is left out")]
    code, _, rest = raw.code.partition("/")
    name, _, who = rest.rpartition("/")
    if code != audit.code:
        note(f"{path}: is a {code} sheet, passed over")
        return [], []
    if name != benchmark or not is_person(who):
        message = f"is the sheet {raw.code!r}, not one of {benchmark!r}; it is left out"
        return [], [Fault(str(path), None, message)]
    return [(who, check_return(raw, audit.workbook(sample, benchmark, who)))], []


def _summary(kind: str, figures: dict[str, Any]) -> str:
    def shown(value: float | None) -> str:
        return "undefined" if value is None else f"{value:.3f}"

    if kind == "seed":
        low, high = figures["acceptance_ci"]
        return (
            f"{figures['n_documents']} of {figures['n_sampled']} translations: adequacy "
            f"{shown(figures['adequacy'])}, fluency {shown(figures['fluency'])}, accepted "
            f"{figures['accepted']} ({figures['acceptance']:.3f}, 95% {low:.3f} to {high:.3f})"
        )
    bands = figures["bands"]
    return (
        f"{figures['n_queries']} of {figures['n_sampled']} queries: MAE {shown(figures['mae'])} "
        f"on 0-10, same band {shown(bands['raw'])}, kappa {shown(bands['kappa'])}, "
        f"AC1 {shown(bands['ac1'])}"
    )
