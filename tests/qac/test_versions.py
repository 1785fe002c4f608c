import pytest

from isogloss.errors import DataError


def test_the_evidence_block_of_each_format(make_row, make_families) -> None:
    segments = [{"id": "D:1", "text": "One. "}, {"id": "D:2", "text": "Two."}]
    read = make_families(
        [
            make_row("A1", "en", "An abstract."),
            make_row("B1", "de", "", claim="1. Ein Anspruch."),
            make_row("B1", "en", "An abstract.", claim="1. A claim."),
            make_row("P", "en", "ignored where segments stand", segments=segments),
        ]
    )
    bodies = {version.id: version.body for family in read for version in family.versions}
    assert bodies == {
        "A1:en": "An abstract.",
        "B1:de": "1. Ein Anspruch.",
        "B1:en": "An abstract.\n1. A claim.",
        "P:en": "One.\nTwo.",
    }


def test_order_of_rows_does_not_matter(make_row, make_families) -> None:
    rows = [make_row(family, code, "x") for family in "BA" for code in ("fr", "de", "en")]
    assert make_families(rows) == make_families(rows[::-1])
    assert make_families(rows)[0].languages == ("de", "en", "fr")


def test_a_cluster_is_written_where_it_differs(make_row, make_families) -> None:
    read = make_families([make_row("A", "en", "x", cluster="c"), make_row("B", "en", "x")])
    clusters = [one.versions[0].document("", "x").metadata.cluster for one in read]
    assert clusters == ["c", None]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": "A:en"}, "document A:en stands there twice"),
        ({"id": "A de"}, "id 'A de' is empty, or none: ids hold no white space"),
        ({"language": "en"}, "family A has two versions in one language"),
        ({"cluster": "other"}, "family A lies in several clusters: A, other"),
    ],
)
def test_contradictions_are_named(change, message, make_row, make_families) -> None:
    with pytest.raises(DataError, match=message):
        make_families([make_row("A", "en", "x"), make_row("A", "de", "y") | change])
