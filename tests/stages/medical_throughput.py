"""How fast ``isogloss medical answer`` is: ``python tests/stages/medical_throughput.py``.

A server process on loopback answers each call after 20 ms. The same 9,000 prompts, 1,000 items in
nine languages, go through bare AsyncOpenAI, which parses each reply and drops it, and through the
whole stage, which reads the items, records and syncs every reply, finds the letters and writes the
answers; in turn, so that both meet the same machine. Then 9,000 verdicts are parsed and scored.
"""

import argparse
import asyncio
import contextlib
import io
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from openai import AsyncOpenAI

sys.path.insert(0, str(Path(__file__).parent.parent))

from isogloss.llm.chat_requests import ChatRequest
from isogloss.medical.answerers import answerer
from isogloss.medical.answering import answer_requests
from isogloss.medical.panel import LANGUAGES
from isogloss.project import Project
from isogloss.settings import Settings
from isogloss.stages import medical_answer, medical_score
from isogloss.stages.medical_inputs import arm_items
from stages.medical_project import MCQA, item, verdict, write


def project_at(folder: Path, url: str, items: int, concurrency: int) -> Project:
    english = [
        item(f"mcqa-headqa-{number:04d}", "MCQA", "headqa", MCQA.format(dose=number), "A")
        for number in range(items)
    ]
    others = [language for language in LANGUAGES if language != "en"]
    chat = {"answerers": {"own": {"name": "own", "base_url": url}}, "concurrency": concurrency}
    settings = {"run": {}, "chat": chat, "medical": {"languages": others, "models": ["own"]}}
    project = Project(folder, Settings.model_validate(settings))
    write(folder / "data" / "medical" / "items.jsonl", english)
    for language in others:
        write(project.translations(language), [{**one, "language": language} for one in english])
    return project


async def bare(url: str, requests: Sequence[ChatRequest], concurrency: int) -> None:
    client = AsyncOpenAI(api_key="none", base_url=url, max_retries=0)
    queue = iter(requests)

    async def work() -> None:
        for request in queue:
            turns: list[Any] = [{"role": m.role, "content": m.content} for m in request.messages]
            await client.chat.completions.create(model=request.model, messages=turns)

    await asyncio.gather(*(work() for _ in range(concurrency)))
    await client.close()


def answering(url: str, options: argparse.Namespace) -> None:
    ratios = []
    for _ in range(options.rounds):
        with tempfile.TemporaryDirectory() as name:
            project = project_at(Path(name), url, options.items, options.concurrency)
            endpoint = answerer("own", project.settings.chat.answerers).endpoint
            assert endpoint is not None
            requests = answer_requests(arm_items(project, "mt"), endpoint, "mt")
            begun = time.perf_counter()
            asyncio.run(bare(url, requests, options.concurrency))
            plain = time.perf_counter() - begun
            begun = time.perf_counter()
            medical_answer.run(project, "own", "mt")
            ours = time.perf_counter() - begun
        ratios.append(ours / plain)
        said = f"bare {plain:.1f} s, stage {ours:.1f} s, {ours / plain:.2f}x"
        print(f"{len(requests)} items: {said}", flush=True)
    print(f"median {statistics.median(ratios):.2f}x, best {min(ratios):.2f}x")


def judging(items: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = [
            {**item(f"qa-liveqa-{number:04d}", "QA", "liveqa", "Why?", "So."), "language": language}
            for language in LANGUAGES
            for number in range(items)
        ]
        keys = [
            {"model": "own", "arm": "reviewed", "language": row["language"], "id": row["id"]}
            for row in rows
        ]
        write(folder / "items.jsonl", rows)
        write(folder / "answers.jsonl", [{**k, "text": "So.", "outcome": "answered"} for k in keys])
        texts = [verdict(score) for score in (2, 3, 4, 5)]
        verdicts = [{**key, "verdict": texts[n % 4]} for n, key in enumerate(keys)]
        write(folder / "verdicts.jsonl", verdicts)
        begun = time.perf_counter()
        with contextlib.redirect_stdout(io.StringIO()):
            medical_score.run(
                folder / "items.jsonl",
                folder / "answers.jsonl",
                folder / "out",
                verdicts=folder / "verdicts.jsonl",
            )
        took = time.perf_counter() - begun
        scores = json.loads((folder / "out" / "scores.json").read_text("utf-8"))
        assert scores["arms"]["reviewed"]["qa"]["macro"]["own"]["en"]["value"] == 3.5
    print(f"{len(verdicts)} verdicts parsed and scored in {took:.2f} s, reading the files included")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=1000)
    parser.add_argument("--concurrency", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--delay", type=float, default=0.02)
    options = parser.parse_args()
    loopback = Path(__file__).parent.parent / "llm" / "loopback.py"
    command = [sys.executable, str(loopback), "--delay", str(options.delay), "--reply", "B"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        answering(f"http://127.0.0.1:{server.stdout.readline().strip()}/v1", options)
    finally:
        server.terminate()
    judging(options.items)


if __name__ == "__main__":
    main()
