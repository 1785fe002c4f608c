import gzip
import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isogloss.benchmark import Benchmark, Document, DocumentMetadata, Query, QueryMetadata
from isogloss.errors import RunFileError
from isogloss.files import json_bytes
from isogloss.retrieval.evaluation import evaluate_ranking
from isogloss.retrieval.gold import pair_table
from isogloss.retrieval.ranking import Ranking
from isogloss.retrieval.recall import side_scores
from isogloss.retrieval.run_file import read_run, write_run
from isogloss.settings import EvaluationSettings
from worlds import random_benchmark, random_ranking


def tiny(documents, queries, golds):
    """A benchmark in one language from ids alone; golds are (query, document) pairs."""
    documents, queries = sorted(documents), sorted(queries)
    pairs = sorted({(queries.index(q), documents.index(d), 1) for q, d in golds})
    judged = np.array(pairs, dtype=np.int32).reshape(-1, 3)
    return Benchmark(
        name="tiny",
        documents=tuple(Document(id_, DocumentMetadata("en", "f")) for id_ in documents),
        queries=tuple(Query(id_, "t", QueryMetadata("en", id_)) for id_ in queries),
        judged_queries=judged[:, 0],
        judged_documents=judged[:, 1],
        judged_values=judged[:, 2],
        version="0" * 32,
    )


BENCHMARK = tiny(["d1", "d2", "d3", "é"], ["q1", "q2"], [("q1", "d1")])


def read(tmp_path, content, benchmark=BENCHMARK, name="run.trec"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_run(path, benchmark)


def ids(ranking, query="q1", benchmark=BENCHMARK):
    row = ranking.documents[benchmark.query_index[query]]
    return [benchmark.documents[index].id for index in row if index >= 0]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("q1 Q0 d1 1 0.5\n", "line 1: 5 fields"),
        ("q1 Q0 d1 1 0.5 t\nq1 Q0 d2 1 0.5 t extra\n", "line 2: 7 fields"),
        ("q9 Q0 d1 1 0.5 t\n", "line 1: no query q9"),
        ("q1 Q0 d9 1 0.5 t\n", "line 1: no document d9"),
        ("q1 Q0 d1 1 0.5 t\n\nq1 Q0 d1 2 0.4 t\n", "line 3: document d1 stands a second time"),
        ("q1 Q0 d1 1 0.5 t\nq1\u00a0Q0 d2 1 0.5 t x\n", "line 2: no query"),
        ("q1 Q0 d1 1 0.5 t\nq1\vQ0 d2 1 0.5 t x\n", "line 2: no query"),
        ("", "empty run"),
        ("\n \t\n", "empty run"),
        (b"\xff Q0 d1 1 0.5 t\n", "line 1: no query"),
    ],
)
def test_faults_are_refused_by_line(tmp_path, content, message):
    with pytest.raises(RunFileError, match=message) as caught:
        read(tmp_path, content)
    assert "\n" not in str(caught.value)
    assert "run.trec" in str(caught.value)


@pytest.mark.parametrize(
    "score",
    [
        *("nan", "NaN", "inf", "-inf", "Infinity", "None", "true"),
        *("1_0", "0x10", "1,5", "0.5f", "1.2.3", "٣", "½", ".", "+", "-", "--1"),
        *("1e", "1e+", "1e1.5", "1e9999999999999999999999"),
    ],
)
def test_scores_that_are_no_finite_decimal_number(tmp_path, score):
    with pytest.raises(RunFileError, match=r"line 1: the score .* is no finite decimal number"):
        read(tmp_path, f"q1 Q0 d1 1 {score} t\n")


@pytest.mark.parametrize("score", ["1e309", "-1e999", "9" * 400])
def test_scores_beyond_all_numbers_are_refused_by_line(tmp_path, score):
    with pytest.raises(RunFileError, match=r"run\.trec, line 2: the score .* is beyond 1\.8e308"):
        read(tmp_path, f"q1 Q0 d1 1 1 t\nq1 Q0 d2 1 {score} t\nq1 Q0 d3 1 1e400 t\n")


@pytest.mark.parametrize(
    "score", ["1", "-1", "+1.5", ".5", "5.", "1e-5", "1E+05", "-0", "1e308", "1e-000000000000001"]
)
def test_scores_that_are(tmp_path, score):
    assert ids(read(tmp_path, f"q1 Q0 d1 1 {score} t\n")) == ["d1"]


@pytest.mark.parametrize(
    "content",
    [
        "q1 Q0 d2 1 0.5 t\nq1 Q0 é 2 0.4 t\n",
        "q1\tQ0\td2\t1\t0.5\tt\r\nq1 \t Q0  é 2 0.4 t\r\n",
        "\ufeffq1 Q0 d2 1 0.5 t\nq1 Q0 é 2 0.4 t",
        "  q1 Q0 d2 x 0.5 t  \n\nq1 Q0 é -7 0.4 t\r",
        "q1 Q0 d2 1 0.5 a\u00a0tag\nq1 Q0 é 2 0.4 a\u2028tag\n",
        "q1 Q0 d2 1 0.5 a\vtag\nq1 Q0 é 2 0.4 a\rtag\n",
    ],
)
def test_blanks_tabs_line_ends_and_bom(tmp_path, content):
    assert ids(read(tmp_path, content)) == ["d2", "é"]


def test_packed_files_and_broken_ones(tmp_path):
    packed = gzip.compress(b"q1 Q0 d1 1 0.5 t\n")
    assert ids(read(tmp_path, packed, name="run.trec.gz")) == ["d1"]
    for content in (packed[:-6], b"no gzip"):
        with pytest.raises(RunFileError, match=r"run\.trec\.gz: cannot be unpacked"):
            read(tmp_path, content, name="run.trec.gz")
    with pytest.raises(RunFileError, match="no such file"):
        read_run(tmp_path / "absent", BENCHMARK)


def test_order_is_by_the_decimals_as_written(tmp_path):
    # One float, three decimals; 0.50 and 0.5 are one decimal.
    lines = [
        "q1 Q0 d1 1 0.12345678901234567890 t",
        "q1 Q0 d2 2 0.12345678901234567892 t",
        "q1 Q0 d3 3 0.12345678901234567891 t",
    ]
    for order in itertools.permutations(lines):
        assert ids(read(tmp_path, "\n".join(order))) == ["d2", "d3", "d1"]
    assert ids(read(tmp_path, "q1 Q0 d2 1 0.5 t\nq1 Q0 d1 1 0.50 t\n")) == ["d1", "d2"]
    assert ids(read(tmp_path, "q1 Q0 d1 1 0 t\nq1 Q0 d2 1 1e-400 t\n")) == ["d2", "d1"]
    assert ids(read(tmp_path, "q1 Q0 d2 1 -0 t\nq1 Q0 d1 1 0.0 t\n")) == ["d1", "d2"]


def test_rank_column_is_ignored_and_absent_queries_are_empty(tmp_path):
    ranking = read(tmp_path, "q1 Q0 d1 1 0.1 t\nq1 Q0 d2 2 0.9 t\n")
    assert ids(ranking) == ["d2", "d1"]
    assert ids(ranking, "q2") == []


def test_cut_at_rank_1000(tmp_path):
    documents = [f"d{number:04d}" for number in range(1500)]
    benchmark = tiny(documents, ["q1"], [("q1", "d0000")])
    content = "".join(f"q1 Q0 {document} 0 0.5 t\n" for document in reversed(documents))
    assert ids(read(tmp_path, content, benchmark), benchmark=benchmark) == documents[:1000]


@pytest.mark.parametrize("case", ["R01"], indirect=True)
def test_ties_rank_by_id_in_every_order_of_lines(case, tmp_path):
    check = case["id_ascending_rank_of_d5"]
    scores, gold = check["input"]["scores"], check["input"]["relevant"][0]
    benchmark = tiny(list(scores), ["q1"], [("q1", gold)])
    path = tmp_path / "run.trec"
    found = set()
    for order in itertools.permutations(scores):
        path.write_text("".join(f"q1 Q0 {d} 1 {scores[d]} t\n" for d in order), "utf-8")
        found.add(int(pair_table(benchmark, read_run(path, benchmark)).rank[0]))
    assert found == {check["expected"]}


@pytest.mark.parametrize("case", ["M01"], indirect=True)
def test_unanswered_counts_and_unjudged_does_not(case, tmp_path):
    check = case["recall_at_2"]
    golds = [(q, d) for q, documents in check["input"]["qrels"].items() for d in documents]
    benchmark = tiny(["A", "B", "C", "D", "X"], ["q1", "q2", "q3", "q4"], golds)
    run = {q: documents for q, documents in check["input"]["run"].items() if q != "q5"}
    # Ranks beyond 2 are pushed beyond 10 where recall@2 is asked for and @10 is built.
    lines = [
        f"{q} Q0 {d} 1 {-rank} t"
        for q, documents in run.items()
        for rank, d in enumerate(documents)
    ]
    ranking = read(tmp_path, "\n".join(lines), benchmark)
    ranking = Ranking(ranking.documents[:, : check["input"]["k"]], ranking.scores)
    scored = side_scores(pair_table(benchmark, ranking), "same")
    per_query = dict(zip(["q1", "q2", "q4"], scored.recall(10).tolist(), strict=True))
    assert per_query == check["expected"]["per_query"]
    options = EvaluationSettings(resamples=100)
    metrics = evaluate_ranking(benchmark, ranking, options, intervals=False).metrics
    assert metrics["recall_at_10/same"] == check["expected"]["mean"]
    assert metrics["n_queries"] == check["expected"]["n"]
    assert "q3" in metrics["notes"]["queries_without_gold"]
    assert "q4" in metrics["notes"]["queries_without_results"]
    with pytest.raises(RunFileError, match="no query q5"):
        read(tmp_path, "q5 Q0 A 1 1 t\n", benchmark)


@pytest.mark.parametrize("case", ["M02"], indirect=True)
@pytest.mark.parametrize("name", ["run_dup", "never_above_one"])
def test_a_repeated_document_is_refused(case, name, tmp_path):
    listed = case[name]["input"]["run"]
    benchmark = tiny(["A", "B", "C"], ["q1"], [("q1", "A")])
    lines = [f"q1 Q0 {document} 1 {-rank} t" for rank, document in enumerate(listed)]
    with pytest.raises(RunFileError, match="line 2: document A stands a second time"):
        read(tmp_path, "\n".join(lines), benchmark)


def test_written_and_read_again_gives_the_same_metrics(tmp_path):
    benchmark = random_benchmark(2, 400, 60)
    ranking = random_ranking(benchmark, 2, grain=12)
    path = tmp_path / "run.trec.gz"
    write_run(path, benchmark, ranking, "model")
    content = path.read_bytes()
    options = EvaluationSettings(resamples=200)
    again = read_run(path, benchmark)
    first, second = (evaluate_ranking(benchmark, r, options) for r in (ranking, again))
    assert json_bytes(first.metrics) == json_bytes(second.metrics)
    assert first.queries.equals(second.queries, check_metadata=True)
    write_run(path, benchmark, again, "model")
    assert path.read_bytes() == content
    assert gzip.decompress(content).split(b"\n")[0].count(b" ") == 5


def test_a_ranking_in_another_order_than_its_scores_is_not_written(tmp_path):
    documents = np.array([[1, 0], [-1, -1]], dtype=np.int32)
    tied = np.array([[0.5, 0.5], [-np.inf, -np.inf]])
    with pytest.raises(RunFileError, match="query q1 is not ordered"):
        write_run(tmp_path / "run", BENCHMARK, Ranking(documents, tied), "t")
    with pytest.raises(RunFileError, match="tag"):
        write_run(tmp_path / "run", BENCHMARK, Ranking(documents, tied), "a tag")
    assert not (tmp_path / "run").exists()


@settings(max_examples=30)
@given(data=st.data())
def test_line_order_never_matters(tmp_path_factory, data):
    scores = data.draw(st.lists(st.sampled_from(["0.5", ".50", "5e-1", "0.7", "-1"]), min_size=3))
    documents = [f"d{number:02d}" for number in range(len(scores))]
    benchmark = tiny(documents, ["q1"], [("q1", documents[0])])
    lines = [f"q1 Q0 {d} 1 {s} t\n" for d, s in zip(documents, scores, strict=True)]
    folder = tmp_path_factory.mktemp("run")
    first = read(folder, "".join(lines), benchmark).documents
    second = read(folder, "".join(data.draw(st.permutations(lines))), benchmark).documents
    assert first.tolist() == second.tolist()
