"""What mteb must know of a benchmark beside its data; read by the task file at its side."""

from functools import cache
from importlib.resources import files
from typing import Any

from ruamel.yaml import YAML

from isogloss.errors import DataError
from isogloss.qac.exports.finished import Finished
from isogloss.qac.exports.hub_card import SPLIT
from isogloss.qac.exports.licences import Licence

MAIN_SCORE = "recall_at_10_cross"
_ANNOTATORS = {"title": "derived", "cloze": "derived"}
_CREATION = {
    "published": "found",
    "synthetic": "created",
    "human-translated": "human-translated",
    "machine-translated": "machine-translated",
}


def mteb_metadata(finished: Finished, licence: Licence) -> dict[str, Any]:
    """The fields of mteb's `TaskMetadata`, without the path, which the task file knows.

    All languages make one subset, so that they are searched in one pool.

    Raises:
        DataError: A language has no ISO 639-3 code here.
    """
    stats = finished.stats
    return {
        "name": task_name(finished.name),
        "description": finished.description,
        "type": "Retrieval",
        "category": "t2t",
        "modalities": ["text"],
        "eval_splits": [SPLIT],
        "eval_langs": [language_script(code) for code in finished.languages],
        "main_score": MAIN_SCORE if stats["cross_qrels"] else "recall_at_10",
        "license": licence.mteb,
        "annotations_creators": _ANNOTATORS.get(str(stats["made"].get("maker"))),
        "sample_creation": _sample_creation(list(stats["origins"])),
        "dialect": [],
        "bibtex_citation": "",
        "revision": finished.benchmark.version,
    }


def task_name(benchmark: str) -> str:
    """The benchmark's name among mteb's tasks: tico19-cloze becomes IsoglossTico19Cloze."""
    return "Isogloss" + "".join(part.capitalize() for part in benchmark.split("-"))


def language_script(code: str) -> str:
    """ISO 639-3 code and ISO 15924 script of a language, such as eng-Latn.

    Raises:
        DataError: The language is none of ISO 639-1.
    """
    try:
        return _language_scripts()[code]
    except KeyError:
        raise DataError(
            f"language {code!r}: has no ISO 639-3 code that mteb could be told; export another "
            "format, or import the benchmark again with ISO 639-1 codes"
        ) from None


@cache
def _language_scripts() -> dict[str, str]:
    source = files("isogloss.qac.exports").joinpath("language_scripts.yaml")
    return dict(YAML(typ="safe").load(source.read_text("utf-8")))


def _sample_creation(origins: list[str]) -> str | None:
    if any(origin not in _CREATION for origin in origins):
        return None
    found = {_CREATION[origin] for origin in origins}
    return found.pop() if len(found) == 1 else "multiple"
