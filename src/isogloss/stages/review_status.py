"""Say who still has to do what in the review of one language or of several."""

from collections.abc import Sequence
from pathlib import Path


def run(
    languages: Sequence[str], items: Path, translations: Sequence[Path], returned: Sequence[Path]
) -> None:
    """Print the state of each language, by reviewer and stage.

    Args:
        languages: ISO 639-1 codes.
        items: Items file; its English ones are the source.
        translations: The machine translations of each language, in the same order.
        returned: Files or folders of returned sheets.
    """
    from isogloss.review.translation_status import status, status_lines
    from isogloss.stages.review_merge import merged_returns
    from isogloss.stages.review_terminal import fault_lines

    for language, path in zip(languages, translations, strict=True):
        merged = merged_returns(language, items, path, returned)
        print("\n".join(status_lines(language, status(merged))))
        for line in fault_lines(merged.faults):
            print(f"  {line}")
