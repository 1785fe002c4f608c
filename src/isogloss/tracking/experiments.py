"""What MLflow's UI is told about an experiment: its kind, what it holds, what to look at."""

from typing import TYPE_CHECKING

from isogloss.tracking import views
from isogloss.tracking.views import view_tag

if TYPE_CHECKING:
    from isogloss.tracking.store import Store

KIND_TAG = "mlflow.experimentKind"
KIND = "custom_model_development"
NOTE_TAG = "mlflow.note.content"
OWNER_TAG = "isogloss.project"
# MLflow opens an experiment among traces unless its address, or a switch in the UI, says otherwise.
MODE = "workflowType=machine_learning"

# The first line is all that a folded description shows.
_COLUMNS = "Above the table of runs, **Columns** chooses what it shows:"
_VIEW = "**Views** at the top right holds a view of the table with"
_COMPARE = "Tick two runs and press **Compare** for their parameters and figures side by side."
_MARKS = (
    "`…_undefined = 1` and `…_censored = 1` stand for figures that are no number; the run's page"
    " says why."
)
_NOTES = {
    "retrieval": (
        "One run: one model searching **{name}**, within its query's language and in others.",
        f"{_VIEW} recall in both, the gap, the re-ranking ceiling, the gate and the dataset"
        " version. **Columns** adds the rest, such as `k80/star`, `release` and `dvc.rev`.",
        f"{_COMPARE} Only runs of one `dataset_version` and one `metrics_version` measure the same"
        " thing.",
        _MARKS,
    ),
    "releases": (
        "One run: two releases of one model on **{name}**, the later against the earlier.",
        f"{_VIEW} the gate's verdict, how many routes and headlines lost, and the changes."
        " **Columns** adds the rest, such as `model`, `before` and `after`.",
        f"{_COMPARE} `releases.json` and the figures are among the run's artefacts.",
        _MARKS,
    ),
    "comparison": (
        "One run: every model on every benchmark, with pairwise significance and pools.",
        f"{_COLUMNS} the metrics `BENCHMARK/friedman/p` and `BENCHMARK/recall_at_10/MODEL`, and the"
        " parameters `dataset_version.BENCHMARK` and `models`.",
        f"{_COMPARE} The leaderboard and its figures are among the run's artefacts.",
        _MARKS,
    ),
    "medical": (
        "One run: one model answering one version of the medical items, reviewed or"
        " machine-translated (`arm`).",
        f"{_COLUMNS} the metrics `accuracy/macro`, `accuracy/gap`, `accuracy/LANGUAGE`, `qa/macro`"
        " and `refusal_rate`, and the parameters `model`, `group`, `arm` and `items_version`.",
        f"{_COMPARE} Only runs of one `items_version` answered the same items. Answers, refusals,"
        " verdicts and the tables by language and dataset are among the run's artefacts.",
        "A figure that is undefined has no metric; `scores.json` in the run says why.",
    ),
    "medical-shifts": (
        "One run: what reviewing the machine translations changes, over all models.",
        f"{_COLUMNS} the metrics `accuracy/overall/LANGUAGE`, `accuracy/significant_cells` and"
        " `qa/overall/LANGUAGE`, and the parameters `models.accuracy`, `items_version.mt` and"
        " `items_version.reviewed`.",
        f"{_COMPARE} The tables of cells and the figures are among the run's artefacts.",
    ),
    "models": (
        "No runs: open **Models** at the left for one model a release, its figures by dataset.",
        "Its columns set the releases side by side for each benchmark and dataset version; a"
        " model's parameters are its declaration.",
    ),
}


def about(name: str) -> str | None:
    """The description of an experiment, as Markdown; None for one that is not of our making."""
    kind, _, rest = name.partition("/")
    lines = _NOTES.get(kind)
    return None if lines is None else "\n\n".join(lines).replace("{name}", rest)


def experiment_tags(name: str) -> dict[str, str]:
    """The tags by which the UI opens an experiment as model training and describes it."""
    note = about(name)
    return {KIND_TAG: KIND, **({} if note is None else {NOTE_TAG: note}), **view_tag(name)}


def links(store: "Store", address: str) -> list[str]:
    """A line for each experiment of ours: its name, and where its runs are in the UI.

    An experiment that lacks the tags, because an earlier version made it, gets them here.

    Args:
        store: The tracking store.
        address: The server's, without a slash at its end.
    """
    with store.told():
        found = [one for one in store.client.search_experiments() if OWNER_TAG in one.tags]
        for one in found:
            store.complete_tags(one)
    return [
        f"{one.name}: {address}/#/experiments/{one.experiment_id}{_page(str(one.name))}"
        for one in sorted(found, key=lambda one: str(one.name))
    ]


def _page(name: str) -> str:
    """The rest of an experiment's address: its models, or its runs in our view of them."""
    if name == "models":
        return f"/models?{MODE}"
    view = f"&viewStateShareKey={views.KEY}" if view_tag(name) else ""
    return f"/runs?{MODE}{view}"
