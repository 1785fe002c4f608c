"""Raw documents of a source become its corpus and the report on how it came about."""

import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from msgspec import to_builtins

from isogloss.engine import open_engine
from isogloss.errors import DataError, UsageError
from isogloss.faults import known_names
from isogloss.files import atomic_write, write_bytes, write_json
from isogloss.foreign_text import shown
from isogloss.patents.corpus_stats import CorpusStatistics
from isogloss.patents.documents import document_batches
from isogloss.patents.ingest import Ingested
from isogloss.patents.left_out import left_out
from isogloss.patents.pool import default_workers
from isogloss.patents.raw_files import SUFFIXES, Found, Named, find_files
from isogloss.progress import counted, note, track
from isogloss.project import Project
from isogloss.schema import CORPUS
from isogloss.settings import SourceSettings

# On the terminal; the report names them all.
NAMED_REFUSALS = 10


def run(project: Project, source: str, engine: str | None = None) -> None:
    """Read, select, clean and write one source.

    Writes corpora/SOURCE.parquet (`isogloss.schema.CORPUS`, ordered by id) and corpora/SOURCE.json:
    records read, counts per rule, refused records, files not read, conflicts and statistics;
    corpora/figures/SOURCE holds documents by language and by IPC class. Where nothing is left only
    the report is written, without statistics.

    Args:
        project: Where files lie and what params.yaml says.
        source: Key of a source.
        engine: Where patents are read, see `isogloss.engine.open_engine`; None takes that of
            params.yaml. Aligned text is read here.

    Raises:
        UsageError: params.yaml knows no such source, or the engine's name is none.
        DataError: There is nothing to read, or nothing is left.
    """
    settings = project.settings.sources.get(source)
    if settings is None:
        known = known_names(source, project.settings.sources)
        raise UsageError(f"params.yaml: no source '{shown(source)}' under sources{known}")
    folder = project.raw(source)
    if not folder.is_dir():
        raise DataError(f"{folder}: no such folder; put the raw files of {source} there")
    files = find_files(folder, settings.format)
    for name, reason in files.not_read.items():
        note(f"{folder / name}: not read, {reason}")
    if not files.read:
        kinds = ", ".join(SUFFIXES[settings.format])
        raise DataError(f"{folder}: holds no file of a {settings.format} source ({kinds})")
    # Kept where the ingest is stopped, so that the next one goes on.
    work = project.unfinished(source)
    found = _ingest(project, settings, files.read, work, engine)
    target = project.corpus(source)
    report = target.with_suffix(".json")
    told = report.relative_to(project.root).as_posix()
    _note_refusals(folder, found, told)
    _note_not_read(folder, found, told)
    for cut in found.cut_short:
        note(f"{folder / cut['file']}: {cut['reason']}; the whole rows before that are read")
    if not found.publications:
        # An earlier corpus would belie the report, which is written to say what left and why.
        target.unlink(missing_ok=True)
        shutil.rmtree(project.corpus_figures(source), ignore_errors=True)
        write_json(report, _report(source, settings, files, found, Counter()))
        shutil.rmtree(work, ignore_errors=True)
        why = _where_all_left(found, settings)
        raise DataError(f"{folder}: no publication is left; {why}; all counts are in {told}")
    with atomic_write(target) as temporary:
        statistics, dropped = _write_corpus(temporary, found, settings)
        content = _report(source, settings, files, found, dropped) | {"statistics": statistics}
        # Before the corpus takes its place, which never lies there without a report.
        write_json(report, content)
    shutil.rmtree(work, ignore_errors=True)
    _draw(project.corpus_figures(source), source, statistics)
    _print_summary(source, found, settings, told)


def _report(
    source: str, settings: SourceSettings, files: Found, found: Ingested, dropped: Counter[str]
) -> dict[str, Any]:
    counts = +found.counts
    # Halves of surrogate pairs cannot be held as UTF-8 and have left while rows were decoded.
    characters = dropped + Counter(lone_surrogate=counts.pop("lone_surrogates", 0))
    return {
        "source": source,
        "format": settings.format,
        "files": {
            "read": [name for _, name in files.read],
            "beside": files.beside,
            "not_read": [*files.not_read, *found.not_read],
            "cut_short": found.cut_short,
        },
        "records": found.records,
        "refused": [to_builtins(refusal) for refusal in found.refused],
        "rules": found.rules,
        "counts": dict(counts),
        "other_languages": dict(found.other_languages),
        "conflicts": found.conflicts,
        "characters_dropped": dict(+characters),
        "statistics": None,
    }


def _draw(folder: Path, source: str, statistics: dict[str, Any]) -> None:
    """Draw documents by language, and by IPC class where the source has classes."""
    from isogloss.report.code_bars import code_bars

    shutil.rmtree(folder, ignore_errors=True)
    n_documents = statistics["documents"]
    languages = list(statistics["languages"].items())
    title = f"{source}: documents by language"
    write_bytes(folder / "languages.png", code_bars(languages, n_documents, title))
    classes = [(one["class"], one["documents"]) for one in statistics["ipc_classes_top_25"]]
    if classes:
        title = f"{source}: documents by IPC class"
        write_bytes(folder / "ipc.png", code_bars(classes, n_documents, title))


def _ingest(
    project: Project,
    settings: SourceSettings,
    files: list[Named],
    work: Path,
    engine: str | None,
) -> Ingested:
    listed = settings.selection.surechembl
    surechembl = None if listed is None else project.root / listed
    if settings.format == "google-patents":
        from isogloss.patents.google import ingest_google

        paths, names = [path for path, _ in files], [name for _, name in files]
        with open_engine(engine or project.settings.engine) as where:
            return ingest_google(paths, settings, default_workers(), surechembl, names, work, where)
    if settings.format == "epo":
        from isogloss.patents.epo import ingest_epo

        with open_engine(engine or project.settings.engine) as where:
            return ingest_epo(files, settings, surechembl, default_workers(), where)
    from isogloss.patents.parallel import ingest_parallel

    return ingest_parallel(files, settings)


def _write_corpus(
    path: Path, found: Ingested, settings: SourceSettings
) -> tuple[dict[str, Any], Counter[str]]:
    dropped: Counter[str] = Counter()
    statistics = CorpusStatistics()
    publications = track(found.publications, "writing", total=len(found.publications))
    with pq.ParquetWriter(path, CORPUS, compression="zstd") as writer:
        for batch in document_batches(publications, settings.origin, dropped, found.counts):
            for row in batch.to_pylist():
                statistics.add(row)
            writer.write_table(pa.Table.from_batches([batch]))
    return statistics.report(), dropped


def _note_refusals(folder: Path, found: Ingested, told: str) -> None:
    for refusal in found.refused[:NAMED_REFUSALS]:
        line = "" if refusal.line is None else f", line {refusal.line}"
        name = "" if refusal.id is None else f", {refusal.id}"
        note(f"{folder / refusal.file}{line}{name}: refused: {refusal.reason}")
    if len(found.refused) > NAMED_REFUSALS:
        note(f"and {len(found.refused) - NAMED_REFUSALS} more, named in {told}")


def _note_not_read(folder: Path, found: Ingested, told: str) -> None:
    for name, reason in list(found.not_read.items())[:NAMED_REFUSALS]:
        note(f"{folder / name}: not read: {reason}")
    if len(found.not_read) > NAMED_REFUSALS:
        note(f"and {len(found.not_read) - NAMED_REFUSALS} more not read, named in {told}")


def _where_all_left(found: Ingested, settings: SourceSettings) -> str:
    if not found.rules or not found.rules[0]["before"]["publications"]:
        refused = counted(found.records["refused"], "record")
        return f"none was loaded ({', '.join([f'{refused} refused', *left_out(found, settings)])})"
    for rule in found.rules:
        if not rule["after"]["publications"]:
            before = rule["before"]["publications"]
            return f"the rule '{rule['rule']}' removed the last {before}"
    return "the limit removed all"


def _print_summary(source: str, found: Ingested, settings: SourceSettings, told: str) -> None:
    records = found.records
    cut = len(found.cut_short)
    print(
        f"{source}: {counted(records['read'], 'record')} read, {records['refused']} refused"
        + (f"; {counted(cut, 'file')} cut short, whose later records are missing" if cut else "")
    )
    for line in left_out(found, settings):
        print(f"  left out: {line}")
    for rule in found.rules:
        publications, documents = rule["after"]["publications"], rule["after"]["documents"]
        print(f"  {rule['rule']}: {publications} publications, {documents} documents")
    if found.conflicts:
        print(f"  {counted(len(found.conflicts), 'conflict')}, named in {told}")
