"""Opening the tracking store: which one, made once, and still where it was made."""

import logging
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from isogloss.errors import TrackingError
from isogloss.files import one_line
from isogloss.project import Project
from isogloss.tracking.experiments import OWNER_TAG, experiment_tags

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Experiment

ARTIFACTS = "mlruns"
WRITER_LOCK = ".writer.lock"
OPENING_LOCK = ".opening.lock"
LOCK_SECONDS = 600.0
SQLITE = "sqlite:///"
URI_VARIABLE = "MLFLOW_TRACKING_URI"
_PASSWORD = re.compile(r"(://[^/@:\s]*:)[^@/\s]*@")


@dataclass(frozen=True)
class Store:
    """One tracking store as seen from one project.

    Attributes:
        root: The project's root.
        uri: The tracking URI, with a local database's path made absolute.
    """

    root: Path
    uri: str

    @property
    def database(self) -> Path | None:
        """The file of a local database; None for a server or another database."""
        return Path(self.uri.removeprefix(SQLITE)) if self.uri.startswith(SQLITE) else None

    @property
    def place(self) -> str:
        """Where the store is, for messages: without the password that an address may hold."""
        if self.database is not None:
            return str(self.database)
        return without_passwords(self.uri)

    @property
    def artifacts(self) -> Path:
        """The folder that holds a local store's artefacts."""
        return self.root / ARTIFACTS

    @cached_property
    def client(self) -> "MlflowClient":
        """The client; imported here because it costs seconds."""
        quiet_mlflow()
        from mlflow import MlflowClient

        if self.uri.startswith("http"):
            # A server that is away should be said within seconds, not after seven retries.
            os.environ.setdefault("MLFLOW_HTTP_REQUEST_MAX_RETRIES", "2")
        return MlflowClient(self.uri)

    @contextmanager
    def told(self) -> Iterator[None]:
        """Turn what MLflow and its database raise into one line that names the store.

        Raises:
            TrackingError: Something was refused or could not be reached.
        """
        quiet_mlflow()
        from mlflow.exceptions import MlflowException
        from sqlalchemy.exc import SQLAlchemyError

        try:
            yield
        except MlflowException as error:
            reason = without_passwords(one_line(error))
            raise TrackingError(f"{self.place}: {reason}") from error
        except SQLAlchemyError as error:
            reason = without_passwords(str(error).split("\n", maxsplit=1)[0])
            raise TrackingError(
                f"{self.place}: {reason}; no MLflow store that can be used"
            ) from error

    @contextmanager
    def current(self) -> Iterator[None]:
        """Make this the store of MLflow's module-level functions, and of nothing afterwards.

        MLflow notes its tracking URI in the environment, where it would later pass for the user's.
        """
        import mlflow

        before = os.environ.get(URI_VARIABLE)
        mlflow.set_tracking_uri(self.uri)
        try:
            yield
        finally:
            mlflow.set_tracking_uri(None)  # type: ignore[arg-type]
            if before is not None:
                os.environ[URI_VARIABLE] = before

    @contextmanager
    def alone(self, lock: str = WRITER_LOCK) -> Iterator[None]:
        """Let one process of this project write at a time; a killed one lets go by itself.

        Raises:
            TrackingError: Another process holds the store for too long.
        """
        from filelock import FileLock, Timeout

        self.artifacts.mkdir(parents=True, exist_ok=True)
        held = FileLock(self.artifacts / lock)
        try:
            held.acquire(timeout=LOCK_SECONDS)
        except Timeout as error:
            raise TrackingError(
                f"{self.artifacts / lock}: another process has held the tracking store for over"
                f" {LOCK_SECONDS:.0f} s; end it and run again"
            ) from error
        try:
            yield
        finally:
            held.release()

    def experiment(self, name: str) -> str:
        """Id of an experiment, made where there is none; its artefacts lie in this project.

        Raises:
            TrackingError: The experiment was deleted in MLflow, or was made in another place.
        """
        found = self.client.get_experiment_by_name(name)
        if found is None:
            location = None
            if not self.uri.startswith("http"):
                location = (self.artifacts / name).resolve().as_uri()
            tags = {OWNER_TAG: self.root.resolve().name, **experiment_tags(name)}
            made = self._create_experiment(name, location, tags)
            if made is not None:
                return made
            found = self.client.get_experiment_by_name(name)
        if found is None:
            raise TrackingError(f"{self.place}: experiment {name} came and went; run again")
        if found.lifecycle_stage != "active":
            raise TrackingError(
                f"{self.place}: experiment {name} was deleted; bring it back with"
                f" `mlflow experiments restore --experiment-id {found.experiment_id}`"
            )
        self._check_location(name, str(found.artifact_location))
        self.complete_tags(found)
        return str(found.experiment_id)

    def _create_experiment(
        self, name: str, location: str | None, tags: dict[str, str]
    ) -> str | None:
        """Its id; None where another machine has made it meanwhile."""
        from mlflow.exceptions import MlflowException

        try:
            return str(self.client.create_experiment(name, location, tags))
        except MlflowException as error:
            if error.error_code != "RESOURCE_ALREADY_EXISTS":
                raise
            return None

    def complete_tags(self, experiment: "Experiment") -> None:
        """Set the tags that an experiment lacks; what somebody wrote there stays."""
        for key, value in experiment_tags(str(experiment.name)).items():
            if key not in experiment.tags:
                self.client.set_experiment_tag(experiment.experiment_id, key, value)

    def _check_location(self, name: str, location: str) -> None:
        parts = urlsplit(location)
        if self.uri.startswith("http") or parts.scheme != "file":
            return
        place = Path(unquote(parts.path))
        if place.is_relative_to(self.artifacts.resolve()):
            return
        found = f"{self.place}: experiment {name} keeps its artefacts in {place}, outside this"
        if self.database is None:
            raise TrackingError(
                f"{found} project; several projects share a database through one `mlflow server`:"
                " set tracking.uri to its http:// address"
            )
        raise TrackingError(
            f"{found} project, so the clone was moved or copied; move it back, or set mlflow.db and"
            " mlruns aside and evaluate again (every figure is in results/)"
        )


def without_passwords(text: str) -> str:
    """A text without the passwords of the addresses in it."""
    return _PASSWORD.sub(r"\1***@", text)


def quiet_mlflow() -> None:
    """Keep MLflow from calling home and from narrating its migrations; set before its import."""
    os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
    # A server's client prints addresses among a command's own output.
    os.environ.setdefault("MLFLOW_SUPPRESS_PRINTING_URL_TO_STDOUT", "true")
    for name in ("alembic", "mlflow.store.db.utils"):
        logging.getLogger(name).setLevel(logging.WARNING)


def tracking_uri(project: Project) -> str:
    """The tracking URI: MLFLOW_TRACKING_URI, else the settings'; local paths from the root.

    Raises:
        TrackingError: It names a folder of files, which MLflow no longer keeps runs in.
    """
    uri = os.environ.get(URI_VARIABLE) or project.settings.tracking.uri
    scheme = urlsplit(uri).scheme
    if scheme in ("", "file"):
        raise TrackingError(
            f"tracking.uri {uri!r}: a folder of files cannot be a tracking store; use"
            " sqlite:///mlflow.db or a server's http:// address"
        )
    if uri.startswith(SQLITE):
        return SQLITE + str((project.root / uri.removeprefix(SQLITE)).resolve())
    return uri


def open_store(project: Project) -> Store:
    """Open the project's store; a local database is made once, whoever comes first.

    Raises:
        TrackingError: The store cannot be used.
    """
    store = Store(project.root, tracking_uri(project))
    if store.database is None:
        return store
    store.database.parent.mkdir(parents=True, exist_ok=True)
    # The first call migrates an empty file: two at once would leave half a schema.
    with store.alone(OPENING_LOCK), store.told():
        store.client.search_experiments(max_results=1)
    return store
