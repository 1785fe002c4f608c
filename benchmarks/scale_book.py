"""What is measured on pools of other sizes: against mteb, against faiss, and as they grow."""

from collections.abc import Iterator

from benchmarks.measure import measure
from benchmarks.row import Row, against
from benchmarks.scale import DIMENSION, QUERIES

PUBLISHED, LARGE = "35102", "351020"


def whole() -> Iterator[Row]:
    """Whole evaluations of the published pool's size from the same vectors."""
    measure("scale:made", PUBLISHED, repeats=1)
    what = (
        f"whole evaluation, {QUERIES} queries x {PUBLISHED} documents x {DIMENSION}, same vectors"
    )
    cold = measure("against_mteb:mteb", PUBLISHED, repeats=1)
    warm = measure("against_mteb:mteb", PUBLISHED, repeats=4)
    yield against(f"{what}, first call", "mteb.evaluate on the exported task", cold)
    yield against(f"{what}, warm", "mteb.evaluate on the exported task", warm)
    first = measure("scale:evaluate", PUBLISHED, "plain", repeats=1)
    yield against(f"{what}, first call", "isogloss, all figures and routes", first, cold, 0.2)
    again = measure("scale:evaluate", PUBLISHED, "plain", repeats=5)
    yield against(f"{what}, warm", "isogloss, all figures and routes", again, warm, 0.2)
    full = measure("scale:evaluate", PUBLISHED, repeats=5)
    yield against(f"{what}, warm", "isogloss, with BCa intervals and p-values", full, warm)
    alike = warm.value is not None and abs(warm.value - (again.value or 0)) < 1e-9
    yield Row(
        "cross-language recall@10 of both", "mteb and isogloss", f"{warm.value} and {again.value}",
        "", wanted="the same", met=alike,
    )  # fmt: skip


def scale() -> Iterator[Row]:
    """Search and evaluation as pools grow to a million documents."""
    for count, repeats in (("100000", 4), ("1000000", 2)):
        measure("scale:made", count, repeats=1)
        what = f"exact top 1000, {QUERIES} queries x {int(count):,} documents x {DIMENSION}"
        faiss = measure("scale:faiss_flat", count, repeats=repeats)
        yield against(what, "faiss flat, bare, in memory", faiss)
        ordered = measure("scale:in_order", count, repeats=repeats)
        yield against(what, "isogloss, in memory, near-ties in float64", ordered, faiss, 1.3)
        memory = measure("scale:in_memory", count, repeats=repeats)
        yield against(what, "isogloss, in memory, every score in float64", memory, faiss)
        blocks = measure("scale:by_blocks", count, repeats=repeats)
        row = against(what, "isogloss, by blocks from Lance's files", blocks, faiss)
        if count == "1000000":
            row = row.asked("under 2,000 MB", met=blocks.peak_mb < 2000)
        yield row
    small = None
    for count in ("10000", PUBLISHED, "100000", LARGE, "1000000"):
        measure("scale:made", count, repeats=1)
        one = measure("scale:evaluate", count, repeats=2)
        what = f"whole evaluation with intervals, {int(count):,} documents x {DIMENSION}"
        if count == PUBLISHED:
            small = one
        most = 10.0 if count == LARGE else None
        yield against(what, "isogloss", one, small, most)


def engines() -> Iterator[Row]:
    """What a second processor is worth to encoding on Ray."""
    for model, count in (("minilm-l6-en", "320"), ("use-multilingual-v3", "640")):
        what = f"{count} texts by {model}, loaded"
        here = measure("encoding:encode", model, count, repeats=4)
        yield Row(what, "local, two threads", f"{int(count) / here.seconds:.0f} texts/s", "")
        one, two = (measure("engines:encode", model, count, n, repeats=1).value or 0 for n in "12")
        yield Row(what, "Ray, one processor", f"{one:.0f} texts/s", "")
        yield Row(
            what, "Ray, two processors", f"{two:.0f} texts/s", "",
            f"{two / one:.2f}x the rate of one", "at least 1.6x", two >= 1.6 * one,
        )  # fmt: skip


def costs() -> Iterator[Row]:
    """Unit costs that docs/scale.md reckons with."""
    for model, count in (
        ("char-ngrams", 2000), ("minilm-l6-en", 200), ("use-multilingual-v3", 100),
        ("e5-small-q4", 40),
    ):  # fmt: skip
        one = measure("encoding:encode", model, str(count), repeats=2)
        length = "" if one.value is None else f" of {one.value:.0f} tokens"
        yield Row(
            f"{count} texts{length}, processor", model, f"{count / one.seconds:.0f} texts/s",
            f"{one.peak_mb:.0f} MB",
        )  # fmt: skip
    for size in ("100000", "200000", "1000000"):
        what = f"{int(size):,} computed vectors x {DIMENSION} stored, words indexed, tagged"
        yield against(what, "isogloss", measure("scale:stored", size, repeats=1))
