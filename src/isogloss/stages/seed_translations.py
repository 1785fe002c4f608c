"""Stage seed_zh@SOURCE: the corpus with documents that a chat model translated, marked as such."""

from typing import Any

import pyarrow as pa

from isogloss.benchmark import MACHINE_TRANSLATED
from isogloss.errors import DataError, UsageError
from isogloss.faults import known_names
from isogloss.files import read_parquet, write_json, write_parquet
from isogloss.foreign_text import shown
from isogloss.patents.cleaning import clean
from isogloss.progress import note
from isogloss.project import Project
from isogloss.qac.seed_translations import (
    PARTS,
    SOURCE_LANGUAGE,
    TRANSLATED,
    Translation,
    parts_of,
    read_translations,
    sample_sources,
    translation_counts,
    translation_requests,
)
from isogloss.qac.versions import families
from isogloss.review.seed_audit import SEED_AUDIT
from isogloss.schema import CORPUS
from isogloss.settings import SEEDED, SeedTranslationSettings
from isogloss.stages.asking import Asking, ask_models

# Patents have one title line and one text; a passage of aligned segments has no such parts.
FORMATS = ("google-patents", "epo")


def settings_of(project: Project, source: str) -> SeedTranslationSettings:
    """What params.yaml wants translated of a source.

    Raises:
        UsageError: Nothing, or the source is no body of patents.
    """
    settings = project.settings.seed_translations.get(source)
    if settings is None:
        known = known_names(source, project.settings.seed_translations)
        raise UsageError(f"params.yaml: no source '{shown(source)}' under seed_translations{known}")
    form = project.settings.sources[source].format
    if form not in FORMATS:
        raise UsageError(
            f"params.yaml: seed_translations.{source}: a source of format {form} is not translated "
            f"(only {', '.join(FORMATS)})"
        )
    return settings


def run(project: Project, source: str, asking: Asking = Asking()) -> None:  # noqa: B008
    """Translate a seeded sample and write the corpus with it.

    Writes corpora/SOURCE.seeded.parquet (the corpus of the source, unchanged, and the translated
    documents), corpora/SOURCE.seeded.json (counts, and each document with what became of it) and
    corpora/SOURCE.seed-audit.parquet, from which `isogloss audit export --kind seed` draws.

    Args:
        project: The project.
        source: A key under seed_translations.
        asking: How the translator is asked.

    Raises:
        UsageError: params.yaml wants nothing translated of this source.
        DataError: The corpus is missing or broken, or has too few documents to translate.
        ChatError: The translator could not be asked; what it answered is recorded.
    """
    settings = settings_of(project, source)
    corpus = read_parquet(project.corpus(source), CORPUS)
    rows = {row["id"]: row for row in corpus.to_pylist()}
    try:
        sources = sample_sources(
            families(corpus), settings.language, settings.documents, settings.seed
        )
    except DataError as error:
        raise DataError(f"seed_translations.{source}: {error}") from error
    model = project.settings.chat.translator
    requests = translation_requests(sources, settings.language, model)
    replies = ask_models(project, source, "seed", requests, model, asking)
    translations = read_translations(sources, replies, settings.language)
    made = [one for one in translations if one.fate == TRANSLATED]
    new = [_row(rows[one.source.id], one, settings.language) for one in made]
    taken = sorted(row["id"] for row in new if row["id"] in rows)
    if taken:
        raise DataError(f"{project.corpus(source)}: holds the id {taken[0]} in another language")
    everything = sorted([*rows.values(), *new], key=lambda row: str(row["id"]))
    target = project.corpus(f"{source}{SEEDED}")
    write_json(target.with_suffix(".json"), _report(source, settings, translations, model.name))
    write_parquet(project.seed_audit(source), _audit(made, settings.language))
    write_parquet(target, pa.Table.from_pylist(everything, schema=CORPUS))
    for one in translations:
        if one.fate != TRANSLATED:
            note(f"{source}: {one.source.id} left out: {one.fate}: {one.reason}")
    note(
        f"{target}: {len(rows)} documents and {len(new)} translated into {settings.language} by "
        f"{model.name}, of {len(translations)} sampled"
    )


def _row(row: dict[str, Any], one: Translation, language: str) -> dict[str, Any]:
    """A document of the same family: everything but its text is the source version's."""
    texts = {name: one.texts.get(name, "") for name in PARTS}
    return {
        **row,
        "id": _document(one, language),
        "language": language,
        "origin": MACHINE_TRANSLATED,
        **{name: clean(text) for name, text in texts.items()},
        **{f"{name}_original": text for name, text in texts.items()},
    }


def _document(one: Translation, language: str) -> str:
    return f"{one.source.family}:{language}"


def _report(
    source: str,
    settings: SeedTranslationSettings,
    translations: list[Translation],
    translator: str,
) -> dict[str, Any]:
    return {
        "source": source,
        "language": settings.language,
        "source_language": SOURCE_LANGUAGE,
        "seed": settings.seed,
        "translator": translator,
        "counts": translation_counts(translations),
        "documents": [
            {
                "document": _document(one, settings.language),
                "source": one.source.id,
                "fate": one.fate,
                "reason": one.reason,
            }
            for one in translations
        ],
    }


def _audit(made: list[Translation], language: str) -> pa.Table:
    rows = [
        {
            "document": _document(one, language),
            "stratum": one.source.office or "unknown",
            "source": "\n\n".join(parts_of(one.source).values()),
            "translation": "\n\n".join(one.texts.values()),
        }
        for one in made
    ]
    return pa.Table.from_pylist(rows, schema=SEED_AUDIT)
