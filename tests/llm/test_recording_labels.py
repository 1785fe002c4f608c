"""A recorded line answers the request of its key and its replicate label, and no other."""

import json
from pathlib import Path

import pytest
from chats import model_at
from loopback import Answer, Call, Loopback, answer

from isogloss.llm.chat_models import ChatModelSettings
from isogloss.llm.chat_requests import ChatRequest, Message, chat_request
from isogloss.llm.door import ask
from isogloss.llm.faults import OfflineError
from isogloss.llm.recordings import Recordings


def echo(call: Call) -> Answer:
    return answer(f"echo {call.said}")


def labelled(model: ChatModelSettings, *texts: str) -> list[ChatRequest]:
    return [chat_request(model, [Message("user", text)], replicate=f"t/{text}") for text in texts]


def swap_keys(path: Path) -> None:
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    lines[0]["key"], lines[1]["key"] = lines[1]["key"], lines[0]["key"]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")


def test_swapped_keys_replay_nothing_and_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "r.jsonl"
    with Loopback(echo) as server, Recordings(path) as recordings:
        model = model_at(server.url)
        ask(labelled(model, "a", "b", "c"), model, recordings, concurrency=1)
    swap_keys(path)
    with pytest.raises(OfflineError, match=r"r\.jsonl.*line 2 .* is of 't/b' and not of 't/a'"):
        ask(labelled(model, "a", "b", "c"), model, Recordings(path), offline=True)
    assert "2 lines are of another request" in capsys.readouterr().err
    whole = ask(labelled(model, "c"), model, Recordings(path), offline=True)
    assert whole[0].text == "echo c"


def test_they_are_asked_again_once_and_replay_from_then_on(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    with Loopback(echo) as server, Recordings(path) as recordings:
        model = model_at(server.url)
        ask(labelled(model, "a", "b"), model, recordings)
    swap_keys(path)
    with Loopback(echo) as server, Recordings(path) as recordings:
        model = model_at(server.url)
        replies = ask(labelled(model, "a", "b"), model, recordings)
        assert [reply.text for reply in replies] == ["echo a", "echo b"]
        assert len(server.calls) == 2
    again = ask(labelled(model, "a", "b"), model, Recordings(path), offline=True)
    assert [reply.text for reply in again] == ["echo a", "echo b"]
    assert Recordings(path).repeated == 0
    assert len(path.read_bytes().splitlines()) == 4
