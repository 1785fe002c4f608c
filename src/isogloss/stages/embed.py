"""Embed what is new of a benchmark, tag its dataset version and write the manifest."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

from isogloss.benchmark import Benchmark, read_benchmark
from isogloss.device_names import device_named
from isogloss.engine import LOCAL, Engine, Holding, open_engine
from isogloss.errors import BenchmarkError, StoreError
from isogloss.project import Project
from isogloss.retrieval.declaration import (
    DenseDeclaration,
    ModelDeclaration,
    Side,
    read_declaration,
)
from isogloss.retrieval.derived import DerivedDeclaration
from isogloss.retrieval.embedding import embed_rows, embed_rows_in
from isogloss.retrieval.manifest import (
    Manifest,
    SentText,
    SideManifest,
    rows_digest,
    truncated_shares,
    write_manifest,
)
from isogloss.retrieval.sending import sent_text, text_hash
from isogloss.retrieval.staging import without_vectors
from isogloss.retrieval.store import VectorStore
from isogloss.retrieval.tables import Computed, Rows, TableSpec, table_name
from isogloss.retrieval.vectors import name_some
from isogloss.settings import checked_key

if TYPE_CHECKING:
    from isogloss.retrieval.encoders import Encoder


def run(
    project: Project,
    benchmark: str,
    model: str,
    device: str | None = None,
    *,
    offline: bool = False,
    engine: str | None = None,
) -> None:
    """Bring the vectors of one model on one benchmark up to date, or what a derived one needs.

    Args:
        project: Where everything lies.
        benchmark: Its key.
        model: Its key: a file under models/.
        device: Such as ``cpu`` or ``cuda:1``, or ``auto`` for an accelerator where there is one;
            None takes that of params.yaml.
        offline: Ask no chat model; only query translation asks one.
        engine: Where texts are encoded, see `isogloss.engine.open_engine`; None takes that of
            params.yaml.

    Raises:
        UsageError: There is no such benchmark or model, or the name of device or engine is none.
        BenchmarkError: A document or query has no text; each is named.
        EncoderError: The model cannot be loaded or gives bad vectors.
        StoreError: The store cannot be written.
    """
    device, declaration, loaded = _inputs(project, benchmark, model, device)
    with open_engine(engine or project.settings.engine) as where:
        if isinstance(declaration, DerivedDeclaration):
            from isogloss.stages import derive

            derive.run(project, loaded, declaration, device, offline=offline, engine=where)
            return
        manifest = _embed(project, loaded, declaration, device, where)
    write_manifest(project.manifest(benchmark, model), manifest)


def restore(
    project: Project, manifest: Manifest, device: str | None = None, engine: Engine = LOCAL
) -> None:
    """Compute the vectors that a manifest names and the store lacks, as in a fresh clone.

    Raises:
        StoreError: Benchmark or model have changed since the manifest was written.
    """
    device, declaration, loaded = _inputs(project, manifest.benchmark, manifest.model, device)
    made = _embed(project, loaded, declaration, device, engine)
    if made != manifest:
        raise StoreError(
            f"{project.manifest(manifest.benchmark, manifest.model)}: benchmark or model have "
            f"changed since; run isogloss embed {manifest.benchmark} {manifest.model}"
        )


def computing(
    project: Project, declaration: DenseDeclaration, side: Side, label: str, device: str | None
) -> Callable[[Rows], Iterable[Computed]]:
    """Rows to vectors through one encoder, which is loaded only when there are any."""

    def compute(pending: Rows) -> Iterable[Computed]:
        settings = project.settings.embedding
        wanted = settings.device if device is None else device
        encoder = _load(declaration, wanted, settings.batch_size)
        return embed_rows(encoder, pending, side, label)

    return compute


def _inputs(
    project: Project, benchmark: str, model: str, device: str | None
) -> tuple[str | None, ModelDeclaration, Benchmark]:
    checked_key(benchmark)
    device = project.settings.embedding.device if device is None else device
    device_named(device)
    declaration = read_declaration(project.model(model))
    loaded = read_benchmark(project.held_benchmark(benchmark), benchmark)
    _refuse_empty(loaded)
    return device, declaration, loaded


def _embed(
    project: Project,
    benchmark: Benchmark,
    declaration: ModelDeclaration,
    device: str | None,
    engine: Engine,
) -> Manifest:
    batch_size = project.settings.embedding.batch_size
    load = partial(_load, declaration, device, batch_size)
    with engine.holding(load, device_named(device)) as encoders:
        embedder = _Embedder(project, benchmark, declaration, encoders)
        return Manifest(
            benchmark=benchmark.name,
            model=declaration.key,
            release=declaration.release,
            dataset_version=benchmark.version,
            tag=benchmark.version,
            dimension=embedder.dimension,
            declaration=declaration.model_dump(mode="json"),
            documents=embedder.bring("document"),
            queries=embedder.bring("query"),
        )


def _load(declaration: ModelDeclaration, device: str | None, batch_size: int) -> "Encoder":
    from isogloss.retrieval.encoders import load_encoder

    return load_encoder(declaration, device, batch_size)


def _refuse_empty(benchmark: Benchmark) -> None:
    empty = [doc.id for doc in benchmark.documents if not doc.content.strip()]
    empty += [query.id for query in benchmark.queries if not query.text.strip()]
    if empty:
        raise BenchmarkError(
            f"{benchmark.name}: {len(empty)} documents or queries have no text to embed "
            f"({name_some(empty)}); remove them or give them text"
        )


class _Embedder:
    """Both sides of a benchmark through one model."""

    def __init__(
        self,
        project: Project,
        benchmark: Benchmark,
        declaration: ModelDeclaration,
        encoders: "Holding[Encoder]",
    ) -> None:
        self._batch_size = project.settings.embedding.batch_size
        self._benchmark = benchmark
        self._declaration = declaration
        self._encoders = encoders
        self._store = VectorStore(project.store_uri, declaration.key)
        dense = declaration if isinstance(declaration, DenseDeclaration) else None
        self.dimension = None if dense is None else dense.dimension
        self._max_length = None if dense is None else dense.max_length

    def bring(self, side: Side) -> SideManifest:
        """Bring one side's table up to date and say what it holds."""
        texts, languages = self._texts(side)
        ids = list(texts)
        sent = (sent_text(self._declaration, text, side) for text in texts.values())
        rows = Rows(ids, [text_hash(text) for text in sent], list(texts.values()))
        name = table_name(self._benchmark.name, self._declaration.release, side)
        spec = TableSpec(name, self._declaration.key, self.dimension, full_text=side == "document")

        def embed(pending: Rows) -> Iterable[Computed]:
            if self.dimension is None:
                return without_vectors(pending)
            return self._compute(pending, side)

        tag = self._benchmark.version
        counts = self._store.update(spec, rows, embed, tag)
        done = "indexed" if self.dimension is None else "embedded"
        repeats = f", {counts.repeats} repeating a text {done} now" if counts.repeats else ""
        print(
            f"{self._benchmark.name} {self._declaration.key} {side} texts: {counts.embedded} "
            f"{done}, {counts.reused} reused, {counts.deleted} deleted{repeats}"
        )
        tokens = self._store.read(name, tag, vectors=False).tokens
        return SideManifest(
            table=name,
            rows=len(ids),
            digest=rows_digest(rows.ids, rows.hashes),
            sent=SentText(ids[0], sent_text(self._declaration, texts[ids[0]], side)),
            truncated=truncated_shares(languages, tokens, self._max_length),
        )

    def _texts(self, side: Side) -> tuple[dict[str, str], list[str]]:
        """Text by id, in id order, and the languages in the same order."""
        if side == "document":
            documents = self._benchmark.documents
            return {d.id: d.content for d in documents}, [d.metadata.language for d in documents]
        queries = self._benchmark.queries
        return {q.id: q.text for q in queries}, [q.metadata.language for q in queries]

    def _compute(self, pending: Rows, side: Side) -> Iterable[Computed]:
        label = f"embedding {self._benchmark.name} {side} texts with {self._declaration.key}"
        return embed_rows_in(self._encoders, self._batch_size, pending, side, label)
