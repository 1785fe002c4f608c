"""One fingerprint, one run: unchanged work adds nothing, forced work replaces it."""

import hashlib
import platform
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from isogloss.files import write_text
from isogloss.tracking.names import metric_values
from isogloss.tracking.records import DatasetInput, RunRecord, check_record
from isogloss.tracking.store import Store
from isogloss.tracking.writing import start_run, write_attachments, write_figures

if TYPE_CHECKING:
    from mlflow.entities import Run

__all__ = ["DatasetInput", "Logged", "RunRecord", "find_run", "first_whole", "log_run"]

FINGERPRINT_TAG = "isogloss.fingerprint"
WRITER_TAG = "isogloss.writer"
# Ids of the runs that a forced one takes the place of.
REPLACES_TAG = "isogloss.replaces"
MOST_REPLACED = 200
WRITER_FILE = ".writer.id"
# Beyond this, an unfinished run of another machine is taken for dead (our reading).
STALE_SECONDS = 3600


@dataclass(frozen=True)
class Logged:
    """What became of a record.

    Attributes:
        run_id: The run that holds it now.
        outcome: ``unchanged`` when it was there already, ``completed`` when it takes the place of
            one that was left unfinished.
        differing: Metrics of an unchanged run that differ from the record's: the same definitions
            on other arithmetic or other code. `force` would replace them.
    """

    run_id: str
    outcome: Literal["new", "unchanged", "replaced", "completed"]
    differing: tuple[str, ...] = ()

    def lines(self, experiment: str) -> list[str]:
        """What to tell a user."""
        lines = [f"MLflow: run {self.run_id} in experiment {experiment} ({self.outcome})"]
        if self.differing:
            some = ", ".join(self.differing[:3]) + (", ..." if len(self.differing) > 3 else "")
            lines.append(
                f"MLflow: the tracked run differs in {len(self.differing)} metrics ({some}) though"
                " nothing it depends on has changed; --force replaces it"
            )
        return lines


def log_run(store: Store, record: RunRecord, *, force: bool = False) -> Logged:
    """Bring a record into the store, exactly once.

    A whole run of the same fingerprint is left alone, or with `force` is replaced once the new one
    stands. Runs that a killed process left unfinished are removed. Whoever writes at the same time
    from this project waits. Machines that write to one server at once cannot wait for each other:
    each looks again once its own run stands, and all of them keep the same one (`first_whole`).

    Raises:
        TrackingError: The store refused something; no run is left that looks whole.
    """
    check_record(record)
    metrics = metric_values(record.metrics)
    with store.told(), store.alone():
        experiment = store.experiment(record.experiment)
        whole, torn = _same(store, experiment, record.fingerprint)
        _delete(store, torn)
        if whole and not force:
            return _kept(store, whole, metrics)
        replaced = [str(run.info.run_id) for run in whole]
        tags = {
            FINGERPRINT_TAG: record.fingerprint,
            WRITER_TAG: _writer(store),
            **({REPLACES_TAG: " ".join(replaced[:MOST_REPLACED])} if replaced else {}),
        }
        run_id = start_run(store, experiment, record, tags)
        try:
            write_attachments(store, run_id, record)
            ready, _ = _same(store, experiment, record.fingerprint)
            if ready and not force:
                # Another machine was quicker: its model must not get these figures twice.
                store.client.delete_run(run_id)
                return _kept(store, ready, metrics)
            write_figures(store, run_id, record, metrics)
        except BaseException:
            store.client.set_terminated(run_id, "FAILED")
            raise
        store.client.set_terminated(run_id, "FINISHED")
        after, left = _same(store, experiment, record.fingerprint)
        _delete(store, left)
        kept = _keep_first(store, after)
        if str(kept.info.run_id) != run_id:
            return Logged(str(kept.info.run_id), "unchanged")
        return Logged(run_id, "replaced" if replaced else "completed" if torn else "new")


def first_whole(runs: Sequence["Run"]) -> "Run":
    """Of whole runs of one fingerprint the one that stays, the same for whoever looks.

    A run that another one says it replaces goes; of the rest the one that was whole first stays,
    and of two in the same millisecond the one with the smaller id.
    """
    replaced = {gone for run in runs for gone in run.data.tags.get(REPLACES_TAG, "").split()}
    left = [run for run in runs if run.info.run_id not in replaced]
    return min(left or runs, key=lambda run: (run.info.end_time or 0, run.info.run_id))


def losers(runs: Sequence["Run"]) -> list["Run"]:
    """The others, in an order in which deleting them one by one never changes who stays.

    What a run replaces goes before it: else somebody who looks in between would find the replaced
    one free again and keep that.
    """
    kept = first_whole(runs)
    left = {run.info.run_id: run for run in runs}
    ordered = []
    while len(left) > 1:
        others = [run for name, run in left.items() if name != kept.info.run_id]
        free = (
            run
            for run in others
            if not any(name in left for name in run.data.tags.get(REPLACES_TAG, "").split())
        )
        gone = next(free, others[0])
        ordered.append(left.pop(gone.info.run_id))
    return ordered


def find_run(store: Store, experiment: str, fingerprint: str) -> str | None:
    """Id of the whole run with a fingerprint; None where there is none."""
    found = store.client.get_experiment_by_name(experiment)
    if found is None:
        return None
    whole, _ = _same(store, found.experiment_id, fingerprint)
    return str(first_whole(whole).info.run_id) if whole else None


def _same(store: Store, experiment: str, fingerprint: str) -> tuple[list["Run"], list["Run"]]:
    """Whole and torn runs of a fingerprint."""
    runs = store.client.search_runs([experiment], f"tags.`{FINGERPRINT_TAG}` = '{fingerprint}'")
    whole = [run for run in runs if run.info.status == "FINISHED"]
    dead = [run for run in runs if run.info.status != "FINISHED" and _is_dead(store, run)]
    return whole, dead


def _is_dead(store: Store, run: "Run") -> bool:
    # We hold this project's lock: an unfinished run of ours has no writer any more.
    if store.database is not None or run.data.tags.get(WRITER_TAG) == _writer(store):
        return True
    return bool(time.time() - run.info.start_time / 1000 > STALE_SECONDS)


def _kept(store: Store, whole: Sequence["Run"], metrics: Mapping[str, float]) -> Logged:
    run = _keep_first(store, whole)
    return Logged(str(run.info.run_id), "unchanged", _differing(run, metrics))


def _keep_first(store: Store, whole: Sequence["Run"]) -> "Run":
    kept = first_whole(whole)
    _delete(store, losers(whole))
    return kept


def _delete(store: Store, runs: Sequence["Run"]) -> None:
    for run in runs:
        store.client.delete_run(run.info.run_id)


def _differing(run: "Run", metrics: Mapping[str, float]) -> tuple[str, ...]:
    stored = run.data.metrics
    names = sorted({*stored, *metrics})
    return tuple(name for name in names if stored.get(name) != metrics.get(name))


def _writer(store: Store) -> str:
    """Who writes: this project on this machine, and no container of the same name and path."""
    mark = store.artifacts / WRITER_FILE
    if not mark.is_file():
        write_text(mark, f"{uuid.uuid4().hex}\n")
    place = f"{platform.node()}:{store.root.resolve()}:{mark.read_text('utf-8').strip()}"
    return hashlib.sha256(place.encode()).hexdigest()[:16]
