"""Rows through an encoder, longest texts first, so that a batch holds texts of one length."""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from isogloss.engine import Here, Holding
from isogloss.progress import track
from isogloss.retrieval.declaration import Side
from isogloss.retrieval.tables import Computed, Rows

if TYPE_CHECKING:
    from isogloss.retrieval.encoders import Encoder


class Batch(NamedTuple):
    """Texts, without prompts, that go through an encoder together."""

    ids: list[str]
    hashes: list[str]
    texts: list[str]


def embed_rows(encoder: "Encoder", rows: Rows, side: Side, label: str) -> Iterator[Computed]:
    """Encode rows batch by batch, in this process.

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
    return embed_rows_in(Here(lambda: encoder), encoder.batch_size, rows, side, label)


def embed_rows_in(
    encoders: "Holding[Encoder]", batch_size: int, rows: Rows, side: Side, label: str
) -> Iterator[Computed]:
    """Encode rows batch by batch, wherever encoders are held.

    Args:
        encoders: What an engine holds.
        batch_size: Texts encoded together.
        rows: Texts without prompts.
        side: Queries or documents.
        label: What the progress says is being done.

    Yields:
        As `embed_rows`: the batches and their order are the same in every engine.

    Raises:
        EncoderError: Vectors are bad; the texts' ids are named.
    """
    # Longest first: what does not fit into memory fails at once, and the time left only shrinks.
    order = sorted(range(len(rows.ids)), key=lambda at: (-len(rows.texts[at]), rows.ids[at]))
    starts = range(0, len(order), batch_size)
    batches = (_batch(rows, order[start : start + batch_size]) for start in starts)
    computed = encoders.map(partial(embed_batch, side=side), batches, len(starts))
    return track(computed, f"{label}, batches of {batch_size}", len(starts))


def embed_batch(encoder: "Encoder", batch: Batch, side: Side) -> Computed:
    """Encode one batch, prompts put in front.

    Raises:
        EncoderError: Vectors are bad; the texts' ids are named.
    """
    sent = [encoder.sent(text, side) for text in batch.texts]
    vectors = encoder.encode_sent(sent, batch.ids)
    return Computed(batch.hashes, encoder.count_tokens(sent), vectors)


def _batch(rows: Rows, chosen: list[int]) -> Batch:
    columns = (rows.ids, rows.hashes, rows.texts)
    return Batch(*([column[at] for at in chosen] for column in columns))
