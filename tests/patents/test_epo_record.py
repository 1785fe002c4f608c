from pathlib import Path

import pytest

from isogloss.errors import DataError
from isogloss.patents.epo_record import read_document

from .epo_files import specification


def test_old_documents_carry_old_codes(root: Path) -> None:
    path = root / "data" / "patents" / "epo" / "grant" / "EP84305989B1.xml"
    record = read_document(path.read_bytes(), path.name)
    assert (record.number, record.base, record.date) == ("EP0138357B1", "EP0138357", "1994-12-21")
    assert record.codes == ["5C 07H 21/00 A", "5C 12Q 1/68 B"]
    assert record.titles == [("de", "Markiertes DNA"), ("en", "Labeled DNA"), ("fr", "DNA marqué")]
    assert [language for language, _ in record.claims] == ["en", "de", "fr"]
    assert record.claims[0][1].startswith("A polymeric DNA molecule wherein")
    # The claim goes on behind the formula's image and comes from one <claims> alone.
    assert "wherein n is" in record.claims[0][1]


def test_cooperative_codes_are_read(root: Path) -> None:
    path = root / "data" / "patents" / "epo" / "application" / "v1-5-1-A2.xml"
    assert "C12N 9/88 20130101 LI20180809BHEP" in [
        " ".join(code.split()) for code in read_document(path.read_bytes(), "a").codes
    ]


def test_every_well_formed_grant_has_three_titles_and_claims(root: Path) -> None:
    read = []
    for path in sorted((root / "data" / "patents" / "epo" / "grant").glob("*.xml")):
        try:
            read.append(read_document(path.read_bytes(), path.name))
        except DataError as error:
            assert path.name == "EP19188132B1.xml"
            assert "line 187" in str(error)  # noqa: PT017
    assert len(read) == 24
    for record in read:
        assert {language for language, _ in record.titles} == {"de", "en", "fr"}
        assert {language for language, claim in record.claims if claim} == {"de", "en", "fr"}
        assert record.date is not None
        assert not any("DP n=" in claim for _, claim in record.claims)


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (specification(number=""), "has no number"),
        (specification(kind=""), "has no kind"),
        (b"<us-patent-grant/>", "us-patent-grant"),
    ],
)
def test_what_is_no_document_is_refused(content: bytes, named: str) -> None:
    with pytest.raises(DataError, match=named):
        read_document(content, "a.xml")
