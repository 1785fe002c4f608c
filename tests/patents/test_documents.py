from collections import Counter

from isogloss.patents.documents import BATCH, document_batches
from isogloss.patents.record import Publication, Segment, Version
from isogloss.schema import CORPUS


def test_cleaned_text_beside_the_original() -> None:
    version = Version("en", "CO<sub>2</sub>", "a\u200b  b", "1. x\x00", truncated=True)
    dropped: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    publication = Publication("EP1B1", "EP", "EP1B1", None, ["C07"], [version])
    (batch,) = document_batches([publication], "published", dropped, counts)
    assert batch.schema == CORPUS
    (row,) = batch.to_pylist()
    assert (row["id"], row["date"], row["origin"]) == ("EP1B1:en", None, "published")
    assert (row["title"], row["abstract"], row["claim"]) == ("CO2", "a b", "1. x")
    assert row["title_original"] == "CO<sub>2</sub>"
    assert row["claim_original"] == "1. x\x00"
    assert dropped == {"zero_width": 1, "nul": 1}
    assert counts == {"truncated_documents_kept": 1}


def test_a_passage_is_its_cleaned_segments() -> None:
    segments = [Segment("D:1", "a <b>b</b>"), Segment("D:2", " c")]
    version = Version("en", abstract="a <b>b</b>  c", segments=segments)
    publication = Publication("D:1-2", versions=[version])
    (batch,) = document_batches([publication], "published", Counter(), Counter())
    (row,) = batch.to_pylist()
    assert row["abstract"] == "a b c" == " ".join(part["text"] for part in row["segments"])
    assert row["abstract_original"] == "a <b>b</b>  c"


def test_batches_hold_every_document_in_order() -> None:
    publications = [
        Publication(f"N{number:05}", versions=[Version("fr"), Version("en")])
        for number in range(BATCH)
    ]
    ids = [
        row["id"]
        for batch in document_batches(publications, "published", Counter(), Counter())
        for row in batch.to_pylist()
    ]
    assert len(ids) == 2 * BATCH
    assert ids == sorted(ids)
