"""The evidence block of each document, as models see it and local checks search it."""

from collections.abc import Iterable

from isogloss.errors import DataError
from isogloss.qac.versions import JOINT, Family


def evidence_blocks(families: Iterable[Family]) -> dict[str, str]:
    """Title, abstract and first claim, or title and passage, by document id (ChemCLIR A.4)."""
    return {
        version.id: JOINT.join(part for part in (version.title.strip(), version.body) if part)
        for family in families
        for version in family.versions
    }


def evidence_of(document: str, blocks: dict[str, str]) -> str:
    """The block of a document that models are asked about.

    Raises:
        DataError: The document is not there, or its block is empty.
    """
    block = blocks.get(document)
    if block is None:
        raise DataError(f"document {document}: not in the corpus; plan the queries again")
    if not block.strip():
        raise DataError(f"document {document}: its evidence block is empty; nothing can be asked")
    return block
