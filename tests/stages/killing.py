"""Kill a stage with SIGKILL at seeded points, run it again, and say what came of it.

``python killing.py FOLDER VERB SEED`` prints one JSON object. One process imports everything once,
and each run is a fork of it: a start of a process would cost more than all that it does.
"""

import hashlib
import json
import os
import random
import shutil
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib.pyplot  # noqa: F401, ICN001
import mlflow.data  # noqa: F401
import pyarrow.parquet as pq
import sentence_transformers  # noqa: F401
from tracked_projects import BENCHMARK, PARAMS, make_project

import isogloss
from isogloss.project import Project, find_project
from isogloss.report import code_bars  # noqa: F401
from isogloss.retrieval import char_ngrams, embedding, staging  # noqa: F401
from isogloss.retrieval.manifest import read_manifest
from isogloss.retrieval.store import VectorStore
from isogloss.stages import corpus, embed, evaluate
from isogloss.tracking.store import open_store

MODEL, SOURCE = "char-ngrams", "mine"
POINTS = 10
CODE = str(Path(isogloss.__file__).parent)
# Where something is written or about to be: half of the points lie here.
WRITING = ("files", "store", "staging", "manifest", "results", "scan_files", "corpus", "runs")
SOURCES = """
sources:
  mine:
    format: google-patents
    languages: [de, en]
embedding:
  batch_size: 4
"""
WORDS = {"de": "der Katalysator enthält einen Zeolith", "en": "the catalyst holds a zeolite"}


class Point(NamedTuple):
    """Where a run is killed: at so many events, in writing code or anywhere, and how much later."""

    event: int
    writing: bool
    delay: float


def lay_out(folder: Path) -> None:
    """A project with a benchmark, and raw rows in three shards."""
    folder.mkdir()
    make_project(folder)
    (folder / "params.yaml").write_text(PARAMS + SOURCES, encoding="utf-8")
    raw = folder / "data" / "patents" / SOURCE
    raw.mkdir(parents=True)
    for shard in range(3):
        rows = []
        for number in range(shard * 30, shard * 30 + 40):
            texts = [{"text": f"{WORDS[one]} {number}", "language": one} for one in WORDS]
            # Ten numbers of each shard stand in the next one again: rows that are joined.
            rows.append({"publication_number": f"EP-{number}-A1", "family_id": "-1",
                         "cpc": [{"code": "C07D401/04"}], "abstract_localized": texts})  # fmt: skip
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (raw / f"{shard}.jsonl").write_text(lines, encoding="utf-8")


def events(seen: Callable[[bool], None]) -> None:
    """Call back at each call, return and call of C within our code; whether it is writing code."""

    def profile(frame: Any, event: str, _: Any) -> None:
        name = frame.f_code.co_filename
        if name.startswith(CODE):
            seen(Path(name).stem in WRITING)

    sys.setprofile(profile)


def killer(point: Point) -> Callable[[bool], None]:
    """Kills this process at a point."""
    count = 0

    def seen(writing: bool) -> None:
        nonlocal count
        count += writing or not point.writing
        if count == point.event:
            if point.delay:
                threading.Thread(target=lambda: (time.sleep(point.delay), die())).start()
            else:
                die()

    return seen


def die() -> None:
    """As `kill -9` does."""
    os.kill(os.getpid(), signal.SIGKILL)


def forked(work: Callable[[], Any]) -> tuple[int, Any]:
    """Run something in a fork: how it ended (0, an exit code, or minus a signal), what it gave."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        code = 1
        try:
            os.dup2(2, 1)
            os.write(writing, json.dumps(work()).encode())
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        said = pipe.read()
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return ended, json.loads(said) if said else None


def counted(run: Callable[[], None]) -> dict[str, int]:
    """Run to the end and count events in writing code, and all."""
    found = {"writing": 0, "all": 0}

    def seen(writing: bool) -> None:
        found["all"] += 1
        found["writing"] += writing

    events(seen)
    run()
    sys.setprofile(None)
    return found


def digest(paths: Iterator[Path]) -> dict[str, str]:
    """Of files that are no leftovers of a kill, by name."""
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(paths)
        if path.is_file() and not path.name.startswith(".") and ".unfinished" not in path.parts
    }


def embedded(project: Project) -> dict[str, Any]:
    """The manifest's bytes, and what the store holds beside it."""
    path = project.manifest(BENCHMARK, MODEL)
    manifest, store = read_manifest(path), VectorStore(project.store_uri)
    read = store.read(manifest.documents.table, manifest.tag)
    assert read.vectors is not None
    held = hashlib.sha256(read.vectors.tobytes()).hexdigest()
    tables = sorted(path.name for path in Path(project.store_uri).glob("*.lance"))
    return digest(iter([path])) | {"vectors": held, "tables": tables}


def evaluated(project: Project) -> dict[str, Any]:
    """Every result, and the state of every run that was not deleted."""
    client = open_store(project).client
    experiments = [one.experiment_id for one in client.search_experiments()]
    runs = [run.info.status for run in client.search_runs(experiments)]
    return digest(project.results(BENCHMARK, MODEL).rglob("*")) | {"runs": runs}


def ingested(project: Project) -> dict[str, Any]:
    """The corpus, its report and figures, and whether anything unfinished is left."""
    rows = pq.read_metadata(project.corpus(SOURCE)).num_rows
    folder = project.corpus(SOURCE).parent
    unfinished = project.unfinished(SOURCE).exists()
    return digest(folder.rglob("*")) | {"rows": rows, "unfinished": unfinished}


VERBS: dict[str, tuple[Callable[[Project], None], Callable[[Project], dict[str, Any]]]] = {
    "embed": (lambda project: embed.run(project, BENCHMARK, MODEL, "cpu"), embedded),
    "evaluate": (lambda project: evaluate.run(project, BENCHMARK, MODEL), evaluated),
    "ingest": (lambda project: corpus.run(project, SOURCE), ingested),
}


def outcome(verb: str, folder: Path) -> tuple[int, Any]:
    """Run a verb to its end, and look at what is there."""
    run, look = VERBS[verb]

    def work() -> dict[str, Any]:
        project = find_project(folder)
        run(project)
        return look(project)

    return forked(work)


def main(place: Path, verb: str, seed: int) -> None:
    """Lay out, run undisturbed, then kill and run again at every point."""
    warnings.simplefilter("ignore")
    staging.FLUSH_SECONDS = 0.0
    start = place / "start"
    assert forked(lambda: lay_out(start))[0] == 0
    if verb == "evaluate":
        assert forked(lambda: VERBS["embed"][0](find_project(start)))[0] == 0

    def copy(name: str) -> Path:
        return Path(shutil.copytree(start, place / name))

    ended, undisturbed = outcome(verb, copy("undisturbed"))
    assert ended == 0
    folder = copy("counted")
    ended, total = forked(lambda: counted(lambda: VERBS[verb][0](find_project(folder))))
    assert ended == 0
    rng = random.Random(seed)
    tries = []
    for number in range(POINTS):
        writing, late = number % 2 == 0, number % 4 >= 2
        most = total["writing" if writing else "all"]
        # A kill that comes late must not come after the end.
        event = rng.randrange(1, int(most * (0.9 if late else 1)))
        point = Point(event, writing, rng.uniform(0.001, 0.02) if late else 0.0)
        folder = copy(f"killed-{number}")

        def killed(folder: Path = folder, point: Point = point) -> None:
            events(killer(point))
            VERBS[verb][0](find_project(folder))

        ended, _ = forked(killed)
        again, found = outcome(verb, folder)
        tries.append({"point": point, "ended": ended, "again": again, "found": found})
        shutil.rmtree(folder)
    print(json.dumps({"undisturbed": undisturbed, "events": total, "tries": tries}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
