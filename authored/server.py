"""An OpenAI-compatible server on loopback that recites what was written beforehand."""

import json
from collections import defaultdict, deque
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from isogloss.llm.chat_requests import ChatRequest
from isogloss.llm.wire import request_body


class Reciter:
    """Recites to whoever asks: ``with Reciter() as reciter: reciter.url``.

    Nothing in a response depends on the time or on the machine, so that recordings can be made
    again to the last byte.

    Attributes:
        asked: How many requests were answered.
    """

    def __init__(self) -> None:
        self.asked = 0
        # Documents of one text ask alike: their replies go out in the order of the requests.
        self._replies: dict[str, deque[str]] = defaultdict(deque)

    def learn(
        self, requests: Iterable[ChatRequest], replies: Iterable[dict[str, Any] | str]
    ) -> None:
        """Take in what to reply to each request: an object as JSON, a text as it is."""
        for request, reply in zip(requests, replies, strict=True):
            text = reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)
            self._replies[_asked(request_body(request, structured=True))].append(text)

    @property
    def unasked(self) -> int:
        """How many replies nobody has asked for."""
        return sum(map(len, self._replies.values()))

    def answer(self, body: dict[str, Any]) -> bytes | None:
        """The response to a request, None where nothing was written for it."""
        before = body["messages"][-2:-1]
        if before and before[0]["role"] == "assistant":
            # Asked to repair a reply, one who recites says the same again.
            self.asked += 1
            return _encoded(body, before[0]["content"])
        replies = self._replies.get(_asked(body))
        if not replies:
            return None
        self.asked += 1
        return _encoded(body, replies.popleft())

    def __enter__(self) -> "Reciter":
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def _asked(body: dict[str, Any]) -> str:
    return json.dumps([body["model"], body["messages"]], sort_keys=True)


def _encoded(body: dict[str, Any], text: str) -> bytes:
    return json.dumps(_completion(body["model"], text), ensure_ascii=False).encode()


def _completion(model: str, text: str) -> dict[str, Any]:
    # No model worked, so no token was used.
    return {
        "id": "authored",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": text},
            }
        ],
        "usage": {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
    }


def _handler(reciter: Reciter) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Head and body in one packet: else each response waits for an acknowledgement.
        wbufsize = -1
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            found = reciter.answer(json.loads(self.rfile.read(length)))
            body = found or b'{"error": {"message": "nothing was written for this request"}}'
            self.send_response(400 if found is None else 200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    return Handler
