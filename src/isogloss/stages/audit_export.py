"""Draw an audit sample and lay it out as spreadsheets, and as Label Studio tasks."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from isogloss.errors import UsageError
from isogloss.faults import known_names
from isogloss.project import Project
from isogloss.settings import checked_key

if TYPE_CHECKING:
    import pyarrow as pa

LABEL_STUDIO = "label-studio"
# Beside the verified candidates, by the stage verify.
AUDIT_FILE = "audit.parquet"


def audits_folder(project: Project, benchmark: str) -> Path:
    """Where samples, sheets and figures of a benchmark's audits lie."""
    return project.root / "audits" / checked_key(benchmark)


def sample_path(folder: Path, kind: str) -> Path:
    """The drawn sample with the model's scores, which the sheets do not show."""
    return folder / f"{kind}.sample.parquet"


def made_table(project: Project, benchmark: str, kind: str) -> Path:
    """What the stages of a benchmark wrote to be audited.

    Args:
        project: The project.
        benchmark: A key under llm_benchmarks; for translations that of their source will do.
        kind: ``queries`` or ``seed``.
    """
    if kind != "seed":
        return project.written(benchmark) / AUDIT_FILE
    made = project.settings.made.get(benchmark)
    return project.seed_audit(made.source if made is not None else benchmark)


def run(
    project: Project,
    benchmark: str,
    kind: str,
    table: Path | None,
    annotators: Sequence[str],
    *,
    size: int,
    seed: int,
    out: Path | None = None,
    label_studio: bool = False,
    force: bool = False,
) -> None:
    """Write the sample, one sheet for each annotator, and an overview of the whole table.

    Args:
        project: The project.
        benchmark: Its name goes into the sheets.
        kind: ``queries`` or ``seed``.
        table: Parquet with what may be sampled, in the schema of that kind; what the stages verify
            (queries) or seed_zh (translations) wrote where not given.
        annotators: Ids of the people who shall rate.
        size: How many to draw.
        seed: Another seed draws another sample.
        out: The folder; ``audits/BENCHMARK`` where not given.
        label_studio: Write tasks and labelling configuration too.
        force: Replace a sample that differs.

    Raises:
        DataError: The table breaks its schema.
        UsageError: Another sample is there already, an annotator is named twice, or there is no
            such benchmark.
    """
    import pyarrow as pa

    from isogloss.files import read_parquet, write_bytes, write_json, write_parquet, write_text
    from isogloss.progress import note
    from isogloss.review.audits import audit_kind, fitting
    from isogloss.review.label_studio import labelling_config, tasks_json
    from isogloss.review.people import same_person
    from isogloss.review.workbook import workbook_bytes

    checked_key(benchmark)
    audit = audit_kind(kind)
    known = {*project.settings.made, *project.settings.seed_translations}
    if table is None and benchmark not in known:
        # With a table of its own an audit may be called anything.
        raise UsageError(f"params.yaml: nothing called {benchmark}{known_names(benchmark, known)}")
    table = table or made_table(project, benchmark, kind)
    folder = out or audits_folder(project, benchmark)
    for place, name in enumerate(annotators):
        if any(same_person(name, other) for other in annotators[:place]):
            raise UsageError(f"annotator {name!r} is named twice")
    rows = audit.checked(read_parquet(table), str(table))
    fits, long = fitting(audit, rows)
    if long:
        note(f"{table}: {len(long)} of {len(rows)} are too long for a cell and stay out: {long[0]}")
    drawn = audit.sample(fits, size, seed)
    sample = pa.Table.from_pylist(drawn, schema=audit.schema)
    path = sample_path(folder, kind)
    _refuse_other_sample(path, sample, force)
    books = {f"{kind}-{name}": audit.workbook(drawn, benchmark, name) for name in annotators}
    made = {name: workbook_bytes(book) for name, book in books.items()}
    write_parquet(path, sample)
    write_json(folder / f"{kind}.table.json", audit.overview(rows))
    for name, (content, dropped) in made.items():
        write_bytes(folder / f"{name}.xlsx", content)
        lost = f", {dropped} characters that no cell can hold left out" if dropped else ""
        print(f"{folder / name}.xlsx: {len(drawn)} of {len(rows)} rows{lost}")
    if label_studio:
        book = audit.workbook(drawn, benchmark, LABEL_STUDIO)
        for sheet in book.sheets:
            name = f"{kind}-{sheet.title.lower()}"
            write_bytes(folder / LABEL_STUDIO / f"{name}.json", tasks_json(book, sheet))
            write_text(folder / LABEL_STUDIO / f"{name}.xml", labelling_config(sheet))
            print(f"{folder / LABEL_STUDIO / name}.json and .xml: {len(sheet.rows)} tasks")


def _refuse_other_sample(path: Path, sample: "pa.Table", force: bool) -> None:
    from isogloss.files import read_parquet

    if force or not path.is_file() or read_parquet(path).equals(sample):
        return
    raise UsageError(
        f"{path}: holds another sample, whose sheets may be out; give --force to replace it"
    )
