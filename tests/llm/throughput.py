"""How much of bare AsyncOpenAI the door keeps: ``python tests/llm/throughput.py``.

A server process on loopback answers each call after 50 ms; 2,000 calls at concurrency 64 go
through the bare client and through `ask`, in turn, so that both meet the same machine. The door
reads, classifies, records and syncs every reply; the bare client parses it and drops it.
"""

import argparse
import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from openai import AsyncOpenAI

from isogloss.llm.chat_models import ChatModelSettings
from isogloss.llm.chat_requests import Message, chat_request
from isogloss.llm.door import ask
from isogloss.llm.recordings import Recordings


async def bare(url: str, calls: int, concurrency: int) -> float:
    client = AsyncOpenAI(api_key="none", base_url=url, max_retries=0)
    queue = iter(range(calls))

    async def work() -> None:
        for number in queue:
            await client.chat.completions.create(
                model="loopback", messages=[{"role": "user", "content": f"question {number}"}]
            )

    started = time.perf_counter()
    await asyncio.gather(*(work() for _ in range(concurrency)))
    took = time.perf_counter() - started
    await client.close()
    return calls / took


def door(url: str, calls: int, concurrency: int, folder: Path) -> float:
    model = ChatModelSettings(name="loopback", base_url=url)
    requests = [
        chat_request(model, [Message("user", f"question {number}")], replicate="")
        for number in range(calls)
    ]
    started = time.perf_counter()
    with Recordings(folder / f"{time.monotonic_ns()}.jsonl") as recordings:
        ask(requests, model, recordings, concurrency=concurrency)
    return calls / (time.perf_counter() - started)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--concurrency", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--delay", type=float, default=0.05)
    options = parser.parse_args()
    command = [sys.executable, str(Path(__file__).with_name("loopback.py"))]
    server = subprocess.Popen(
        [*command, "--delay", str(options.delay)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        url = f"http://127.0.0.1:{server.stdout.readline().strip()}/v1"
        ratios = []
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(options.rounds):
                plain = asyncio.run(bare(url, options.calls, options.concurrency))
                ours = door(url, options.calls, options.concurrency, Path(folder))
                ratios.append(ours / plain)
                print(f"bare {plain:.0f}/s, door {ours:.0f}/s, ratio {ours / plain:.2f}")
        print(f"median ratio {statistics.median(ratios):.2f}")
    finally:
        server.terminate()


if __name__ == "__main__":
    main()
