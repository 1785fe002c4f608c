"""O03, O06: one fingerprint, one run, whole, whatever happens in between."""

import json
import signal
import time
from typing import Any

import pytest
from mlflow.entities import ViewType

from isogloss.errors import TrackingError
from isogloss.project import Project
from isogloss.tracking.identity import text_hash
from isogloss.tracking.runs import DatasetInput, find_run, log_run
from isogloss.tracking.store import Store


def runs(store: Store, view: int = ViewType.ACTIVE_ONLY) -> list[Any]:
    experiments = [experiment.experiment_id for experiment in store.client.search_experiments()]
    return list(store.client.search_runs(experiments, run_view_type=view))


def test_a_run_holds_what_its_record_says(store: Store, record: Any) -> None:
    notes = {"k80/cross": "censored: deeper than 1000"}
    metrics = {"recall_at_10/same": 0.5, "k80/cross": None, "notes": notes}
    logged = log_run(store, record(metrics=metrics))
    run = store.client.get_run(logged.run_id)
    assert logged.outcome == "new"
    assert run.info.status == "FINISHED"
    assert run.info.run_name == "minilm on tico19-cloze"
    assert run.data.metrics == {"recall_at_10/same": 0.5, "k80/cross_censored": 1.0}
    assert run.data.params == {"languages": "de, no"}
    assert run.data.tags["release"] == "abc"
    assert run.data.tags["mlflow.note.content"].startswith("**minilm**")
    (dataset,) = run.inputs.dataset_inputs
    assert (dataset.dataset.name, dataset.dataset.digest) == ("tico19-cloze", "d" * 32)


def test_an_unchanged_rerun_adds_nothing(store: Store, record: Any) -> None:
    first = log_run(store, record())
    second = log_run(store, record())
    assert (second.run_id, second.outcome) == (first.run_id, "unchanged")
    assert len(runs(store, ViewType.ALL)) == 1
    assert find_run(store, "retrieval/tico19-cloze", "f" * 32) == first.run_id


def test_a_tracked_run_that_differs_is_told(store: Store, record: Any) -> None:
    first = log_run(store, record())
    again = log_run(store, record(metrics={"recall_at_10/same": 0.75}))
    assert (again.run_id, again.outcome) == (first.run_id, "unchanged")
    assert again.differing == ("recall_at_10/cross", "recall_at_10/same")
    assert "--force" in again.lines("retrieval/tico19-cloze")[1]
    assert len(first.lines("retrieval/tico19-cloze")) == 1


def test_force_replaces_the_run(store: Store, record: Any) -> None:
    first = log_run(store, record())
    second = log_run(store, record(metrics={"recall_at_10/same": 0.75}), force=True)
    assert second.outcome == "replaced"
    (left,) = runs(store)
    assert left.info.run_id == second.run_id != first.run_id
    assert left.data.metrics == {"recall_at_10/same": 0.75}


def test_another_fingerprint_is_another_run(store: Store, record: Any) -> None:
    log_run(store, record())
    assert log_run(store, record(fingerprint="e" * 32)).outcome == "new"
    assert len(runs(store)) == 2


def test_a_table_keeps_its_rows_when_the_step_runs_again(store: Store, record: Any) -> None:
    rows = {"query_language": ["de", "no"], "n": [3, 4]}
    for force in (False, False, True):
        logged = log_run(store, record(tables={"routes.json": rows}), force=force)
        table = store.client.download_artifacts(logged.run_id, "routes.json")
        with open(table, encoding="utf-8") as file:  # noqa: PTH123
            assert json.load(file)["data"] == [["de", 3], ["no", 4]]


@pytest.mark.parametrize("bad", ["recall_at_10/same\n", "nan"])
def test_all_metrics_or_none(store: Store, bad: str, record: Any) -> None:
    """O01, one_bad_name: a name that cannot stand is spelled, a value that cannot fails the run."""
    metrics: dict[str, float] = {f"metric_{index}": float(index) for index in range(50)}
    if bad == "nan":
        with pytest.raises(TrackingError):
            log_run(store, record(metrics={**metrics, "bad": float("nan")}))
        assert runs(store) == []
    else:
        logged = log_run(store, record(metrics={**metrics, bad: 1.0}))
        assert len(store.client.get_run(logged.run_id).data.metrics) == 51


def test_a_store_that_refuses_leaves_no_run_that_looks_whole(
    store: Store, monkeypatch: pytest.MonkeyPatch, record: Any
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("isogloss.tracking.names._FOREIGN", __import__("re").compile("$^"))
        with pytest.raises(TrackingError):
            log_run(store, record(metrics={"recall(10)": 0.5, "fine": 0.5}))
    (torn,) = runs(store)
    assert torn.info.status == "FAILED"
    assert torn.data.metrics == {}
    assert find_run(store, "retrieval/tico19-cloze", "f" * 32) is None
    assert log_run(store, record()).outcome == "completed"
    assert len(runs(store)) == 1


def test_names_and_texts_of_any_script_survive(store: Store, record: Any) -> None:
    content = '{"再現率": 0.5}'.encode()
    prompt = "Anfrage: ä" * 700
    logged = log_run(
        store,
        record(
            files={"表/再現率.json": content, "prompts/query.txt": prompt.encode()},
            params={"prompt.query": text_hash(prompt)},
        ),
    )
    for name, expected in (("表/再現率.json", content), ("prompts/query.txt", prompt.encode())):
        with open(store.client.download_artifacts(logged.run_id, name), "rb") as file:  # noqa: PTH123
            assert file.read() == expected
    assert store.client.get_run(logged.run_id).data.params["prompt.query"] == text_hash(prompt)


def test_a_parameter_that_would_be_cut_is_refused(store: Store, record: Any) -> None:
    with pytest.raises(TrackingError, match=r"parameter prompt: 7000 characters"):
        log_run(store, record(params={"prompt": "x" * 7000}))
    with pytest.raises(TrackingError, match=r"tag prompt: 9000 characters"):
        log_run(store, record(tags={"prompt": "x" * 9000}))
    assert runs(store) == []


@pytest.mark.parametrize("path", ["../out.json", "/out.json", ""])
def test_an_artefact_cannot_leave_its_run(store: Store, path: str, record: Any) -> None:
    with pytest.raises(TrackingError, match="inside the run"):
        log_run(store, record(files={path: b""}))


def test_a_long_digest_is_refused_before_anything_is_written(store: Store, record: Any) -> None:
    with pytest.raises(TrackingError, match="tico19-cloze"):
        log_run(store, record(datasets=[DatasetInput("tico19-cloze", "d" * 37)]))
    assert runs(store) == []


LOG = r"""
from isogloss.project import find_project
from isogloss.tracking.runs import RunRecord, log_run
from isogloss.tracking.store import open_store
record = RunRecord(
    experiment="retrieval/tico19-cloze", name="minilm", fingerprint="f" * 32, description="",
    metrics={"recall_at_10/same": 0.5},
    files={"NAME": "\u00e4".encode()},
    tables={"routes.json": {"n": [3]}},
)
print(log_run(open_store(find_project()), record).outcome)
"""


@pytest.mark.parametrize(
    ("environment", "name"),
    [
        ({"LC_ALL": "C"}, "表/再現率.json"),
        ({"PYTHONIOENCODING": "cp1252"}, "表/再現率.json"),
        # Without UTF-8 mode the file system knows ASCII names only; contents stay what they are.
        ({"LC_ALL": "C", "PYTHONUTF8": "0"}, "prompts/query.txt"),
    ],
)
def test_it_works_under_any_locale(
    store: Store, script: Any, environment: dict[str, str], name: str
) -> None:
    code = LOG.replace("NAME", name.encode("unicode_escape").decode())
    output, errors = script(code, **environment).communicate(timeout=900)
    assert output.split() == [b"new"], errors.decode()
    (run,) = runs(store)
    with open(store.client.download_artifacts(run.info.run_id, name), "rb") as file:  # noqa: PTH123
        assert file.read() == "ä".encode()


def test_processes_that_log_the_same_at_once_leave_one_run(store: Store, script: Any) -> None:
    processes = [script(LOG) for _ in range(2)]
    outcomes = []
    for process in processes:
        output, errors = process.communicate(timeout=900)
        assert process.returncode == 0, errors.decode()
        outcomes += output.decode().split()
    assert sorted(outcomes) == ["new", "unchanged"]
    assert len(runs(store, ViewType.ALL)) == 1


def test_a_killed_run_is_replaced_by_one_whole_run(
    project: Project, store: Store, script: Any, record: Any
) -> None:
    code = LOG.replace(
        "print(",
        "from isogloss.tracking import artifacts\nimport time\n"
        "artifacts.log_tables = lambda *_: (print('half', flush=True), time.sleep(600))\nprint(",
    )
    process = script(code)
    assert process.stdout is not None
    assert process.stdout.readline().strip() == b"half"
    process.send_signal(signal.SIGKILL)
    process.communicate()
    (half,) = runs(store)
    assert half.info.status == "RUNNING"
    started = time.monotonic()
    logged = log_run(store, record())
    assert time.monotonic() - started < 30
    assert logged.outcome == "completed"
    (whole,) = runs(store)
    assert whole.info.run_id == logged.run_id
    assert whole.info.status == "FINISHED"
    assert log_run(store, record()).outcome == "unchanged"
