"""Unjudged twins: other publications of a query's cluster, which count as non-relevant."""

from collections import defaultdict

import numpy as np

from isogloss.benchmark import Benchmark
from isogloss.retrieval.gold import ranks_of
from isogloss.retrieval.ranking import Ranking
from isogloss.retrieval.recall import Mask

NEAR_THE_TOP = 10


def twin_note(benchmark: Benchmark, ranking: Ranking, judged: Mask) -> dict[str, str]:
    """Count unjudged documents of other families in the clusters of the queries with gold.

    They count as non-relevant (our reading), so a model that finds one is scored too low: the note
    says how often one is among the top 10.

    Returns:
        One note under "twins"; none where there are no twins.
    """
    asked = np.flatnonzero(judged).tolist()
    wanted = {benchmark.queries[query].cluster for query in asked}
    members: dict[str, list[int]] = defaultdict(list)
    known_of = [document.metadata for document in benchmark.documents]
    for index, cluster in enumerate([known.cluster or known.family for known in known_of]):
        if cluster in wanted:
            members[cluster].append(index)
    known = set(
        zip(benchmark.judged_queries.tolist(), benchmark.judged_documents.tolist(), strict=True)
    )
    pairs = [
        (query, document)
        for query in asked
        for document in members.get(benchmark.queries[query].cluster, ())
        if benchmark.documents[document].metadata.family != benchmark.queries[query].metadata.family
        and (query, document) not in known
    ]
    if not pairs:
        return {}
    query, document = np.array(pairs, dtype=np.int32).T
    near = np.count_nonzero(ranks_of(benchmark, ranking, query, document) <= NEAR_THE_TOP)
    return {
        "twins": (
            f"{len(pairs)} unjudged documents of another publication in the cluster of "
            f"{len(np.unique(query))} queries, {near} of them in the top {NEAR_THE_TOP}, "
            "count as non-relevant"
        )
    }
