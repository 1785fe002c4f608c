"""Killed with SIGKILL at ten seeded points, then run again: what an undisturbed run gives."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
KEYS = {"embed": "tables", "evaluate": "runs", "ingest": "rows"}
HELD = {
    # No staging table is left, whatever was staged when the process died.
    "embed": lambda tables: len(tables) == 2 and not any("staging" in one for one in tables),
    "evaluate": lambda runs: runs == ["FINISHED"],
    "ingest": lambda rows: rows == 2 * 100,
}


@pytest.mark.slow
@pytest.mark.parametrize("verb", KEYS)
def test_a_killed_stage_run_again_gives_what_an_undisturbed_one_gives(
    tmp_path: Path, verb: str
) -> None:
    environment = {key: value for key, value in os.environ.items() if key[:7] != "MLFLOW_"}
    environment |= {"OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
    done = subprocess.run(
        [sys.executable, str(HERE / "killing.py"), str(tmp_path), verb, "20261130"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert HELD[verb](told["undisturbed"][KEYS[verb]]), told["undisturbed"]
    assert [one["ended"] for one in told["tries"]] == [-signal.SIGKILL] * 10
    for one in told["tries"]:
        assert (one["again"], one["found"]) == (0, told["undisturbed"]), one["point"]


@pytest.mark.slow
def test_of_two_embeds_of_one_table_the_second_says_so_and_waits(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(HERE / "two_embeds.py"), str(tmp_path)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    first, second, tables, *said = done.stdout.splitlines()
    assert (first, second) == ("0", "0")
    assert "staging" not in tables
    told = "\n".join(said)
    assert told.count("document texts: 30 embedded, 0 reused") == 1
    assert told.count("document texts: 0 embedded, 30 reused") == 1
    assert "documents: another process is writing it; waiting for it" in told
