"""Second-stage scores of (query, document) pairs, kept in the store as vectors are.

A pair is a row of the retriever's own table, reused while both of its texts stay the same. Its
score is the second element of a vector whose first is 1, so that the store's own checks, staging
and tags serve it as they serve vectors, a score of 0 included.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from isogloss.benchmark import Benchmark
from isogloss.errors import StoreError
from isogloss.progress import track
from isogloss.retrieval.derived import Rerank
from isogloss.retrieval.ranking import Ranking
from isogloss.retrieval.sending import text_hash
from isogloss.retrieval.store import Counts, VectorStore
from isogloss.retrieval.tables import Computed, Rows, TableSpec, table_name
from isogloss.retrieval.vectors import name_some

ELEMENTS = 2

Score = Callable[[Sequence[tuple[str, str]], Sequence[str]], npt.NDArray[np.float64]]


def scores_table(benchmark: str, declaration: Rerank) -> str:
    """The name of a retriever's table of scores."""
    return table_name(benchmark, declaration.release, "score")


def top_pairs(
    benchmark: Benchmark, first: Ranking, top: int
) -> dict[str, tuple[int, int, str, str]]:
    """Row, column and both texts of every pair in the top of a ranking, by the pair's name.

    The name is the ids of query and document with a blank between, which no id holds.
    """
    pairs = {}
    head = first.documents[:, :top]
    for row, column in zip(*np.nonzero(head >= 0), strict=True):
        query, document = benchmark.queries[row], benchmark.documents[head[row, column]]
        name = f"{query.id} {document.id}"
        pairs[name] = (int(row), int(column), query.text, document.content)
    return dict(sorted(pairs.items()))


def bring_scores(
    store: VectorStore,
    declaration: Rerank,
    benchmark: Benchmark,
    first: Ranking,
    score: Score,
    batch_size: int,
) -> Counts:
    """Score the pairs that the store has no score of and tag the dataset version.

    Args:
        store: The vector store.
        declaration: The retriever.
        benchmark: What is searched.
        first: The first stage.
        score: Scores pairs; called with a batch at a time.
        batch_size: Pairs scored together.

    Raises:
        StoreError: The store cannot be written.
        EncoderError: A score is no number.
    """
    pairs = top_pairs(benchmark, first, declaration.top)
    hashes = [_hash(query, document) for _, _, query, document in pairs.values()]
    spec = TableSpec(scores_table(benchmark.name, declaration), declaration.key, ELEMENTS)

    def compute(pending: Rows) -> Iterator[Computed]:
        label = f"scoring pairs of {benchmark.name} with {declaration.key}"
        starts: Iterable[int] = range(0, len(pending.ids), batch_size)
        for start in track(starts, label, len(range(0, len(pending.ids), batch_size))):
            part = slice(start, start + batch_size)
            names = pending.ids[part]
            found = score([pairs[name][2:] for name in names], names)
            vectors = np.stack([np.ones(len(found)), found], axis=1).astype(np.float32)
            yield Computed(pending.hashes[part], [None] * len(names), vectors)

    # The texts stand in other tables; here their hashes are enough.
    rows = Rows(list(pairs), hashes, [""] * len(pairs))
    return store.update(spec, rows, compute, benchmark.version)


def read_scores(
    store: VectorStore, declaration: Rerank, benchmark: Benchmark, first: Ranking
) -> npt.NDArray[np.float64]:
    """The scores of the top of a ranking.

    Returns:
        float64 (n_queries, width), -inf at padding; width is that of the ranking, at most the top.

    Raises:
        StoreError: The store lacks the table, or scores of these texts.
    """
    name = scores_table(benchmark.name, declaration)
    stored = store.read(name, benchmark.version)
    if stored.vectors is None:
        raise store.damage(name, "holds no scores")
    places = {key: at for at, key in enumerate(stored.ids)}
    scores = np.full(first.documents[:, : declaration.top].shape, -np.inf)
    missing = []
    for pair, (row, column, query, document) in top_pairs(
        benchmark, first, declaration.top
    ).items():
        at = places.get(pair)
        if at is None or stored.hashes[at] != _hash(query, document):
            missing.append(pair)
        else:
            scores[row, column] = stored.vectors[at, 1]
    if missing:
        raise StoreError(
            f"table {name}: lacks {len(missing)} scores ({name_some(missing)}); run isogloss embed "
            f"{benchmark.name} {declaration.key}"
        )
    return scores


def _hash(query: str, document: str) -> str:
    return text_hash(f"{query}\0{document}")
