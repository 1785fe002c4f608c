"""Experiments open as model training and say what they hold."""

import pytest

from isogloss.tracking.experiments import about, links
from isogloss.tracking.store import Store

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
    assert second == f"{NAME}: http://127.0.0.1:5000/#/experiments/{number}?{mode}"
    assert "mlflow.experimentKind" in tags(store)
