"""A release as the vector store holds it on one dataset version, and how it ranks."""

from dataclasses import dataclass

from isogloss.benchmark import Benchmark
from isogloss.errors import StoreError, VersionMismatchError
from isogloss.progress import track
from isogloss.retrieval.bm25 import search_text
from isogloss.retrieval.ranking import Ranking
from isogloss.retrieval.search import search
from isogloss.retrieval.store import Stored, VectorStore
from isogloss.retrieval.stored_tables import parse_table_name
from isogloss.retrieval.tables import table_name


@dataclass(frozen=True)
class StoredRelease:
    """What a release made of a benchmark.

    Attributes:
        release: Its hash.
        dataset_version: Of the texts.
        documents: In the benchmark's order.
        queries: In the benchmark's order.
        ranking: The documents by query.
    """

    release: str
    dataset_version: str
    documents: Stored
    queries: Stored
    ranking: Ranking


def stored_releases(store: VectorStore, benchmark: str) -> dict[str, set[str]]:
    """The releases with vectors for a benchmark, and the dataset versions of each."""
    found: dict[str, set[str]] = {}
    for name in store.names():
        parsed = parse_table_name(name)
        if parsed is not None and parsed.benchmark == benchmark and parsed.side == "document":
            found[parsed.release] = set(store.tags(name))
    return found


def read_release(
    store: VectorStore, benchmark: Benchmark, release: str, model: str | None = None
) -> StoredRelease:
    """Read a release's vectors on a dataset version and rank with them; loads no model.

    Args:
        store: The vector store.
        benchmark: The dataset version.
        release: The hash.
        model: The key whose declaration makes this very release, where there is one: what to run.

    Raises:
        VersionMismatchError: The release has vectors for other dataset versions only.
        StoreError: It has none, or they are not of the benchmark's texts.
    """
    versions = stored_releases(store, benchmark.name).get(release)
    # The wrong model would be embedded for hours and change nothing.
    cure = f"run isogloss embed {benchmark.name} " + (model or "with the model that declares it")
    if not versions:
        raise StoreError(f"release {release}: no vectors for {benchmark.name}; {cure}")
    if benchmark.version not in versions:
        raise VersionMismatchError(
            f"release {release} has vectors for dataset version {', '.join(sorted(versions))} of "
            f"{benchmark.name}, not for {benchmark.version}; {cure}"
        )
    documents = store.read(table_name(benchmark.name, release, "document"), benchmark.version)
    queries = store.read(table_name(benchmark.name, release, "query"), benchmark.version)
    for side, stored, ids in (
        ("documents", documents, [document.id for document in benchmark.documents]),
        ("queries", queries, [query.id for query in benchmark.queries]),
    ):
        if stored.ids != ids:
            raise StoreError(
                f"release {release}: its {side} at {benchmark.version} are not those of "
                f"{benchmark.name}; {cure}"
            )
    return StoredRelease(
        release=release,
        dataset_version=benchmark.version,
        documents=documents,
        queries=queries,
        ranking=_rank(store, benchmark, release, documents, queries),
    )


def _rank(
    store: VectorStore, benchmark: Benchmark, release: str, documents: Stored, queries: Stored
) -> Ranking:
    if documents.vectors is not None and queries.vectors is not None:
        return search(queries.vectors, documents.vectors)
    texts = [query.text for query in benchmark.queries]
    label = f"searching {benchmark.name} by words"
    return search_text(
        store,
        table_name(benchmark.name, release, "document"),
        benchmark.version,
        texts,
        progress=lambda items: track(items, label, len(texts)),
    )
