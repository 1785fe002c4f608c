"""The verb by way of batches, killed in between, and what becomes of calls that fail for good."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from isogloss.files import read_parquet, write_json
from isogloss.llm.recordings import Recordings
from isogloss.project import Project, find_project
from isogloss.stages import queries, seed_translations
from isogloss.stages.asking import Asking
from llm.batches import BatchServer
from llm.loopback import Answer, Call, Loopback, error
from stages.test_llm_queries import asked, made, outputs, project_at, settings, well
from stages.test_seed_translations import good, report
from stages.test_seed_translations import project_at as seed_project_at

VERB = [str(Path(sys.executable).parent / "isogloss"), "queries", "small-llm"]


class Batches(BatchServer):
    """Both models by batch, each request answered as a call of its own would be."""

    behave = staticmethod(well)

    def reply(self, body: dict[str, Any]) -> Answer:
        return self.behave(Call("POST", "/v1/chat/completions", {}, json.dumps(body).encode(), 1))


def quick(folder: Path, url: str, **over: Any) -> Project:
    """A project as a verb finds it: with a params.yaml (JSON is YAML)."""
    project = project_at(folder, url, queries=4, **over)
    content = settings(url, queries=4, **over).model_dump(mode="json", exclude_none=True)
    content["chat"]["poll_seconds"] = 0.02
    write_json(folder / "params.yaml", content)
    found = find_project(folder)
    assert found.settings.llm_benchmarks == project.settings.llm_benchmarks
    return found


def verb(project: Project, *options: str) -> tuple[int, str]:
    done = subprocess.run(
        [*VERB, *options], cwd=project.root, capture_output=True, text=True, timeout=900
    )
    return done.returncode, done.stderr


def wait_until(condition: Any, what: str) -> None:
    deadline = time.monotonic() + 90
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.01)


def test_batches_and_calls_give_the_same_bytes(tmp_path: Path) -> None:
    batches = Batches()
    with Loopback(batches) as server:
        project = quick(tmp_path / "batch", server.url)
        queries.run(project, "small-llm", asking=Asking(batch=True))
    with Loopback(well) as server:
        other = quick(tmp_path / "calls", server.url)
        queries.run(other, "small-llm")
    assert outputs(project) == outputs(other)
    assert len(batches.paid) == 24
    # One batch for candidates, one for scores, and none is out any more.
    assert len(batches.batches) == 2
    assert not list((project.root / "recordings").glob("*.batches.json"))
    queries.run(project, "small-llm", asking=Asking(offline=True))
    assert outputs(project) == outputs(other)


def test_a_verb_killed_while_a_batch_is_out_collects_it_and_pays_nothing_twice(
    tmp_path: Path,
) -> None:
    batches = Batches(looks=10**6)
    state = tmp_path / "recordings" / "small-llm.generate.batches.json"
    with Loopback(batches) as server:
        project = quick(tmp_path, server.url)
        for kill in range(2):
            run = subprocess.Popen([*VERB, "--batch"], cwd=tmp_path, stderr=subprocess.PIPE)
            before = sum(batch["looks"] for batch in batches.batches)
            wait_until(
                lambda before=before: sum(b["looks"] for b in batches.batches) > before,
                f"run {kill} did not look at its batch",
            )
            run.send_signal(signal.SIGKILL)
            run.communicate()
            assert run.returncode == -signal.SIGKILL
            assert [one["id"] for one in json.loads(state.read_bytes())] == ["batch-0"]
        assert not project.benchmark("small-llm").exists()
        batches.looks = 0
        code, said = verb(project, "--batch")
        assert code == 0, said
    assert len(batches.batches) == 2
    assert max(Counter(batches.paid).values()) == 1
    assert len(batches.paid) == 24
    assert not state.exists()
    assert made(project)["queries"] == 4


def test_translations_go_by_batch_too(tmp_path: Path) -> None:
    batches = Batches()
    batches.behave = good  # type: ignore[method-assign]
    with Loopback(batches) as server:
        project = seed_project_at(tmp_path, server.url, poll_seconds=0.02)
        seed_translations.run(project, "small", Asking(batch=True))
    assert report(project)["counts"]["translated"] == 4
    assert (len(batches.batches), len(batches.paid)) == (1, 4)


@pytest.mark.parametrize("options", [(), ("--batch",)])
def test_a_request_that_no_server_takes_is_named_and_can_be_given_up(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    def failing(call: Call) -> Answer:
        model, mode, family = asked(call)
        bad = family == "B" if model == "writer" else (family, mode) == ("A", "general")
        return error(400, "too long for this model") if bad else well(call)

    batches = Batches()
    batches.behave = failing  # type: ignore[method-assign]
    with Loopback(batches if options else failing) as server:
        project = quick(tmp_path, server.url)
        plan = (project.written("small-llm") / "plan.csv", read_plan)
        code, said = verb(project, *options)
        # The same every time: the stage does not get past it by itself.
        assert (code, verb(project, *options)[0]) == (1, 1)
        failed = [line for line in said.splitlines() if " failed: HTTP 400: too long" in line]
        assert failed
        assert all("generate/B:" in line for line in failed)
        assert "--accept-failures" in said
        assert not (project.written("small-llm") / "candidates.parquet").exists()
        code, said = verb(project, *options, "--accept-failures")
        assert code == 0, said
    planned = plan[1](plan[0])
    lost = Counter(
        "generation_failed" if family == "B" else "verification_failed"
        for family, mode in planned
        if family == "B" or (family, mode) == ("A", "general")
    )
    assert lost["generation_failed"]
    counts = made(project)
    assert {key: n for key, n in counts["skipped"].items() if n} == lost
    assert counts["planned"] == 4 == counts["queries"] + sum(lost.values())
    rows = read_parquet(project.written("small-llm") / "candidates.parquet").to_pylist()
    reasons = {row["generation_reason"] for row in rows if row["family"] == "B"}
    assert reasons == {"HTTP 400: too long for this model"}
    # What was given up replays, without a server, a key or the option.
    before = outputs(project)
    environment = {key: value for key, value in os.environ.items() if key != "LOOPBACK_KEY"}
    subprocess.run([*VERB, "--offline"], cwd=tmp_path, env=environment, check=True)
    assert outputs(project) == before
    with Recordings(project.recording("small-llm", "generate")) as recordings:
        lines = [recordings.get(key) for key in recordings]
    given_up = [line for line in lines if line is not None and line.outcome == "failed"]
    assert len(given_up) == len(failed)
    assert given_up[0].response == {"error": {"message": "HTTP 400: too long for this model"}}


def read_plan(path: Path) -> list[tuple[str, str]]:
    """(family, mode) of each planned query."""
    lines = path.read_text("utf-8").splitlines()[1:]
    return [(line.split(":")[0], line.split(",")[0].split(":")[2]) for line in lines]
