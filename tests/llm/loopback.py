"""An HTTP/1.1 chat server on loopback that answers, or misbehaves, as a test tells it to.

Run by hand or by a test as a process of its own: ``python loopback.py --delay 0.05 --log FILE``
prints its port, answers every chat request, and writes a line per request it was sent.
"""

import argparse
import asyncio
import json
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Call:
    """A request as the server saw it; `nth` counts equal bodies on one path, from 1."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    nth: int

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def said(self) -> str:
        """The content of the last message."""
        return self.json["messages"][-1]["content"]


@dataclass(frozen=True)
class Answer:
    """What goes back; `cut` sends only so many bytes of the body and closes the connection."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    cut: int | None = None


def completion(text: str | None, finish: str = "stop", **message: Any) -> dict[str, Any]:
    """A chat completion with one choice, ten tokens in and five out."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "loopback",
        "choices": [
            {
                "index": 0,
                "finish_reason": finish,
                "message": {"role": "assistant", "content": text, **message},
            }
        ],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }


def answer(text: str | None, finish: str = "stop", delay: float = 0.0, **message: Any) -> Answer:
    body = json.dumps(completion(text, finish, **message), ensure_ascii=False).encode()
    return Answer(body, delay=delay)


def error(status: int, message: str, code: str | None = None, **headers: str) -> Answer:
    body = json.dumps({"error": {"message": message, "type": "error", "code": code}}).encode()
    return Answer(body, status, {key.replace("_", "-"): value for key, value in headers.items()})


Behaviour = Callable[[Call], Answer]


class Connection(asyncio.Protocol):
    """One keep-alive connection; requests on it are answered in turn."""

    def __init__(self, server: "Loopback") -> None:
        self.server = server
        self.buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: Any = transport
        self.server.connections += 1

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        head, found, rest = self.buffer.partition(b"\r\n\r\n")
        if not found:
            return
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {
            name.lower(): value.strip() for name, _, value in (x.partition(":") for x in lines)
        }
        length = int(headers.get("content-length", 0))
        if len(rest) < length:
            return
        self.buffer = rest[length:]
        method, path, _ = first.split(" ", 2)
        reply = self.server.answer(method, path, headers, rest[:length])
        asyncio.get_running_loop().call_later(reply.delay, self.send, reply)

    def send(self, reply: Answer) -> None:
        headers = {"content-type": "application/json", **reply.headers}
        headers["content-length"] = str(len(reply.body))
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        head = f"HTTP/1.1 {reply.status} X\r\n{lines}\r\n".encode()
        body = reply.body if reply.cut is None else reply.body[: reply.cut]
        if not self.transport.is_closing():
            self.transport.write(head + body)
            if reply.cut is not None:
                self.transport.close()


class Loopback:
    """The server, in a thread of its own: ``with Loopback(behave) as server: server.url``."""

    def __init__(self, behave: Behaviour, log: Path | None = None) -> None:
        self.behave = behave
        self.calls: list[Call] = []
        self.connections = 0
        self._seen: Counter[tuple[str, bytes]] = Counter()
        self._log = log.open("ab", buffering=0) if log else None
        self._loop = asyncio.new_event_loop()

    def answer(self, method: str, path: str, headers: dict[str, str], body: bytes) -> Answer:
        self._seen[path, body] += 1
        call = Call(method, path, headers, body, self._seen[path, body])
        self.calls.append(call)
        if self._log:
            self._log.write(call.said.encode() + b"\n")
        return self.behave(call)

    async def listen(self) -> int:
        listening = await self._loop.create_server(lambda: Connection(self), "127.0.0.1", 0)
        return int(listening.sockets[0].getsockname()[1])

    def __enter__(self) -> "Loopback":
        port = self._loop.run_until_complete(self.listen())
        self.url = f"http://127.0.0.1:{port}/v1"
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--delay", type=float, default=0.0)
    parser.add_argument("--log", type=Path)
    parser.add_argument("--reply", help="What to answer; the last message is echoed without it.")
    options = parser.parse_args()

    def reply(call: Call) -> Answer:
        return answer(options.reply or f"echo {call.said}", delay=options.delay)

    server = Loopback(reply, options.log)
    port = server._loop.run_until_complete(server.listen())
    print(port, flush=True)
    server._loop.run_forever()


if __name__ == "__main__":
    main()
