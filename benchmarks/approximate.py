"""`python -m benchmarks.approximate`: what lists cost and save against exact search.

A hundred thousand seeded vectors of 384 dimensions, 722 queries at once and one alone. Seconds are
the best of several rounds in which all take turns, so that they met the same machine.
"""

import time
from collections.abc import Callable

from benchmarks.measure import machine
from benchmarks.scale import chunk, queries

DOCUMENTS, LISTS, PROBES, SEED = 100_000, 256, (1, 4, 16), 13
ROUNDS, BUILDS = 7, 3


def seconds(works: dict[str, Callable[[], object]], rounds: int = ROUNDS) -> dict[str, float]:
    """The best time of each work; they take turns."""
    best = dict.fromkeys(works, float("inf"))
    for _ in range(rounds):
        for name, work in works.items():
            start = time.perf_counter()
            work()
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def main() -> None:
    """Measure and print."""
    import numpy as np

    from isogloss.retrieval.approximate_search import ListIndex
    from isogloss.retrieval.approximation import found_of_top, found_percent
    from isogloss.retrieval.inverted_lists import part
    from isogloss.retrieval.search import exact_scores, search

    pool = np.concatenate([chunk(number) for number in range(2)])[:DOCUMENTS]
    asked = queries()
    index = ListIndex(pool, part(pool, LISTS, SEED))

    def exact(vectors: np.ndarray) -> object:
        return exact_scores(search(vectors, pool), vectors, pool)

    works: dict[str, Callable[[], object]] = {}
    for what, vectors in (("722 queries", asked), ("one query", asked[:1])):
        works[f"exact, {what}"] = lambda vectors=vectors: exact(vectors)
        for probes in PROBES:
            name = f"{probes} of {LISTS} lists, {what}"
            works[name] = lambda vectors=vectors, probes=probes: index.search(vectors, probes)
    best = seconds(works)
    best |= seconds(
        {"parting and laying out": lambda: ListIndex(pool, part(pool, LISTS, SEED))}, BUILDS
    )
    ranking = search(asked, pool)
    print(f"{machine()}; {DOCUMENTS} x {pool.shape[1]}")
    for name, value in best.items():
        print(f"{name}: {value:.4f} s")
    for probes in PROBES:
        level = index.search(asked, probes)
        shares = [found_of_top(ranking, level.ranking, k).mean() for k in (10, 100, 1000)]
        told = ", ".join(found_percent(float(share)) for share in shares)
        print(f"{probes} probes compare {level.compared.mean() / DOCUMENTS:.1%}, find {told}")


if __name__ == "__main__":
    main()
