"""Asking 9,000 medical items over a loopback server, and scoring what comes back."""

import asyncio
import atexit
import contextlib
import io
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from openai import AsyncOpenAI

from benchmarks.measure import ROOT
from isogloss.files import json_bytes, write_jsonl
from isogloss.llm.chat_requests import ChatRequest
from isogloss.medical.answerers import answerer
from isogloss.medical.answering import answer_requests
from isogloss.medical.data import load
from isogloss.medical.judging import judge_schema
from isogloss.medical.panel import LANGUAGES, models_asked
from isogloss.project import Project
from isogloss.settings import Settings
from isogloss.stages import medical_answer, medical_score
from isogloss.stages.medical_inputs import arm_items

IDS = 1000
DELAY = 0.02
CONCURRENCY = 16
MODEL = "own"
CHOICE = (
    "Question: A patient of {number} years takes one tablet a day. Which drug is it?\n"
    "Options:\nA: Aspirin\nB: Insulin\nC: Iron\nD: Morphine"
)
PAIR = (
    "Premise: The patient of case {number} takes iron.\nHypothesis: The stools are dark.\n"
    "Options:\nA: Entailment\nB: Neutral\nC: Contradiction"
)
INPUTS = {"MCQA": CHOICE, "NLI": PAIR, "QA": "Why is case {number} harmless?"}
_places = count()


def _item(dataset: str, task: str, number: int, language: str) -> dict[str, str]:
    return {
        "id": f"{task.lower()}-{dataset}-{number:04d}", "language": language, "task": task,
        "source_dataset": dataset,
        "input": INPUTS[task].format(number=number),
        "target": "It is known." if task == "QA" else "ABC"[number % 3],
    }  # fmt: skip


def _folder() -> Path:
    """A new, empty folder; all of them go when the process ends."""
    return Path(_root(), str(next(_places)))


@cache
def _root() -> str:
    made = tempfile.TemporaryDirectory()
    atexit.register(made.cleanup)
    return made.name


def _server() -> str:
    """A server process that answers every call with a letter after 20 ms."""
    command = [sys.executable, str(ROOT / "tests" / "llm" / "loopback.py"), "--reply", "B"]
    server = subprocess.Popen([*command, "--delay", str(DELAY)], stdout=subprocess.PIPE, text=True)
    atexit.register(server.terminate)
    assert server.stdout is not None
    return f"http://127.0.0.1:{server.stdout.readline().strip()}/v1"


def _project(url: str) -> Project:
    others = [language for language in LANGUAGES if language != "en"]
    chat = {"answerers": {MODEL: {"name": MODEL, "base_url": url}}, "concurrency": CONCURRENCY}
    medical = {"languages": others, "models": [MODEL]}
    project = Project(
        _folder(), Settings.model_validate({"run": {}, "chat": chat, "medical": medical})
    )
    for language in LANGUAGES:
        own = project.root / "data" / "medical" / "items.jsonl"
        path = own if language == "en" else project.translations(language)
        write_jsonl(path, (_item("headqa", "MCQA", number, language) for number in range(IDS)))
    return project


def bare() -> Callable[[], None]:
    """AsyncOpenAI alone: the same prompts, each reply parsed and dropped."""
    url = _server()
    project = _project(url)
    endpoint = answerer(MODEL, project.settings.chat.answerers).endpoint
    assert endpoint is not None
    requests = answer_requests(arm_items(project, "mt"), endpoint, "mt")
    return lambda: asyncio.run(_ask(url, requests))


async def _ask(url: str, requests: Sequence[ChatRequest]) -> None:
    client = AsyncOpenAI(api_key="none", base_url=url, max_retries=0)
    queue = iter(requests)

    async def work() -> None:
        for request in queue:
            turns: list[Any] = [{"role": m.role, "content": m.content} for m in request.messages]
            await client.chat.completions.create(model=request.model, messages=turns)

    await asyncio.gather(*(work() for _ in range(CONCURRENCY)))
    await client.close()


def answer() -> Callable[[], None]:
    """The whole stage: items read, replies recorded and synced, letters found, answers written."""
    url = _server()
    projects = iter([_project(url) for _ in range(9)])

    def work() -> None:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            medical_answer.run(next(projects), MODEL, "mt")

    return work


def verdicts() -> Callable[[], None]:
    """9,000 verdicts read, parsed, checked and scored with all intervals."""
    folder = _folder()
    rows = [_item("liveqa", "QA", n, language) for language in LANGUAGES for n in range(IDS)]
    keys = [_key(row, MODEL) for row in rows]
    rng = random.Random(5)
    write_jsonl(folder / "items.jsonl", rows)
    write_jsonl(
        folder / "answers.jsonl", ({**key, "text": "So.", "outcome": "answered"} for key in keys)
    )
    write_jsonl(folder / "verdicts.jsonl", ({**key, "verdict": _verdict(rng)} for key in keys))
    return lambda: _score(folder, verdicts=folder / "verdicts.jsonl")


def scores() -> Callable[[], None]:
    """14 models x 9,000 answers scored with all intervals."""
    folder = _folder()
    datasets = [(key, one["task"]) for key, one in load("panel")["datasets"].items()]
    rows = [
        _item(*datasets[number % len(datasets)], number, language)
        for language in LANGUAGES
        for number in range(IDS)
    ]
    rng = random.Random(5)
    write_jsonl(folder / "items.jsonl", rows)
    write_jsonl(
        folder / "answers.jsonl",
        (
            {**_key(row, model), "text": f"Answer: {rng.choice('ABCD')}", "outcome": "answered"}
            for model in models_asked("choice")
            for row in rows
        ),
    )
    return lambda: _score(folder)


def _key(row: dict[str, str], model: str) -> dict[str, str]:
    return {"model": model, "arm": "reviewed", "language": row["language"], "id": row["id"]}


def _verdict(rng: random.Random) -> str:
    content: dict[str, Any] = {}
    for group, schema in judge_schema()["properties"].items():
        for key, part in schema["properties"].items():
            name = "score" if "score" in part["properties"] else "label"
            value = rng.choice(part["properties"][name]["enum"])
            reason = "The answer covers the main point of the reference and adds nothing wrong."
            content.setdefault(group, {})[key] = {name: value, "justification": reason}
    return json_bytes(content).decode()


def _score(folder: Path, verdicts: Path | None = None) -> None:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        medical_score.run(
            folder / "items.jsonl", folder / "answers.jsonl", folder / "out", verdicts=verdicts
        )
