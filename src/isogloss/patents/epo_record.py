"""One publication of the EPO as its file holds it, whatever the file's format."""

from dataclasses import dataclass, field

from lxml import etree

from isogloss.errors import DataError
from isogloss.patents.identifiers import iso_date, normalise_number
from isogloss.patents.xml_text import parse_xml, text_of

# Specifications; B8 (a corrected title page) and A documents make no document of their own.
SPECIFICATIONS = frozenset(["B1", "B2", "B3", "B9"])
_EDITION = "B516"


@dataclass
class EpoRecord:
    """What is needed of one publication.

    Attributes:
        source: Name of the file (and line) it comes from.
        country: Office, two letters.
        patent: The patent's number without kind.
        kind: Kind code such as B1.
        date: ISO date or None.
        titles: (language tag, title) in order.
        claims: (language tag or None, first claim) of each set of claims, in order.
        abstracts: (language tag or None, text) in order.
        codes: IPC and CPC codes as written.
    """

    source: str
    country: str
    patent: str
    kind: str
    date: str | None
    titles: list[tuple[str | None, str]] = field(default_factory=list)
    claims: list[tuple[str | None, str]] = field(default_factory=list)
    abstracts: list[tuple[str | None, str]] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)

    @property
    def number(self) -> str:
        """The normalised publication number: office, number and kind."""
        return normalise_number(f"{self.country}{self.patent}{self.kind}")

    @property
    def base(self) -> str:
        """The patent, which its A and B documents share."""
        return normalise_number(f"{self.country}{self.patent}")


def read_document(content: bytes, source: str) -> EpoRecord:
    """Read one full-text document (ST.36, DTD 1.0 to 1.5.1).

    Raises:
        DataError: It is no well-formed document of this kind, or lacks number or kind.
    """
    root = parse_xml(content)
    if root.tag != "ep-patent-document":
        raise DataError(f"the root is <{root.tag}>, not <ep-patent-document>")
    record = EpoRecord(
        source=source,
        country=_value(root, "country", "SDOBI/B100/B190") or "EP",
        patent=_value(root, "doc-number", "SDOBI/B100/B110"),
        kind=_value(root, "kind", "SDOBI/B100/B130").upper(),
        date=iso_date(_value(root, "date-publ", "SDOBI/B100/B140/date")),
        titles=_titles(root),
        claims=[(claims.get("lang"), _first_claim(claims)) for claims in root.iter("claims")],
        abstracts=[(part.get("lang"), text_of(part)) for part in root.iter("abstract")],
        codes=_codes(root),
    )
    for name, value in (("number", record.patent), ("kind", record.kind)):
        if not value:
            raise DataError(f"has no {name}")
    return record


def _value(root: etree._Element, attribute: str, path: str) -> str:
    return (root.get(attribute) or root.findtext(path) or "").strip()


def _first_claim(claims: etree._Element) -> str:
    first = claims.find("claim")
    return "" if first is None else text_of(first)


def _titles(root: etree._Element) -> list[tuple[str | None, str]]:
    titles: list[tuple[str | None, str]] = []
    for block in root.iterfind("SDOBI/B500/B540"):
        language = None
        for part in block:
            if part.tag == "B541":
                language = text_of(part)
            elif part.tag == "B542":
                titles.append((language, text_of(part)))
    return titles


def _codes(root: etree._Element) -> list[str]:
    codes = []
    for block in root.iterfind("SDOBI/B500/*"):
        if block.tag == "B510":
            codes += [text_of(part) for part in block.iterfind("*") if part.tag != _EDITION]
        elif isinstance(block.tag, str) and block.tag.startswith(("B510", "B520")):
            codes += [part.text or "" for part in block.iter("text")]
    return codes
