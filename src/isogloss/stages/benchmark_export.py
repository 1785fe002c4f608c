"""Export a finished benchmark to the formats of Hugging Face datasets, mteb and Croissant."""

from datetime import date
from pathlib import Path

from isogloss.errors import UsageError
from isogloss.progress import note
from isogloss.project import Project
from isogloss.qac.exports.croissant import Publication, undeclared
from isogloss.qac.exports.finished import Finished, read_finished
from isogloss.qac.exports.folder import FORMATS, LICENCE_TEXTS, Format, check_target, write_export
from isogloss.qac.exports.licences import Licence, licence_of

ALL = "all"
_OPTIONS = {
    "creator": "--creator",
    "datePublished": "--published",
    "license": "--license",
    "url": "--url",
}


def run(
    project: Project,
    name: str,
    out: Path,
    *,
    format_name: str = ALL,
    licence: str | None = None,
    publication: Publication | None = None,
    force: bool = False,
) -> None:
    """Write benchmark/NAME to a folder that other tools load.

    Args:
        project: The project that holds the benchmark.
        name: Key of a benchmark that is finished.
        out: The folder to write; absent, empty, or with `force` an earlier export.
        format_name: One of the formats, or all.
        licence: SPDX identifier, where the attribution declares none.
        publication: What Croissant wants to know beside.
        force: Replace an earlier export; never done unasked.

    Raises:
        UsageError: There is no such benchmark or format, an option's value is wrong, or `out` holds
            what must not be replaced.
        DataError: The benchmark is incomplete or cannot be told to a format; nothing is written.
    """
    formats = _formats(format_name)
    publication = publication or Publication()
    _check_date(publication.published)
    folder = project.held_benchmark(name)
    target = out.resolve()
    for kept in (project.root.resolve(), folder.resolve()):
        if kept.is_relative_to(target) or target.is_relative_to(folder.resolve()):
            raise UsageError(f"--out {out}: holds the project or lies in a benchmark's own folder")
    check_target(target, force=force)
    finished = read_finished(folder)
    found = licence_of(finished.attribution, licence)
    texts = _licence_texts(project, name)
    described = write_export(target, finished, formats, found, publication, texts)
    note(f"{out}: {', '.join(formats)} of {name}, version {finished.benchmark.version}")
    _tell_licence(finished, found)
    if described is not None and (missing := undeclared(described)):
        options = ", ".join(_OPTIONS[key] for key in missing)
        note(f"croissant.json: the specification also requires {', '.join(missing)}: {options}")


def _formats(name: str) -> tuple[Format, ...]:
    if name == ALL:
        return FORMATS
    for known in FORMATS:
        if name == known:
            return (known,)
    raise UsageError(f"--format {name!r}: must be one of {', '.join((*FORMATS, ALL))}")


def _check_date(published: str | None) -> None:
    if published is None:
        return
    try:
        date.fromisoformat(published)
    except ValueError:
        raise UsageError(f"--published {published!r}: must be a date such as 2026-01-31") from None


def _licence_texts(project: Project, name: str) -> dict[str, bytes]:
    """Licence texts beside the raw data of the benchmark's source; the attribution names them."""
    settings = project.settings.made.get(name)
    if settings is None:
        return {}
    raw = project.raw(settings.source)
    if not raw.is_dir():
        note(f"{raw}: is not here, so licence texts beside the raw data are not in the export")
        return {}
    found = {path for pattern in LICENCE_TEXTS for path in raw.glob(pattern) if path.is_file()}
    return {path.name: path.read_bytes() for path in sorted(found)}


def _tell_licence(finished: Finished, licence: Licence) -> None:
    if not licence.attributed:
        note(f"{finished.name}: names no licence and no credit; find out before sharing it")
    elif licence.spdx is None:
        note(
            f"{finished.name}: its licence is told in words only (ATTRIBUTION.md); a line "
            "SPDX-License-Identifier there, or --license, makes it readable for programs"
        )
