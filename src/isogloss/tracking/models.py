"""One LoggedModel per release, whatever the number of benchmarks and reruns."""

import re
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from isogloss.tracking.store import Store

if TYPE_CHECKING:
    from mlflow.entities import LoggedModel

# One experiment for all: its Models tab sets the releases side by side for each dataset version.
EXPERIMENT = "models"
NOTE_TAG = "mlflow.note.content"
RELEASE_TAG = "isogloss.release"
# Set once a release's model is certain to stay.
SETTLED_TAG = "isogloss.settled"
# Far longer than a server takes between a model's time stamp and its being there for all.
SETTLE_SECONDS = 1.0
_REFUSED = re.compile(r"[/:.%\"'\s]+")


def model_name(key: str, release: str) -> str:
    """A readable LoggedModel name: MLflow takes no ``/ : . % " '`` in it."""
    return f"{_REFUSED.sub('-', key).strip('-')}-{release[:8]}"


def logged_model(
    store: Store, key: str, release: str, params: Mapping[str, Any], tags: Mapping[str, str]
) -> str:
    """Id of the LoggedModel of a release, made on first sight.

    Of several that machines made at once the oldest stays, whoever looks.

    Args:
        store: The tracking store.
        key: The model's key.
        release: The release's hash; it identifies the model.
        params: The declaration, flat and short.
        tags: Further tags, set on creation.
    """
    with store.told(), store.alone(), store.current():
        experiment = store.experiment(EXPERIMENT)
        found = _models(store, release)
        if not found:
            _create(store, experiment, (key, release), params, tags)
        if store.database is None and not any(SETTLED_TAG in model.tags for model in found):
            # Another machine may be at the same point: after this wait each sees every model.
            time.sleep(SETTLE_SECONDS)
        kept, *younger = _models(store, release)
        for model in younger:
            store.client.delete_logged_model(model.model_id)
        missing = {NOTE_TAG: describe(key, release), SETTLED_TAG: "true"}
        missing = {name: text for name, text in missing.items() if name not in kept.tags}
        if missing:
            store.client.set_logged_model_tags(kept.model_id, missing)
        return str(kept.model_id)


def _create(
    store: Store,
    experiment: str,
    named: tuple[str, str],
    params: Mapping[str, Any],
    tags: Mapping[str, str],
) -> None:
    import mlflow

    key, release = named
    mlflow.create_external_model(
        name=model_name(key, release),
        experiment_id=experiment,
        params={name: str(value) for name, value in sorted(params.items())},
        tags={**tags, RELEASE_TAG: release, NOTE_TAG: describe(key, release), "model": key},
        model_type="encoder",
    )


def describe(key: str, release: str) -> str:
    """The note at the top of the model's page."""
    return (
        f"Release `{release}` of **{key}**: the hash over everything that makes its vectors. The"
        " parameters are its declaration, and the metrics stand by benchmark and dataset version."
        f" Its runs have the tag `release = {release}`."
    )


def find_model(store: Store, release: str) -> "LoggedModel | None":
    """The LoggedModel of a release that stays; None where there is none."""
    return next(iter(_models(store, release)), None)


def _models(store: Store, release: str) -> list["LoggedModel"]:
    """Every LoggedModel of a release: a settled one first, then by the server's clock."""
    experiment = store.client.get_experiment_by_name(EXPERIMENT)
    if experiment is None:
        return []
    models = store.client.search_logged_models(
        [experiment.experiment_id], f"tags.`{RELEASE_TAG}` = '{release}'"
    )
    return sorted(
        models,
        key=lambda model: (
            SETTLED_TAG not in model.tags,
            model.creation_timestamp,
            model.model_id,
        ),
    )
