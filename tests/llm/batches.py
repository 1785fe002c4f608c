"""The batch endpoints of a chat server on loopback, with results as a test wants them."""

import json
import re
from collections.abc import Callable
from typing import Any

from llm.loopback import Answer, Call, answer, error

Lines = list[dict[str, Any]]


def line(custom_id: str, body: dict[str, Any], status: int = 200) -> dict[str, Any]:
    """One line of an output file."""
    return {"id": "r", "custom_id": custom_id, "response": {"status_code": status, "body": body}}


class BatchServer:
    """Answers each request of a batch by `chat`, and each line list by `arrange`.

    Args:
        chat: What the model says to the text of the last message.
        arrange: Reorders, repeats, drops or adds result lines.
        looks: A batch ends at this look.
        status: What it ends as.
    """

    def __init__(
        self,
        chat: Callable[[str], Answer] = lambda said: answer(f"echo {said}"),
        arrange: Callable[[Lines], Lines] = lambda lines: lines,
        looks: int = 2,
        status: str = "completed",
    ) -> None:
        self.chat = chat
        self.arrange = arrange
        self.looks = looks
        self.status = status
        self.files: dict[str, bytes] = {}
        self.batches: list[dict[str, Any]] = []
        self.paid: list[str] = []
        self.lose_creation = False
        self.down = False

    def __call__(self, call: Call) -> Answer:
        path = call.path.removeprefix("/v1").partition("?")[0]
        if self.down:
            return error(400, "down for tests")
        if (call.method, path) == ("POST", "/files"):
            content = re.search(rb"\r\n\r\n({.*?})\n\r\n--", call.body, re.DOTALL)
            assert content is not None
            return self.json(self.keep(content.group(1)), object="file")
        if (call.method, path) == ("POST", "/batches"):
            return self.create(call.json)
        if path == "/batches":
            return self.json("list", object="list", data=self.batches[::-1], has_more=False)
        if path.startswith("/batches/"):
            return self.look(path.removeprefix("/batches/"))
        return Answer(self.files[path.split("/")[2]])

    def json(self, name: str, **fields: Any) -> Answer:
        return Answer(json.dumps({"id": name, **fields}).encode())

    def keep(self, content: bytes) -> str:
        self.files[f"file-{len(self.files)}"] = content
        return f"file-{len(self.files) - 1}"

    def create(self, asked: dict[str, Any]) -> Answer:
        batch = {**asked, "id": f"batch-{len(self.batches)}", "object": "batch", "looks": 0}
        batch |= {"status": "in_progress", "created_at": 1}
        self.batches.append(batch)
        lines = []
        for text in self.files[asked["input_file_id"]].splitlines():
            request = json.loads(text)
            assert (request["method"], request["url"]) == ("POST", "/v1/chat/completions")
            self.paid.append(request["body"]["messages"][-1]["content"])
            reply = self.reply(request["body"])
            lines.append(line(request["custom_id"], json.loads(reply.body), reply.status))
        good = [entry for entry in lines if entry["response"]["status_code"] == 200]
        bad = [entry for entry in lines if entry not in good]
        batch["output"] = self.keep(
            "\n".join(json.dumps(entry) for entry in self.arrange(good)).encode()
        )
        batch["errors_file"] = self.keep("\n".join(map(json.dumps, bad)).encode())
        if self.lose_creation:
            self.down = True
            return Answer(b"", cut=0)
        return Answer(json.dumps(batch).encode())

    def reply(self, body: dict[str, Any]) -> Answer:
        """What one request of a batch comes to."""
        return self.chat(body["messages"][-1]["content"])

    def look(self, name: str) -> Answer:
        batch = self.batches[int(name.removeprefix("batch-"))]
        batch["looks"] += 1
        if batch["looks"] >= self.looks:
            batch["status"] = self.status
            batch["output_file_id"] = batch["output"]
            batch["error_file_id"] = batch["errors_file"]
            if self.status == "failed":
                batch["errors"] = {"object": "list", "data": [{"message": "bad file"}]}
        return Answer(json.dumps(batch).encode())
