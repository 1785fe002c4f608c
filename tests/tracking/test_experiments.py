"""Experiments open as model training and say what they hold."""

import json
from typing import Any

import pytest

from isogloss.tracking.experiments import about, links
from isogloss.tracking.runs import log_run
from isogloss.tracking.store import Store
from isogloss.tracking.views import view_tag

NAME = "retrieval/tico19-cloze"


def tags(store: Store) -> dict[str, str]:
    return dict(store.client.get_experiment_by_name(NAME).tags)


@pytest.mark.parametrize("name", [NAME, "releases/tico19-cloze", "comparison", "models"])
def test_each_experiment_says_what_it_holds(store: Store, name: str) -> None:
    made = store.client.get_experiment(store.experiment(name))
    assert made.tags["mlflow.experimentKind"] == "custom_model_development"
    text = made.tags["mlflow.note.content"]
    assert text == about(name)
    assert "{" not in text
    assert ("tico19-cloze" in text) == ("/" in name)


def test_a_saved_view_names_figures_that_the_runs_have(store: Store, record: Any) -> None:
    metrics = {"recall_at_10/same": 0.5, "recall_at_10/cross": 0.25, "rrc_at_100": 0.5}
    metrics |= {"gap/delta": 0.25}
    changes = {"params": {"dataset_version": "d" * 32}, "tags": {"gate": "passed"}}
    run = store.client.get_run(log_run(store, record(metrics=metrics, **changes)).run_id)
    saved = json.loads(tags(store)["mlflow.sharedViewState.isogloss"])
    assert (type(saved["name"]), type(saved["createdAt"])) == (str, int)
    state = json.loads(saved["state"])
    held = {"metrics": run.data.metrics, "params": run.data.params, "tags": run.data.tags}
    for column in [*state["selectedColumns"], state["orderByKey"]]:
        kind, _, name = column.partition(".")
        assert name.strip("`") in held[kind]
    assert view_tag("models") == view_tag("somebody's own") == {}


def test_an_older_experiment_gets_what_it_lacks_and_keeps_what_it_has(store: Store) -> None:
    number = store.client.create_experiment(
        NAME, (store.artifacts / NAME).resolve().as_uri(), {"isogloss.project": "here"}
    )
    store.client.set_experiment_tag(number, "mlflow.note.content", "mine")
    assert store.experiment(NAME) == number
    assert tags(store)["mlflow.experimentKind"] == "custom_model_development"
    assert tags(store)["mlflow.note.content"] == "mine"


def test_links_lead_to_our_experiments_in_the_right_mode(store: Store) -> None:
    store.client.create_experiment("somebody's own")
    number = store.client.create_experiment(NAME, tags={"isogloss.project": "here"})
    store.experiment("models")
    first, second = links(store, "http://127.0.0.1:5000")
    assert first.startswith("models: http://127.0.0.1:5000/#/experiments/")
    mode = "workflowType=machine_learning"
    page = f"http://127.0.0.1:5000/#/experiments/{number}/runs"
    assert second == f"{NAME}: {page}?{mode}&viewStateShareKey=isogloss"
    assert "mlflow.experimentKind" in tags(store)
