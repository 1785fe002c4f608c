import pytest

from isogloss.benchmark import Document, DocumentMetadata, Query, QueryMetadata
from isogloss.qac.twins import (
    find_cluster_twins,
    find_leakage,
    find_repeated_queries,
    find_twins,
    queries_with_twins,
)


def document(name: str, text: str, title: str = "", family: str = "", cluster: str | None = None):
    metadata = DocumentMetadata(language="en", family=family or name, cluster=cluster)
    return Document(id=name, metadata=metadata, title=title, text=text)


def query(name: str, text: str, family: str, cluster: str | None = None) -> Query:
    return Query(name, text, QueryMetadata(language="en", family=family, cluster=cluster))


@pytest.mark.parametrize("case", ["P12"], indirect=True)
def test_gold_with_a_twin_is_reported(case) -> None:
    check = case["gold_one_of_twins"]
    documents = [document(name, text) for name, text in check["input"]["corpus"].items()]
    twins = find_twins(documents)
    assert twins.exact == check["expected"]["reported_duplicates"]
    gold = {name: set(names) for name, names in check["input"]["gold"].items()}
    assert queries_with_twins(twins, gold) == ["q"]
    # Both twins gold: whichever is found first, it is right.
    assert queries_with_twins(twins, {"q": {"d1", "d2"}}) == []
    assert queries_with_twins(twins, {"q": {"d3"}}) == []


@pytest.mark.parametrize("case", ["P12"], indirect=True)
def test_case_and_blanks_make_no_other_text(case) -> None:
    texts = case["case_and_blank_twins"]["input"]
    twins = find_twins([document(str(place), text) for place, text in enumerate(texts)])
    assert (twins.exact, twins.normalised) == ([], [["0", "1"]])


@pytest.mark.parametrize("case", ["P12"], indirect=True)
@pytest.mark.parametrize(
    "holder",
    [
        document("d", "same words"),
        document("d", "other", title="Same  words"),
        document("d", "Same words", title="a title"),
    ],
)
def test_a_query_equal_to_a_document_is_leakage(case, holder) -> None:
    assert case["self_match"]["expected"] == "reported as leakage"
    asked = [query("q", " same Words", "d"), query("r", "words", "other")]
    leakage = find_leakage([holder], asked, {"q": {"d"}, "r": set()})
    assert leakage.equal == [("q", "d")]
    assert leakage.contained == ["q"]


def test_a_query_inside_its_gold_is_leakage_too() -> None:
    documents = [document("d", "We found the same words here."), document("e", "the same words")]
    leakage = find_leakage(documents, [query("q", "the same words", "d")], {"q": {"d"}})
    assert (leakage.equal, leakage.contained) == ([("q", "e")], ["q"])


def test_empty_texts_are_no_twins() -> None:
    empty = [document("a", ""), document("b", " ")]
    assert find_twins(empty).normalised == []
    assert find_leakage(empty, [query("q", "x", "a")], {"q": {"a"}}).equal == []


def test_other_publications_of_a_cluster_are_unjudged() -> None:
    documents = [
        document("a:en", "x", family="a", cluster="c"),
        document("b:en", "y", family="b", cluster="c"),
        document("d:en", "z", family="d", cluster="c"),
        document("e:en", "w", family="e"),
    ]
    queries = [query("q", "?", "a", "c"), query("r", "?", "e")]
    # A qrel that names a publication of the cluster has judged it.
    gold = {"q": {"a:en", "d:en"}, "r": {"e:en"}}
    assert find_cluster_twins(documents, queries, gold) == {"q": ["b:en"]}


def test_one_question_with_two_answers_is_reported() -> None:
    other = Query("s", "same words", QueryMetadata(language="de", family="b"))
    queries = [query("r", "Same words", "a"), query("q", "same  words", "b"), other]
    assert find_repeated_queries(queries) == [["q", "r"]]
