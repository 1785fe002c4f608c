"""One LoggedModel per release, whatever the number of benchmarks and reruns."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from isogloss.tracking.store import Store

if TYPE_CHECKING:
    from mlflow.entities import LoggedModel

# One experiment for all: its Models tab sets the releases side by side for each dataset version.
EXPERIMENT = "models"
NOTE_TAG = "mlflow.note.content"
RELEASE_TAG = "isogloss.release"
_REFUSED = re.compile(r"[/:.%\"'\s]+")


def model_name(key: str, release: str) -> str:
    """A readable LoggedModel name: MLflow takes no ``/ : . % " '`` in it."""
    return f"{_REFUSED.sub('-', key).strip('-')}-{release[:8]}"


def logged_model(
    store: Store, key: str, release: str, params: Mapping[str, Any], tags: Mapping[str, str]
) -> str:
    """Id of the LoggedModel of a release, made on first sight.

    Args:
        store: The tracking store.
        key: The model's key.
        release: The release's hash; it identifies the model.
        params: The declaration, flat and short.
        tags: Further tags, set on creation.
    """
    import mlflow

    with store.told(), store.alone(), store.current():
        experiment = store.experiment(EXPERIMENT)
        found = find_model(store, release)
        note = describe(key, release)
        if found is not None:
            if NOTE_TAG not in found.tags:
                store.client.set_logged_model_tags(found.model_id, {NOTE_TAG: note})
            return str(found.model_id)
        made = mlflow.create_external_model(
            name=model_name(key, release),
            experiment_id=experiment,
            params={name: str(value) for name, value in sorted(params.items())},
            tags={**tags, RELEASE_TAG: release, NOTE_TAG: note, "model": key},
            model_type="encoder",
        )
        return str(made.model_id)


def describe(key: str, release: str) -> str:
    """The note at the top of the model's page."""
    return (
        f"Release `{release}` of **{key}**: the hash over everything that makes its vectors. The"
        " parameters are its declaration, and the metrics stand by benchmark and dataset version."
        f" Its runs have the tag `release = {release}`."
    )


def find_model(store: Store, release: str) -> "LoggedModel | None":
    """The oldest LoggedModel of a release; None where there is none."""
    experiment = store.client.get_experiment_by_name(EXPERIMENT)
    if experiment is None:
        return None
    models = store.client.search_logged_models(
        [experiment.experiment_id], f"tags.`{RELEASE_TAG}` = '{release}'"
    )
    return min(models, key=lambda model: model.creation_timestamp, default=None)
