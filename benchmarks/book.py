"""The benchmark book: what is measured, against whom, and what ratio is wanted."""

from collections.abc import Callable, Iterator

from benchmarks.measure import measure
from benchmarks.row import Row, against, seconds
from benchmarks.scale_book import costs, engines, scale, whole
from benchmarks.vectors import DIMENSION, DOCUMENTS, QUERIES

VECTOR_MB = (QUERIES + DOCUMENTS) * DIMENSION * 4 / 1e6


def search() -> Iterator[Row]:
    """Exact search, and the way from vectors on disk to every figure."""
    what = f"exact top 1000, {QUERIES} queries x {DOCUMENTS} documents x {DIMENSION}"
    faiss = measure("search:faiss_flat", repeats=7)
    yield against(what, "faiss flat, bare", faiss)
    yield against(
        what, "isogloss, near-ties in float64", measure("search:isogloss", repeats=7), faiss, 1.5
    )
    torch = measure("search:torch_topk", repeats=5)
    yield against(what, "torch matmul + topk", torch, faiss)
    by_torch = measure("search:isogloss_by_torch", repeats=5)
    yield against(what, "isogloss, what an accelerator runs (torch)", by_torch, faiss)
    scan = measure("search:lancedb_scan", repeats=2)
    yield against(what.replace(str(QUERIES), "only 20"), "LanceDB scan", scan)
    measure("whole:from_disk", repeats=1)
    whole = measure("whole:from_disk", repeats=5)
    yield against("vectors on disk to every figure", "isogloss", whole, faiss, 3)
    limit = VECTOR_MB + 600
    once = measure("whole:from_disk", repeats=1)
    yield Row(
        "the same in a process that does it once", "isogloss", "", f"{once.peak_mb:.0f} MB",
        wanted=f"under {limit:.0f} MB", met=once.peak_mb < limit,
    )  # fmt: skip


def metrics() -> Iterator[Row]:
    """Metrics from rankings, without intervals."""
    what = f"metrics of {QUERIES} rankings of 1000"
    ours = measure("metrics:routes", repeats=7)
    yield Row(
        what, "isogloss, headline figures and all routes", seconds(ours.seconds),
        f"{ours.peak_mb:.0f} MB", wanted="under 30 ms", met=ours.seconds < 0.030,
    )  # fmt: skip
    everything = measure("metrics:isogloss", repeats=7)
    yield against(what, "isogloss, with slices and per-query table", everything)
    yield against(what, "pytrec_eval, three recalls", measure("metrics:pytrec_eval", repeats=4))
    yield against(what, "ranx, three recalls", measure("metrics:ranx", repeats=4))


def resampling() -> Iterator[Row]:
    """BCa intervals."""
    what = "BCa, 14 figures, 10,000 resamples, 5 strata"
    scipy = measure("resampling:scipy_bootstrap", repeats=4)
    yield against(what, "scipy.stats.bootstrap", scipy)
    yield against(
        what, "isogloss, all at once", measure("resampling:isogloss", repeats=5), scipy, 1
    )


def storing() -> Iterator[Row]:
    """What store and bookkeeping add to encoding."""
    what = "400 texts by minilm-l6-en"
    bare = measure("whole:bare_encode", repeats=4)
    yield against(what, "model.encode, bare", bare)
    ours = measure("whole:embed_into_store", repeats=4)
    yield against(what, "isogloss, into the store", ours, bare, 1.05)


def ingest() -> Iterator[Row]:
    """Reading and selecting a one-gigabyte export."""
    rows = measure("ingest:rows", repeats=1).value or 0
    peers: list[tuple[str, str]] = [("duckdb", "duckdb, bare"), ("polars", "polars, bare"),
                                    ("orjson", "orjson, bare, one process")]  # fmt: skip
    timed = {name: measure(f"ingest:{name}", repeats=3) for name, _ in peers}
    ours = measure("ingest:isogloss", repeats=3)
    what = f"1 GB export, {rows:,.0f} rows"
    for name, who in peers:
        yield Row(
            what, who, f"{rows / timed[name].seconds:,.0f} rows/s", f"{timed[name].peak_mb:.0f} MB"
        )
    rate = timed["duckdb"].seconds / ours.seconds
    yield Row(
        what, "isogloss, every rule", f"{rows / ours.seconds:,.0f} rows/s",
        f"{ours.peak_mb:.0f} MB, all processes", f"{rate:.2f}x duckdb's rate",
        "at least 0.5x, under 600 MB", rate >= 0.5 and ours.peak_mb < 600,
    )  # fmt: skip


def medical() -> Iterator[Row]:
    """Asking a model 9,000 items, and scoring answers and verdicts."""
    what = "9,000 medical items asked at 20 ms, 16 at once"
    bare = measure("medical:bare", repeats=3)
    yield against(what, "AsyncOpenAI, bare", bare)
    ours = measure("medical:answer", repeats=3)
    yield against(what, "isogloss, recorded, synced and read", ours, bare, 1.2)
    for what, work, most in (
        ("9,000 verdicts parsed and scored", "medical:verdicts", 5),
        ("14 models x 9,000 answers scored with all intervals", "medical:scores", 20),
    ):
        one = measure(work, repeats=3)
        yield Row(
            what, "isogloss", seconds(one.seconds), f"{one.peak_mb:.0f} MB",
            wanted=f"under {most} s", met=one.seconds < most,
        )  # fmt: skip


GROUPS: dict[str, Callable[[], Iterator[Row]]] = {
    "search": search,
    "whole": whole,
    "metrics": metrics,
    "resampling": resampling,
    "storing": storing,
    "ingest": ingest,
    "medical": medical,
}

# Not among what `make bench` measures: gigabytes on disk and in memory, and minutes.
LARGE_GROUPS: dict[str, Callable[[], Iterator[Row]]] = {"scale": scale, "costs": costs}

# Only printed: it needs the extra `ray`.
PRINTED_GROUPS: dict[str, Callable[[], Iterator[Row]]] = {"engines": engines}
