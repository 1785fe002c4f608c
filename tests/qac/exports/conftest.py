"""A small benchmark with every kind of gold, and exports of it."""

from pathlib import Path
from typing import Any

import pytest

from isogloss.benchmark import Document, DocumentMetadata, Query, QueryMetadata
from isogloss.qac.export import export
from isogloss.qac.exports.croissant import Publication
from isogloss.qac.exports.finished import Finished, read_finished
from isogloss.qac.exports.folder import FORMATS, write_export
from isogloss.qac.exports.licences import Licence, licence_of
from isogloss.qac.provenance import TITLE_METHOD, Provenance

ATTRIBUTION = "Written by Ærlig & Søn, 2026.\n\n## Terms\n\nSPDX-License-Identifier: CC-BY-4.0"
SUBJECTS = ("acid", "base", "salt", "ester", "amine", "ketone", "alkane", "polymer")
WORDS = {
    "en": ("the {} reacts with water", "how does the {} react"),
    "de": ("das {} reagiert mit Wasser", "wie reagiert das {}"),
    "no": ("{} reagerer med vann", "hvordan reagerer {}"),
    "zh": ("{}与水反应", "{}如何反应"),
}


def documents() -> list[Document]:
    made = []
    for number, subject in enumerate(SUBJECTS):
        for language, (sentence, _) in WORDS.items():
            made.append(
                Document(
                    id=f"F{number}:{language}",
                    title=f"{subject.upper()} {language}" if number % 2 else "",
                    text=sentence.format(subject) + f" {number}" * (1 + number % 3),
                    metadata=DocumentMetadata(
                        language, f"F{number}", "EP", "synthetic", "C" if number < 2 else None
                    ),
                )
            )
    return made


def queries() -> list[Query]:
    return [
        Query(
            id=f"Q{number}:{language}",
            text=question.format(subject),
            metadata=QueryMetadata(language, f"F{number}", "known-item", "title"),
        )
        for number, subject in enumerate(SUBJECTS)
        for language, (_, question) in WORDS.items()
    ]


def qrels() -> list[tuple[str, str, int]]:
    """Dual gold, then no-home (F5), same only (F6) and judged without gold (F7)."""
    made = []
    for query in queries():
        number, language = int(query.id[1]), query.metadata.language
        for other in WORDS:
            if (number == 5 and other == language) or (number == 6 and other != language):
                continue
            made.append((query.id, f"F{number}:{other}", 0 if number == 7 else 1 + number % 2))
    return made


@pytest.fixture
def attribution() -> str:
    return ATTRIBUTION


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """benchmark/tiny-title, finished."""
    place = tmp_path / "benchmark" / "tiny-title"
    provenance = Provenance(
        source="tiny",
        method=TITLE_METHOD,
        counts={"maker": "title"},
        attribution=ATTRIBUTION,
    )
    export(place, documents(), queries(), qrels(), provenance)
    return place


@pytest.fixture
def finished(folder: Path) -> Finished:
    return read_finished(folder)


@pytest.fixture
def licence(finished: Finished) -> Licence:
    return licence_of(finished.attribution)


@pytest.fixture
def exported(finished: Finished, licence: Licence, tmp_path: Path) -> Path:
    """The benchmark in every format."""
    place = tmp_path / "export"
    publication = Publication("https://tiny.example", "Ærlig & Søn", "2026-01-31")
    write_export(place, finished, FORMATS, licence, publication, {})
    return place


@pytest.fixture
def offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The `datasets` library without network and with a cache of its own."""
    import datasets
    import huggingface_hub

    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    datasets.disable_progress_bars()
    return datasets
