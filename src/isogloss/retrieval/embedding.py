"""Rows through an encoder, longest texts first, so that a batch holds texts of one length."""

from collections.abc import Iterator

from isogloss.progress import track
from isogloss.retrieval.declaration import Side
from isogloss.retrieval.encoders import Encoder
from isogloss.retrieval.tables import Computed, Rows


def embed_rows(encoder: Encoder, rows: Rows, side: Side, label: str) -> Iterator[Computed]:
    """Encode rows batch by batch.

    Args:
        encoder: Puts the side's prompt on each text.
        rows: Texts without prompts.
        side: Queries or documents.
        label: What the progress says is being done.

    Yields:
        Hashes, token counts and vectors of one batch.

    Raises:
        EncoderError: Vectors are bad; the texts' ids are named.
    """
    # Longest first: what does not fit into memory fails at once, and the time left only shrinks.
    order = sorted(range(len(rows.ids)), key=lambda at: (-len(rows.texts[at]), rows.ids[at]))
    batches = encoder.batches(len(order))
    for part in track(batches, label, len(batches)):
        chosen = order[part]
        sent = [encoder.sent(rows.texts[at], side) for at in chosen]
        vectors = encoder.encode_sent(sent, [rows.ids[at] for at in chosen])
        yield Computed([rows.hashes[at] for at in chosen], encoder.count_tokens(sent), vectors)
