"""What a card says of a text's origin is what was declared, and no more."""

import re

import pytest

from isogloss.benchmark import Document, DocumentMetadata, Query, QueryMetadata
from isogloss.qac.export import export
from isogloss.qac.provenance import ORIGINS, Provenance


@pytest.mark.parametrize("origin", [*ORIGINS, "dictated"])
def test_a_card_claims_no_more_of_the_origin_than_was_declared(tmp_path, origin) -> None:
    export(
        tmp_path / "small",
        [Document("D", DocumentMetadata("en", "D", origin=origin), text="text")],
        [Query("Q", "ask", QueryMetadata("en", "D"))],
        [("Q", "D", 1)],
        Provenance("small", "Made."),
    )
    card = (tmp_path / "small" / "card.md").read_text("utf-8")
    (line,) = re.findall(rf"- `{origin}`, 1 documents: (.+)", card)
    assert line == ORIGINS.get(origin, "as its source declares it")
    assert not re.search("professional|expert|office|this project|verified", line)
