"""Fetch a benchmark as a revision pins it: whole and checked, or not at all."""

import hashlib
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from isogloss.benchmark import Benchmark, read_benchmark
from isogloss.errors import BenchmarkError, PullError, UsageError
from isogloss.faults import nearest
from isogloss.progress import note, track
from isogloss.settings import checked_key
from isogloss.versions.opening import Opened, open_at, told
from isogloss.versions.pins import FOLDER

CHUNK = 1 << 20


@dataclass(frozen=True)
class Source:
    """Where a benchmark is fetched from.

    Attributes:
        benchmark: Its key.
        repo: A local project, or the path or URL of a git repository.
        rev: A tag, branch or commit; None for the last commit.
    """

    benchmark: str
    repo: str
    rev: str | None = None


def fetch(source: Source, out: Path, *, force: bool = False) -> Benchmark:
    """Fetch a benchmark folder.

    Args:
        source: Which one.
        out: The folder it becomes; it appears once everything has arrived and was checked.
        force: Replace a folder of that name.

    Returns:
        The benchmark as read from `out`.

    Raises:
        UsageError: The benchmark's name is no key, or `out` exists.
        PullError: Revision, benchmark, remote or object are missing; says which and what to do.
        BenchmarkError: What the revision holds is no valid benchmark.
    """
    checked_key(source.benchmark)
    if out.exists() and not force:
        raise UsageError(f"{out}: exists; choose another --out, or pass --force to replace it")
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{out.name}.", dir=out.parent) as scratch:
        arrived = Path(scratch) / "new"
        benchmark = _arrive(source, arrived)
        _land(arrived, out, Path(scratch) / "old")
    return benchmark


def load(source: Source) -> Benchmark:
    """Read a pinned benchmark without keeping its files.

    Raises:
        PullError: See `fetch`.
        BenchmarkError: What the revision holds is no valid benchmark.
    """
    checked_key(source.benchmark)
    with tempfile.TemporaryDirectory(prefix="isogloss-") as scratch:
        return _arrive(source, Path(scratch) / "new")


def read_file(opened: Opened, benchmark: str, name: str) -> bytes | None:
    """One small file of a benchmark at an open revision; None where it holds no such file.

    Raises:
        PullError: The file is named there, but its content is nowhere.
    """
    from dvc_data.index import DataIndexDirError

    path = f"{opened.folder}{FOLDER}/{benchmark}/{name}"
    with told(opened.label):
        try:
            return bytes(opened.fs.cat_file(path)) if opened.fs.exists(path) else None
        except (FileNotFoundError, DataIndexDirError) as error:
            raise _lost(opened, path) from error


def _arrive(source: Source, target: Path) -> Benchmark:
    with open_at(source.repo, source.rev) as opened:
        if opened.borrowed:
            note(
                f"{opened.label}: its DVC remote was configured after this revision; "
                f"reading from that of the last commit, {opened.remote}"
            )
        for path in track(_listed(opened, source.benchmark), f"fetching {source.benchmark}"):
            _copy(opened, path, target)
    try:
        return read_benchmark(target, source.benchmark)
    except BenchmarkError as error:
        # The file lies in a folder that is gone by now: name where it came from instead.
        inner = str(error).replace(f"{target}/", "").replace(str(target), source.benchmark)
        raise BenchmarkError(f"{source.benchmark} at {opened.label}: {inner}") from error


def _land(arrived: Path, out: Path, aside: Path) -> None:
    """Put a whole folder in place; where that fails, what was there before stays."""
    replaced = out.exists()
    if replaced:
        out.rename(aside)
    try:
        arrived.rename(out)
    except OSError:
        if replaced:
            aside.rename(out)
        raise


def _listed(opened: Opened, benchmark: str) -> list[str]:
    """The paths of a benchmark's files at a revision."""
    from dvc_data.index import DataIndexDirError

    folder = f"{opened.folder}{FOLDER}"
    path = f"{folder}/{benchmark}"
    try:
        if opened.fs.isdir(path):
            return sorted(str(found) for found in opened.fs.find(path))
    except DataIndexDirError as error:
        # DVC keeps the list of a folder's files as an object of its own, which is what is lost.
        raise _lost(opened, path) from error
    names = opened.fs.ls(folder, detail=False) if opened.fs.isdir(folder) else []
    known = sorted(PurePosixPath(name).name for name in names if opened.fs.isdir(name))
    raise PullError(
        f"{opened.label}: pins no benchmark {benchmark!r} "
        f"(it has {', '.join(known) or 'none'}); look at `isogloss versions`"
        f"{nearest(benchmark, known)}"
    )


def _copy(opened: Opened, path: str, target: Path) -> None:
    inside = PurePosixPath(path).relative_to(_folder_of(path, opened.folder))
    if ".." in inside.parts or inside.is_absolute():
        raise PullError(f"{opened.label}: {path} climbs out of its folder")
    place = target / inside
    place.parent.mkdir(parents=True, exist_ok=True)
    expected = (opened.fs.info(path).get("dvc_info") or {}).get("md5")
    try:
        with opened.fs.open(path, "rb") as content, place.open("wb") as out:
            shutil.copyfileobj(content, out, CHUNK)
    except FileNotFoundError as error:
        raise _lost(opened, path) from error
    if expected and _md5(place) != expected:
        raise PullError(
            f"{opened.label}: {path} in {opened.remote or 'the cache'} is damaged: its content "
            f"does not hash to {expected}; push it again from a whole copy"
        )


def _folder_of(path: str, above: str) -> PurePosixPath:
    """The benchmark's folder that a path lies in."""
    depth = above.count("/") + 2
    return PurePosixPath(*PurePosixPath(path).parts[:depth])


def _md5(path: Path) -> str:
    with path.open("rb") as content:
        return hashlib.file_digest(content, _md5_hash).hexdigest()


def _md5_hash() -> Any:
    return hashlib.md5(usedforsecurity=False)


def _lost(opened: Opened, path: str) -> PullError:
    if opened.remote is None:
        return PullError(
            f"{opened.label}: {path} is pinned, but no DVC remote is configured there and the "
            "content is in no cache; add one (dvc remote add -d), push, commit, then make the tag"
        )
    return PullError(
        f"{opened.label}: {path} is pinned, but {opened.remote} lacks its content; "
        "run dvc push where it was made, or check out the revision and run dvc repro"
    )
