"""From what the user calls a release to its hash: a model, a part of the hash, a git revision."""

import re
import tempfile
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from isogloss.benchmark import Benchmark
from isogloss.errors import SettingsError, UsageError
from isogloss.faults import nearest
from isogloss.foreign_text import shown
from isogloss.project import Project
from isogloss.settings import is_key
from isogloss.versions.revisions import git

if TYPE_CHECKING:
    from isogloss.retrieval.stored_release import StoredRelease

SHORTEST = 4


@dataclass(frozen=True)
class NamedRelease:
    """A release and what it was called.

    Attributes:
        name: As given.
        release: The hash.
    """

    name: str
    release: str

    @property
    def label(self) -> str:
        """As tables and figures name it."""
        known = self.release.startswith(self.name)
        return self.release[:8] if known else f"{self.name} ({self.release[:8]})"


def named_release(project: Project, model: str, name: str, stored: Collection[str]) -> NamedRelease:
    """Find the release that a name means.

    Args:
        project: Its models/ and git history are looked at.
        model: The model whose file a git revision is read for.
        name: A model's key, the beginning of a release's hash, or a git revision that holds
            models/MODEL.yaml, in this order.
        stored: The releases that the store has vectors of.

    Raises:
        UsageError: It is none of these, the beginning of several hashes, or a model that is made of
            others and so has no vectors of its own.
        SettingsError: The declaration it names is broken.
    """
    from isogloss.retrieval.declaration import read_declaration
    from isogloss.retrieval.derived import DerivedDeclaration

    for key in dict.fromkeys((model, name)):
        if not is_key(key) or not project.model(key).is_file():
            continue
        declaration = read_declaration(project.model(key))
        if isinstance(declaration, DerivedDeclaration):
            raise UsageError(
                f"{key}: is {declaration.kind} of {', '.join(declaration.parts)} and has no vectors"
                " of its own; name one of those, or set evaluations side by side: isogloss compare"
            )
        if key == name:
            return NamedRelease(name, declaration.release)
    if len(name) >= SHORTEST and re.fullmatch("[0-9a-f]+", name):
        found = sorted(release for release in stored if release.startswith(name))
        if len(found) > 1:
            raise UsageError(f"{name}: begins several releases ({', '.join(found)}); say more")
        if found:
            return NamedRelease(name, found[0])
    declared = None if name.startswith("-") else _declared_at(project, model, name)
    if declared is not None:
        return NamedRelease(name, declared)
    known = ", ".join(sorted(release[:8] for release in stored)) or "none"
    raise UsageError(
        f"{shown(name)}: no models/{shown(name)}.yaml{nearest(name, project.models)}; no release "
        f"with vectors here ({known}), and no git revision that holds models/{model}.yaml"
    )


def named_vectors(
    project: Project, model: str, benchmark: Benchmark, named: NamedRelease
) -> "StoredRelease":
    """Read a release's vectors; where they are lost, the error names the model to embed.

    Raises:
        VersionMismatchError: The release has vectors for other dataset versions only.
        StoreError: It has none, or they cannot be read.
    """
    from isogloss.retrieval.store import VectorStore
    from isogloss.retrieval.stored_release import read_release

    key = declaring(project, model, named)
    return read_release(VectorStore(project.store_uri, key), benchmark, named.release, key)


def declaring(project: Project, model: str, named: NamedRelease) -> str | None:
    """The key of a model whose declaration, as it stands here, makes a release; None for none.

    Args:
        project: Its models/ are looked at: first that of the release's name, then `model`.
        model: The model that the release is one of.
        named: The release.
    """
    from isogloss.retrieval.declaration import read_declaration

    for key in dict.fromkeys((named.name, model, *project.models)):
        if is_key(key) and project.model(key).is_file():
            with suppress(SettingsError, UsageError):
                if read_declaration(project.model(key)).release == named.release:
                    return key
    return None


def _declared_at(project: Project, model: str, revision: str) -> str | None:
    """The release that a model's file declared at a git revision."""
    from isogloss.retrieval.declaration import read_declaration

    text = git(project.root, "show", f"{revision}:./models/{model}.yaml")
    if text is None:
        return None
    with tempfile.TemporaryDirectory(prefix="isogloss-") as scratch:
        path = Path(scratch) / f"{model}.yaml"
        path.write_text(text, encoding="utf-8")
        try:
            return read_declaration(path).release
        except SettingsError as error:
            told = str(error).replace(str(path), f"{revision}:models/{model}.yaml")
            raise SettingsError(told) from error
