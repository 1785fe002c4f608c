"""One LoggedModel per release; its metrics stand by dataset."""

import os
from typing import Any

from isogloss.tracking.models import find_model, logged_model, model_name
from isogloss.tracking.runs import DatasetInput, log_run
from isogloss.tracking.store import Store


def test_a_release_is_one_model_however_often_it_is_named(store: Store) -> None:
    first = logged_model(store, "minilm-l6-en", "a" * 16, {"dtype": "float32"}, {"dirty": "false"})
    again = logged_model(store, "minilm-l6-en", "a" * 16, {"dtype": "float32"}, {})
    other = logged_model(store, "minilm-l6-en", "b" * 16, {"dtype": "float16"}, {})
    assert first == again != other
    found = find_model(store, "a" * 16)
    assert found is not None
    assert found.name == "minilm-l6-en-aaaaaaaa"
    assert found.params["dtype"] == "float32"
    assert found.tags["isogloss.release"] == "a" * 16
    assert "a" * 16 in found.tags["mlflow.note.content"]
    # What MLflow notes for its own use must not pass for the user's choice of a store.
    assert "MLFLOW_TRACKING_URI" not in os.environ


def test_names_that_mlflow_refuses_become_slugs(store: Store) -> None:
    assert model_name("intfloat/e5:large.v2 100%", "c" * 16) == "intfloat-e5-large-v2-100-cccccccc"
    assert logged_model(store, "intfloat/e5:large.v2", "c" * 16, {}, {})


def test_metrics_of_two_benchmarks_meet_at_the_model_by_dataset(store: Store, record: Any) -> None:
    model = logged_model(store, "minilm", "a" * 16, {}, {})
    for name, value in (("tico19-cloze", 0.25), ("epo-title", 0.75)):
        logged = log_run(
            store,
            record(
                experiment=f"retrieval/{name}",
                fingerprint=name,
                metrics={"recall_at_10/cross": value},
                datasets=[DatasetInput(name, f"version-of-{name}")],
                model_id=model,
            ),
        )
        inputs = store.client.get_run(logged.run_id).inputs.model_inputs
        assert [item.model_id for item in inputs] == [model]
    found = find_model(store, "a" * 16)
    assert found is not None
    assert {
        (metric.dataset_name, metric.dataset_digest, metric.value) for metric in found.metrics
    } == {
        ("tico19-cloze", "version-of-tico19-cloze", 0.25),
        ("epo-title", "version-of-epo-title", 0.75),
    }
