"""What a retriever made of others needs on a benchmark: checked, translated, scored, declared."""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from msgspec.structs import replace

from isogloss.benchmark import Benchmark
from isogloss.engine import LOCAL, Engine
from isogloss.errors import StoreError, VersionMismatchError
from isogloss.progress import note
from isogloss.project import Project
from isogloss.retrieval.declaration import (
    DenseDeclaration,
    ModelDeclaration,
    read_declaration,
)
from isogloss.retrieval.derived import (
    Approximate,
    CrossEncoderScorer,
    DerivedDeclaration,
    QueryTranslation,
    Rerank,
)
from isogloss.retrieval.derived_manifest import (
    AnyManifest,
    DerivedManifest,
    PartManifest,
    content_digest,
    read_any_manifest,
    sent_texts,
    write_derived_manifest,
)
from isogloss.retrieval.derived_ranking import Retrievers
from isogloss.retrieval.manifest import Manifest, SentText, SideManifest, rows_digest
from isogloss.retrieval.pair_scores import Score, bring_scores, scores_table
from isogloss.retrieval.query_rows import translated_rows
from isogloss.retrieval.retrieve import is_stored
from isogloss.retrieval.sending import sent_text
from isogloss.retrieval.store import VectorStore
from isogloss.retrieval.tables import TableSpec, table_name
from isogloss.stages import embed
from isogloss.stages.translated_queries import TASK, recording_name, translate

if TYPE_CHECKING:
    from isogloss.retrieval.cross_encoder import PairScorer

Found = tuple[ModelDeclaration, AnyManifest]


def run(
    project: Project,
    benchmark: Benchmark,
    declaration: DerivedDeclaration,
    device: str | None = None,
    *,
    offline: bool = False,
    engine: Engine = LOCAL,
) -> None:
    """Bring one derived retriever up to date and write its manifest.

    Raises:
        DataError: A part has no manifest here, or a translation is missing.
        VersionMismatchError: A part is of another dataset version or release.
        ChatError: A translation is neither recorded nor to be had.
        EncoderError: A model cannot be loaded or gives bad vectors or scores.
        StoreError: The store cannot be used.
        SettingsError: The benchmark is too small for what is declared.
    """
    manifest = _make(project, benchmark, declaration, device, engine, offline=offline)
    write_derived_manifest(project.manifest(benchmark.name, declaration.key), manifest)
    # An output of the stage also where nobody is asked.
    recording = project.recording(recording_name(benchmark.name, declaration.key), TASK)
    recording.parent.mkdir(parents=True, exist_ok=True)
    recording.touch()
    made = ", ".join(part.model for part in manifest.parts)
    print(f"{benchmark.name} {declaration.key}: {declaration.kind} of {made}")


def ensure(
    project: Project,
    benchmark: Benchmark,
    key: str,
    device: str | None = None,
    engine: Engine = LOCAL,
) -> None:
    """Compute what the store lacks of a retriever and its parts, as in a fresh clone.

    The engine encodes what a model makes of a benchmark's own texts; the rest is computed here.

    Raises:
        StoreError: Benchmark or model have changed since the manifest was written.
    """
    _ensure(project, benchmark, key, device, engine, set())


def _ensure(
    project: Project,
    benchmark: Benchmark,
    key: str,
    device: str | None,
    engine: Engine,
    done: set[str],
) -> None:
    """Each part once, however many others are made of it."""
    if key in done:
        return
    done.add(key)
    declaration, manifest = find(project, benchmark)(key)
    path = project.manifest(benchmark.name, key)
    if isinstance(manifest, Manifest):
        if not is_stored(project.store_uri, manifest):
            note(f"{project.store_uri}: lacks the vectors of {path}; computing them")
            embed.restore(project, manifest, device, engine)
        return
    for part in manifest.parts:
        _ensure(project, benchmark, part.model, device, engine, done)
    names = [manifest.scores, None if manifest.queries is None else manifest.queries.table]
    store = VectorStore(project.store_uri, key)
    lacking = [name for name in names if name and benchmark.version not in store.tags(name)]
    if not lacking or not isinstance(declaration, DerivedDeclaration):
        return
    note(f"{project.store_uri}: lacks {', '.join(lacking)} of {path}; computing it")
    made = _completed(project, benchmark, declaration, manifest, device)
    if made != manifest:
        raise StoreError(
            f"{path}: benchmark or models have changed since; run isogloss embed "
            f"{benchmark.name} {key}"
        )


def find(project: Project, benchmark: Benchmark) -> Callable[[str], Found]:
    """Declaration and manifest by key, each checked against the benchmark and each other."""

    def found(key: str) -> Found:
        declaration = read_declaration(project.model(key))
        path = project.manifest(benchmark.name, key)
        manifest = read_any_manifest(path)
        for what, made, now in (
            ("dataset version", manifest.dataset_version, benchmark.version),
            ("release", manifest.release, declaration.release),
        ):
            if made != now:
                raise VersionMismatchError(
                    f"{path}: is of {what} {made}, but it is {now} now; run `isogloss embed "
                    f"{benchmark.name} {key}`"
                )
        return declaration, manifest

    return found


def _make(
    project: Project,
    benchmark: Benchmark,
    declaration: DerivedDeclaration,
    device: str | None,
    engine: Engine,
    *,
    offline: bool,
) -> DerivedManifest:
    if isinstance(declaration, Approximate):
        declaration.refuse_small_pool(benchmark.name, len(benchmark.documents))
    parts: dict[str, Found] = {}
    for key in declaration.parts:
        parts[key] = find(project, benchmark)(key)
        ensure(project, benchmark, key, device, engine)
    sent = {
        f"{key}.{name}": text
        for key, (_, manifest) in parts.items()
        for name, text in sent_texts(manifest).items()
    }
    manifest = DerivedManifest(
        benchmark=benchmark.name,
        model=declaration.key,
        release=declaration.release,
        dataset_version=benchmark.version,
        declaration=declaration.model_dump(mode="json"),
        parts=[
            PartManifest(key, part.release, content_digest(part))
            for key, (_, part) in parts.items()
        ],
        sent=sent,
    )
    if isinstance(declaration, QueryTranslation):
        texts = translate(project, benchmark, declaration, offline=offline)
        manifest = replace(manifest, translations=texts)
    return _completed(project, benchmark, declaration, manifest, device)


def _completed(
    project: Project,
    benchmark: Benchmark,
    declaration: DerivedDeclaration,
    manifest: DerivedManifest,
    device: str | None,
) -> DerivedManifest:
    """The manifest with what has to be computed: vectors of translations, second-stage scores."""
    if isinstance(declaration, QueryTranslation):
        return _translated(project, benchmark, declaration, manifest, device)
    if isinstance(declaration, Rerank) and isinstance(declaration.scorer, CrossEncoderScorer):
        return _scored(project, benchmark, declaration, manifest, device)
    return manifest


def _translated(
    project: Project,
    benchmark: Benchmark,
    declaration: QueryTranslation,
    manifest: DerivedManifest,
    device: str | None,
) -> DerivedManifest:
    inner = read_declaration(project.model(declaration.model))
    translations = manifest.translations or {}
    queries = None
    if isinstance(inner, DenseDeclaration):
        queries = _embed(project, benchmark, declaration, inner, translations, device)
    shown = next(
        (
            by_query[query.id]
            for query in benchmark.queries
            for target, by_query in sorted(translations.items())
            if query.metadata.language != target
        ),
        benchmark.queries[0].text,
    )
    sent = {**manifest.sent, f"{declaration.model}.query": sent_text(inner, shown, "query")}
    return replace(manifest, queries=queries, sent=sent)


def _embed(
    project: Project,
    benchmark: Benchmark,
    declaration: QueryTranslation,
    inner: DenseDeclaration,
    translations: dict[str, dict[str, str]],
    device: str | None,
) -> SideManifest | None:
    """The translations through the inner encoder, into a table of their own."""
    rows = translated_rows(inner, benchmark, translations)
    if not rows.ids:
        return None
    name = table_name(benchmark.name, declaration.release, "query")
    spec = TableSpec(name, declaration.key, inner.dimension)
    store = VectorStore(project.store_uri, declaration.key)
    label = f"embedding translated queries of {benchmark.name} with {inner.key}"
    compute = embed.computing(project, inner, "query", label, device)
    counts = store.update(spec, rows, compute, benchmark.version)
    print(
        f"{benchmark.name} {declaration.key} query texts: {counts.embedded} embedded, "
        f"{counts.reused} reused, {counts.deleted} deleted"
    )
    return SideManifest(
        table=name,
        rows=len(rows.ids),
        digest=rows_digest(rows.ids, rows.hashes),
        sent=SentText(rows.ids[0], sent_text(inner, rows.texts[0], "query")),
        truncated=None,
    )


def _scored(
    project: Project,
    benchmark: Benchmark,
    declaration: Rerank,
    manifest: DerivedManifest,
    device: str | None,
) -> DerivedManifest:
    first = Retrievers(project.store_uri, benchmark, find(project, benchmark)).rank(
        declaration.first
    )
    size = project.settings.embedding.batch_size
    store = VectorStore(project.store_uri, declaration.key)
    score = _scoring(project, declaration, device)
    counts = bring_scores(store, declaration, benchmark, first, score, size)
    print(
        f"{benchmark.name} {declaration.key} pairs: {counts.embedded + counts.repeats} scored, "
        f"{counts.reused} reused, {counts.deleted} deleted"
    )
    sent = {
        **manifest.sent,
        "scorer.query": benchmark.queries[0].text,
        "scorer.document": benchmark.documents[0].content,
    }
    return replace(manifest, scores=scores_table(benchmark.name, declaration), sent=sent)


def _scoring(project: Project, declaration: Rerank, device: str | None) -> Score:
    """Pairs to scores; the model is loaded only when there are any."""
    settings = project.settings.embedding

    @cache
    def scorer() -> "PairScorer":
        from isogloss.retrieval.cross_encoder import load_cross_encoder

        wanted = settings.device if device is None else device
        return load_cross_encoder(declaration, wanted, settings.batch_size)

    return lambda pairs, names: scorer().score(pairs, names)
