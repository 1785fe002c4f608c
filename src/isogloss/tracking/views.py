"""A saved view of MLflow's run table: the columns that matter, best across languages first.

MLflow keeps a named view of an experiment as a tag of it: its "Views" menu lists the view, and an
address with its key opens the table that way. Left alone, the table shows no figure at all.
"""

from collections.abc import Sequence

from isogloss.files import json_bytes

KEY = "isogloss"
TAG = f"mlflow.sharedViewState.{KEY}"
# MLflow wants to know when a view was made; a fixed day keeps the tag the same for everybody.
MADE = 1_767_225_600_000

_VIEWS = {
    "retrieval": (
        "Recall within and across languages",
        (
            "metrics.`recall_at_10/same`",
            "metrics.`recall_at_10/cross`",
            "metrics.`gap/delta`",
            "metrics.`rrc_at_100`",
            "tags.`gate`",
            "params.`dataset_version`",
        ),
        "metrics.`recall_at_10/cross`",
    ),
    "releases": (
        "What each release lost",
        (
            "tags.`gate`",
            "metrics.`losses`",
            "metrics.`change/recall_at_10/same/delta`",
            "metrics.`change/recall_at_10/cross/delta`",
            "params.`dataset_version`",
        ),
        "attributes.start_time",
    ),
}


def view_tag(experiment: str) -> dict[str, str]:
    """The tag that holds the view of an experiment; empty where its runs need none.

    Args:
        experiment: Its name, such as ``retrieval/tico19-cloze``.
    """
    found = _VIEWS.get(experiment.partition("/")[0])
    return {} if found is None else {TAG: _saved(*found)}


def _saved(name: str, columns: Sequence[str], order: str) -> str:
    state = {"selectedColumns": list(columns), "orderByKey": order, "orderByAsc": False}
    saved = {
        "name": name,
        "createdAt": MADE,
        "updatedAt": MADE,
        "state": json_bytes(state, indent=None).decode(),
    }
    return json_bytes(saved, indent=None).decode()
