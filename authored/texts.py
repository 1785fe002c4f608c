"""The texts of this folder, each fault named by file and planned query."""

from pathlib import Path
from typing import Any

from isogloss.errors import DataError
from isogloss.qac.candidates import CANDIDATES
from isogloss.qac.criteria import MOST, criteria
from isogloss.qac.generation import PARTS
from isogloss.settings import read_yaml

FOLDER = Path(__file__).parent


def proposals(benchmark: str) -> dict[str, list[dict[str, Any]]]:
    """Three proposals by id of the planned query, the scores of each by criterion.

    Raises:
        DataError: A query lacks a proposal, or a proposal a part or a score.
    """
    path = FOLDER / f"{benchmark}.yaml"
    found = {}
    for query, written in read_yaml(path).items():
        if len(written) != CANDIDATES:
            raise DataError(f"{path}: {query}: {len(written)} proposals instead of {CANDIDATES}")
        found[query] = [_proposal(one, query, f"{path}: {query}") for one in written]
    return found


def _proposal(written: dict[str, Any], query: str, where: str) -> dict[str, Any]:
    if set(written) != {*PARTS, "scores"}:
        raise DataError(f"{where}: a proposal has {', '.join(PARTS)} and scores")
    if not all(isinstance(written[part], str) and written[part].strip() for part in PARTS):
        raise DataError(f"{where}: {', '.join(PARTS)} are texts; put numbers in quotes")
    names = criteria(query.rsplit(":", 1)[-1])
    scores = written["scores"]
    if len(scores) != len(names) or not all(score in range(MOST + 1) for score in scores):
        raise DataError(f"{where}: {len(names)} scores from 0 to {MOST}, in the order of the head")
    return {**written, "scores": dict(zip(names, scores, strict=True))}


def translations(source: str, language: str) -> dict[str, dict[str, str]]:
    """Title and abstract in a language by family of a source."""
    found: dict[str, dict[str, str]] = read_yaml(FOLDER / f"{source}-{language}.yaml")
    return found


def expected(wanted: set[str], written: set[str], where: str) -> None:
    """Refuse texts that do not fit what is asked for.

    Raises:
        DataError: Something is not written, or written for nothing; the first is named.
    """
    for odd, what in ((wanted - written, "not written"), (written - wanted, "not asked for")):
        if odd:
            raise DataError(f"{where}: {len(odd)} {what}, the first is {min(odd)}")
