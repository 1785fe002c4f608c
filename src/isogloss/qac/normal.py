"""The one normal form by which texts are called the same."""

import unicodedata


def normal_form(text: str) -> str:
    """Fold what does not change a text's words: NFKC, case, and runs of white space to one blank.

    So full-width letters and "CO₂" meet their plain forms, at the price that "10²" meets "102".
    Punctuation stays: "10.5" and "105" differ.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())
