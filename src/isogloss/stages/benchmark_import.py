"""Bring a BEIR-layout folder from elsewhere in as a benchmark of this project."""

from pathlib import Path

from isogloss.errors import UsageError
from isogloss.foreign_text import shown
from isogloss.languages import normalise_language
from isogloss.progress import note
from isogloss.project import Project
from isogloss.qac.beir import Defaults, read_beir
from isogloss.qac.export import export
from isogloss.qac.provenance import Provenance
from isogloss.retrieval.vectors import name_some
from isogloss.section import KEY_RULE, is_key

METHOD = (
    "Imported from a folder in BEIR layout. Its queries, documents and judgements are those of its "
    "makers; ids, texts and judged values are unchanged, and language tags became ISO 639-1 codes."
)
ATTRIBUTION = (
    "As its makers state it; the import does not know. Read and copy their terms before sharing."
)


def run(
    project: Project,
    folder: Path,
    name: str,
    *,
    language: str | None = None,
    language_field: str = "language",
    family_is_id: bool = False,
    force: bool = False,
) -> None:
    """Check a folder and write it as benchmark/NAME in canonical form, with statistics and card.

    Args:
        project: The project that gets it.
        folder: Holds corpus.jsonl, queries.jsonl and qrels/test.tsv, plain or packed.
        name: Key of the benchmark here.
        language: Language of records whose metadata names none.
        language_field: The metadata key that names the language.
        family_is_id: Each document without a family is one of its own.
        force: Replace a benchmark of this name; never done unasked.

    Raises:
        UsageError: The name is no key or is taken, the folder is missing, the language unknown.
        BenchmarkError: The folder holds no valid benchmark; nothing is written.
    """
    if not is_key(name):
        raise UsageError(f"--name '{shown(name)}': a key holds {KEY_RULE}")
    if not folder.is_dir():
        raise UsageError(f"{folder}: no such folder")
    if name in project.settings.made:
        raise UsageError(
            f"--name {name}: params.yaml makes a benchmark of this name; choose another"
        )
    target = project.benchmark(name)
    if target.exists() and not force:
        raise UsageError(f"{target}: exists; choose another --name, or pass --force to replace it")
    code = normalise_language(language)
    if language is not None and code is None:
        raise UsageError(f"--language {language!r}: no language known by an ISO 639-1 code")
    found = read_beir(folder, Defaults(code, language_field, family_is_id))
    provenance = Provenance(
        source=folder.resolve().name,
        method=METHOD,
        counts={"maker": "import", **found.counts},
        remarks=_remarks(found.counts),
        attribution=ATTRIBUTION,
    )
    written = export(target, found.documents, found.queries, found.qrels, provenance)
    judged = set(written.judged_queries[written.judged_values > 0].tolist())
    without = [query.id for place, query in enumerate(written.queries) if place not in judged]
    note(
        f"{target}: {len(written.queries)} queries, {len(written.documents)} documents, "
        f"{len(written.judged_queries)} qrels, version {written.version}"
    )
    if without:
        named = name_some(list(map(shown, without)))
        note(f"{target}: queries without gold leave every mean ({len(without)}): {named}")
    silent = [document.id for document in written.documents if not document.content.strip()]
    silent += [query.id for query in written.queries if not query.text.strip()]
    if silent:
        named = name_some(list(map(shown, silent)))
        note(
            f"{target}: no text to embed ({len(silent)}): {named}; give each one, or leave it out, "
            "and import again"
        )
    # No stage makes it, so neither git nor DVC knows it until somebody adds it.
    place = target.relative_to(project.root).as_posix()
    note(f"to version it: dvc add {place} && git add {place}.dvc")
    if not silent:
        note(f"to run it: add {name} to run.benchmarks in params.yaml, then dvc repro")


def _remarks(counts: dict[str, object]) -> tuple[str, ...]:
    remarks = []
    if counts["language_from_option"]:
        remarks.append(
            f"{counts['language_from_option']} records named no language; it was given at import."
        )
    if counts["dropped_metadata"]:
        remarks.append(f"Further metadata was left out, by key: {counts['dropped_metadata']}.")
    return tuple(remarks)
