"""Families of language versions, read from a corpus in an order that no input order can change."""

from collections import defaultdict
from dataclasses import dataclass

import pyarrow as pa

from isogloss.benchmark import Document, DocumentMetadata
from isogloss.errors import DataError
from isogloss.ids import RULE, is_id

# Parts of a text stand on lines of their own: a line end is a border in every language.
JOINT = "\n"


@dataclass(frozen=True)
class Version:
    """One language version of one family.

    Attributes:
        segments: (id, text) pairs of a parallel source; empty for patents.
    """

    id: str
    family: str
    cluster: str
    language: str
    title: str
    abstract: str
    claim: str
    segments: tuple[tuple[str, str], ...]
    office: str
    origin: str

    @property
    def body(self) -> str:
        """The evidence block without its title: passage text, or abstract and first claim.

        Google rows carry no claim and EPO rows an abstract only where one was joined, so this one
        rule gives each source the evidence block of ChemCLIR-Bench A.4.
        """
        parts = [text for _, text in self.segments] or [self.abstract, self.claim]
        return JOINT.join(part.strip() for part in parts if part.strip())

    def document(self, title: str, text: str) -> Document:
        """This version as a document of a benchmark, with the text that a maker leaves in it."""
        return Document(
            id=self.id,
            title=title,
            text=text,
            metadata=DocumentMetadata(
                language=self.language,
                family=self.family,
                office=self.office,
                origin=self.origin,
                cluster=self.cluster if self.cluster != self.family else None,
            ),
        )


@dataclass(frozen=True)
class Family:
    """All versions of one publication number or passage, sorted by language."""

    id: str
    cluster: str
    versions: tuple[Version, ...]

    @property
    def languages(self) -> tuple[str, ...]:
        """Languages of the versions, in order."""
        return tuple(version.language for version in self.versions)

    def version(self, language: str) -> Version | None:
        """The version in a language, if there is one."""
        return next((one for one in self.versions if one.language == language), None)


def families(corpus: pa.Table) -> list[Family]:
    """Group a corpus into families, sorted by id.

    Args:
        corpus: A table of the schema `isogloss.schema.CORPUS`.

    Raises:
        DataError: Two rows share an id or a family's language, an id is empty or none (`ids`),
            or a family lies in two clusters; the id is named.
    """
    grouped: dict[str, list[Version]] = defaultdict(list)
    seen: set[str] = set()
    for row in corpus.to_pylist():
        version = Version(
            segments=tuple((segment["id"], segment["text"]) for segment in row["segments"]),
            **{key: row[key] for key in _PLAIN},
        )
        for name in (version.id, version.family):
            if not is_id(name):
                raise DataError(f"corpus: id {name!r} is empty, or none: {RULE}")
        if version.id in seen:
            raise DataError(f"corpus: document {version.id} stands there twice")
        seen.add(version.id)
        grouped[version.family].append(version)
    return [_family(name, grouped[name]) for name in sorted(grouped)]


_PLAIN = (
    "id",
    "family",
    "cluster",
    "language",
    "title",
    "abstract",
    "claim",
    "office",
    "origin",
)


def _family(name: str, versions: list[Version]) -> Family:
    languages = [version.language for version in versions]
    if len(set(languages)) != len(languages):
        raise DataError(f"corpus: family {name} has two versions in one language")
    clusters = sorted({version.cluster for version in versions})
    if len(clusters) != 1:
        raise DataError(f"corpus: family {name} lies in several clusters: {', '.join(clusters)}")
    ordered = sorted(versions, key=lambda version: version.language)
    return Family(name, clusters[0], tuple(ordered))
