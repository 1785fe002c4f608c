"""The exact text sent to a model: prompts are put on here, once and on the right side."""

import hashlib

from isogloss.retrieval.declaration import DenseDeclaration, ModelDeclaration, Side

HASH_DIGITS = 32


def sent_text(declaration: ModelDeclaration, text: str, side: Side) -> str:
    """The text as the model gets it: the side's declared prompt, then the text, nothing else."""
    if not isinstance(declaration, DenseDeclaration):
        return text
    prompts = declaration.prompts
    return (prompts.query if side == "query" else prompts.document) + text


def text_hash(sent: str) -> str:
    """32 hex digits that stand for a text sent; equal hashes mean the vector can be reused."""
    return hashlib.sha256(sent.encode("utf-8")).hexdigest()[:HASH_DIGITS]
