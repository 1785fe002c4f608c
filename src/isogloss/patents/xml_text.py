"""XML read without DTDs, network or entities, and the text of its mixed content."""

import re
from typing import Any

from lxml import etree

from isogloss.errors import DataError
from isogloss.files import one_line

# Tags that part words; every other tag is inline and joins them.
BLOCKS = frozenset(["claim-text", "claim", "p", "br", "heading", "li", "ul", "ol", "dl", "dt", "dd",
                    "row", "entry", "table", "tables", "abstract", "claims"])  # fmt: skip

_XML_BLANKS = re.compile("[ \t\r\n]+")
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")

# lxml names the source it was given, which is a string of bytes here, and the line once more.
_WHERE = re.compile(r" \(<string>, line \d+\)$")


def parse_xml(content: bytes) -> etree._Element:
    """Parse one document; its declared encoding and BOM are honoured.

    No external DTD or entity is ever opened. lxml then drops what an entity stands for without a
    word, so a document with an entity that XML itself does not define, or with entities of its
    own, is refused.

    Raises:
        DataError: The document is not well-formed or needs entities; the line is named where the
            parser knows it.
    """
    parser = etree.XMLParser(
        load_dtd=False,
        no_network=True,
        resolve_entities=False,
        dtd_validation=False,
        attribute_defaults=False,
        huge_tree=True,
    )
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise DataError(_WHERE.sub("", one_line(error))) from error
    subset: Any = root.getroottree().docinfo.internalDTD
    if subset is not None and subset.entities():
        raise DataError("declares entities of its own; they are never resolved")
    for fault in parser.error_log:
        if "UNDECLARED_ENTITY" in fault.type_name:
            raise DataError(f"{fault.message}, line {fault.line}")
    for reference in root.iter(etree.Entity):
        raise DataError(f"Entity {reference.text} not defined, line {reference.sourceline}")
    return root


def parse_fragment(text: str) -> etree._Element:
    """Parse elements and text without a root of their own, as cells of the EPO's TSV hold them.

    Raises:
        DataError: The fragment is not well-formed or needs entities.
    """
    return parse_xml(f"<x>{_FORBIDDEN.sub('', text)}</x>".encode())


def text_of(element: etree._Element) -> str:
    """All text of an element: inline tags join, block tags part, comments are nothing.

    Returns:
        The text with XML's own white space (blank, tab, line ends) folded to single blanks;
        others, such as the no-break space, are left to cleaning.
    """
    parts: list[str] = []
    # Walked, not recursed into: deep nesting would exhaust Python's stack.
    for event, node in etree.iterwalk(element, events=("start", "end", "comment", "pi")):
        if event == "start":
            if node.tag in BLOCKS:
                parts.append(" ")
            parts.append(node.text or "")
            continue
        if event == "end" and node.tag in BLOCKS:
            parts.append(" ")
        if node is not element:
            parts.append(node.tail or "")
    return _XML_BLANKS.sub(" ", "".join(parts)).strip(" ")
