"""Exact top 1000 of 722 queries over 35,102 documents: ours against bare searches."""

from collections.abc import Callable
from functools import partial

from benchmarks.vectors import documents, queries

DEPTH = 1000
SCANNED = 20


def isogloss() -> Callable[[], object]:
    """Our search: float32 candidates, near-ties rescored in float64."""
    from isogloss.retrieval.search import search

    q, d = queries(), documents()
    return partial(search, q, d, DEPTH)


def isogloss_by_torch() -> Callable[[], object]:
    """The same by what an accelerator runs: on one where there is one, else on the processor."""
    import torch

    from isogloss.retrieval.device import accelerator
    from isogloss.retrieval.nearest import ByTorch
    from isogloss.retrieval.search import search

    torch.set_num_threads(2)
    q, d = queries(), documents()
    return partial(search, q, d, DEPTH, nearest=ByTorch(accelerator() or "cpu"))


def faiss_flat() -> Callable[[], object]:
    """Bare faiss: float32 scores in the order faiss gives."""
    import faiss

    q, d = queries(), documents()
    return partial(faiss.knn, q, d, DEPTH, metric=faiss.METRIC_INNER_PRODUCT)


def torch_topk() -> Callable[[], object]:
    """Bare torch: one matrix product and topk."""
    import torch

    torch.set_num_threads(2)
    q, d = torch.from_numpy(queries()), torch.from_numpy(documents())
    return lambda: (q @ d.T).topk(DEPTH)


def lancedb_scan() -> Callable[[], object]:
    """LanceDB's own exact scan, query by query; twenty queries, because it is slow."""
    import tempfile

    import lancedb
    import numpy as np
    import pyarrow as pa

    q, d = queries(), documents()
    vectors = pa.FixedSizeListArray.from_arrays(pa.array(d.ravel()), d.shape[1])
    folder = tempfile.mkdtemp()
    rows = pa.table({"id": np.arange(len(d)), "vector": vectors})
    table = lancedb.connect(folder).create_table("d", rows)

    def scan() -> None:
        for query in q[:SCANNED]:
            table.search(query).distance_type("dot").limit(DEPTH).select(
                ["id", "_distance"]
            ).to_arrow()

    return scan
