import numpy as np

from isogloss.benchmark import Benchmark, Document, DocumentMetadata, Query, QueryMetadata
from isogloss.retrieval.ranking import Ranking
from isogloss.retrieval.twins import twin_note


def benchmark(*documents, judged):
    return Benchmark(
        name="twins",
        documents=tuple(
            Document(id_, DocumentMetadata("en", family, cluster=cluster))
            for id_, family, cluster in documents
        ),
        queries=(Query("q", "t", QueryMetadata("en", "f1", cluster="f2")),),
        judged_queries=np.zeros(len(judged), dtype=np.int32),
        judged_documents=np.array([document for document, _ in judged], dtype=np.int32),
        judged_values=np.array([value for _, value in judged], dtype=np.int32),
        version="",
    )


RANKING = Ranking(np.array([[1, 0]], dtype=np.int32), np.array([[0.9, 0.8]]))
GOLD, OTHER = ("a", "f1", "f2"), ("z", "f9", None)


def test_another_publication_of_the_cluster_is_a_twin():
    # The twin's family gives the cluster its name, so it states none of its own.
    made = benchmark(GOLD, ("b", "f2", None), ("c", "f3", "f2"), OTHER, judged=[(0, 1)])
    note = twin_note(made, RANKING, np.array([True]))["twins"]
    assert note.startswith("2 unjudged documents")
    assert "of 1 queries, 1 of them in the top 10" in note


def test_judged_documents_and_the_own_family_are_no_twins():
    made = benchmark(GOLD, ("b", "f2", None), ("c", "f1", "f2"), OTHER, judged=[(0, 1), (1, 0)])
    assert twin_note(made, RANKING, np.array([True])) == {}


def test_queries_without_gold_have_none():
    made = benchmark(GOLD, ("b", "f2", None), judged=[(0, 0)])
    assert twin_note(made, RANKING, np.array([False])) == {}
