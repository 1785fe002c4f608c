"""The door over a real server on loopback that answers well."""

import asyncio
import json
import random
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from chats import SCORE, SECRET, model_at, questions
from loopback import Answer, Call, Loopback, answer

from isogloss.errors import SettingsError, UsageError
from isogloss.llm.budget import Budget, BudgetSettings
from isogloss.llm.chat_models import ChatModelSettings
from isogloss.llm.chat_requests import Message, chat_request
from isogloss.llm.door import ask
from isogloss.llm.faults import MissingKeyError, OfflineError, RecordingError, StoppedError
from isogloss.llm.outcomes import Outcome
from isogloss.llm.recordings import Recordings
from isogloss.llm.replies import tally


def echo(call: Call) -> Answer:
    return answer(f"echo {call.said}")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "recordings.jsonl"


def test_replies_come_in_the_order_of_the_requests_and_replay_without_key_or_call(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Loopback(echo) as server, Recordings(path) as recordings:
        model = model_at(server.url)
        requests = questions(model, "b", "a", "é")
        replies = ask(requests, model, recordings)
        assert [reply.text for reply in replies] == ["echo b", "echo a", "echo é"]
        assert server.calls[0].path == "/v1/chat/completions"
        assert server.calls[0].headers["authorization"] == f"Bearer {SECRET}"
        written = path.read_bytes()
    monkeypatch.delenv("LOOPBACK_KEY")
    budget = Budget()
    again = ask(requests, model, Recordings(path), offline=True, budget=budget)
    assert [reply.text for reply in again] == ["echo b", "echo a", "echo é"]
    assert all(reply.replayed for reply in again)
    assert (budget.calls, budget.replayed) == (0, 3)
    assert path.read_bytes() == written
    assert SECRET.encode() not in written


@pytest.mark.parametrize("case", ["L05"], indirect=True)
def test_l05_equal_requests_are_refused_and_replicates_are_not(
    case: dict[str, Any], path: Path
) -> None:
    with Loopback(echo) as server, Recordings(path) as recordings:
        model = model_at(server.url)
        with pytest.raises(UsageError, match="requests 1 and 2 are equal"):
            ask(questions(model, *case["03"]["input"]["requests"]), model, recordings)
        arms = [
            chat_request(model, [Message("user", "q1")], replicate=f"answer/{arm}/0")
            for arm in ("mt", "reviewed")
        ]
        assert len({reply.key for reply in ask(arms, model, recordings)}) == 2
        assert len(server.calls) == 2


@pytest.mark.parametrize("case", ["L05"], indirect=True)
def test_l05_many_workers_and_random_delays_give_the_table_of_one_worker(
    case: dict[str, Any], tmp_path: Path
) -> None:
    assert case["06"]["expected"] == "same table as with one worker"
    delays = random.Random(5)

    def slowly(call: Call) -> Answer:
        return answer(f"echo {call.said}", delay=delays.random() * 0.02)

    tables = []
    with Loopback(slowly) as server:
        model = model_at(server.url)
        requests = questions(model, *(f"q{number}" for number in range(100)))
        for workers in (8, 1):
            with Recordings(tmp_path / f"{workers}.jsonl") as recordings:
                replies = ask(requests, model, recordings, concurrency=workers)
                tables.append([(reply.key, reply.text) for reply in replies])
    assert tables[0] == tables[1]
    assert tables[0] == [(r.key, f"echo q{n}") for n, r in enumerate(requests)]


def test_calls_in_flight_never_exceed_the_concurrency(path: Path) -> None:
    with Loopback(lambda call: answer("yes", delay=0.005)) as server:
        model = model_at(server.url)
        requests = questions(model, *(f"q{number}" for number in range(60)))
        with Recordings(path) as recordings:
            ask(requests, model, recordings, concurrency=7)
        assert server.connections <= 7


def test_offline_names_the_first_request_that_is_not_recorded(path: Path) -> None:
    model = model_at("http://127.0.0.1:9/v1")
    requests = questions(model, "a", "b")
    with pytest.raises(OfflineError, match=f"{requests[0].key[:12]} .test/0.* and 1 more"):
        ask(requests, model, Recordings(path), offline=True)
    assert not path.exists()


def test_a_missing_key_is_named_before_anything_is_sent(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.delenv("LOOPBACK_KEY")
    with Loopback(echo) as server, Recordings(path) as recordings:
        model = model_at(server.url)
        with pytest.raises(MissingKeyError, match="LOOPBACK_KEY"):
            ask(questions(model, "a"), model, recordings)
        keyless = model_at(server.url, api_key_env=None)
        ask(questions(keyless, "a"), keyless, recordings)
        # A key for elsewhere is never sent to a server that takes none.
        assert server.calls[0].headers["authorization"] == "Bearer none"


def test_azure_is_reached_by_its_deployment(path: Path) -> None:
    with Loopback(echo) as server, Recordings(path) as recordings:
        url = server.url.removesuffix("/v1")
        model = model_at(url, kind="azure", api_version="2024-10-21")
        assert ask(questions(model, "a"), model, recordings)[0].text == "echo a"
        path_seen = "/openai/deployments/loopback/chat/completions?api-version=2024-10-21"
        assert server.calls[0].path == path_seen
        assert server.calls[0].headers["api-key"] == SECRET


def test_it_may_be_called_where_an_event_loop_runs(path: Path) -> None:

    with Loopback(echo) as server, Recordings(path) as recordings:
        model = model_at(server.url)

        async def call() -> str:
            return ask(questions(model, "a"), model, recordings)[0].text

        assert asyncio.run(call()) == "echo a"


@pytest.mark.parametrize(
    ("limit", "most"),
    [({"calls": 10}, 10), ({"tokens": 150}, 11), ({"money": 0.001}, 11)],
)
def test_a_budget_stops_cleanly_and_the_next_run_repays_nothing(
    path: Path, limit: dict[str, Any], most: int
) -> None:
    with Loopback(lambda call: answer(f"echo {call.said}", delay=0.002)) as server:
        # Ten tokens in and five out are 0.0001 a call.
        model = model_at(server.url, input_price=4.0, output_price=12.0)
        requests = questions(model, *(f"q{number}" for number in range(30)))
        budget = Budget(BudgetSettings(**limit))
        with (
            Recordings(path) as recordings,
            pytest.raises(StoppedError, match=r"budget of .* reached; \d+ of 30") as caught,
        ):
            ask(requests, model, recordings, budget=budget, concurrency=4)
        paid = len(server.calls)
        assert 10 <= paid <= most
        assert len(Recordings(path)) == paid
        assert sum(reply is not None for reply in caught.value.replies) == paid
        assert budget.money == pytest.approx(paid * 1e-4)
        with Recordings(path) as recordings:
            replies = ask(requests, model, recordings)
        assert [reply.text for reply in replies] == [f"echo q{n}" for n in range(30)]
        assert len(server.calls) == 30
        assert tally(replies)["answered"] == 30


def test_a_budget_of_money_needs_prices(path: Path) -> None:
    model = model_at("http://127.0.0.1:9/v1")
    with Recordings(path) as recordings, pytest.raises(SettingsError, match="input_price"):
        ask(questions(model, "a"), model, recordings, budget=Budget(BudgetSettings(money=1.0)))


def test_the_cost_line_counts_everything(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Loopback(echo) as server, Recordings(path) as recordings:
        model = model_at(server.url, input_price=4.0, output_price=12.0)
        ask(questions(model, "a"), model, recordings)
        ask(questions(model, "a", "b"), model, recordings, progress="Asking")
    line = "Asking: 1 calls (0 retries), 1 replayed; 10 tokens in, 5 out; 0.0001 spent"
    assert line in capsys.readouterr().err


def test_a_recorded_refusal_in_plain_text_stands(path: Path) -> None:
    model = ChatModelSettings(name="maintainers")
    (request,) = questions(model, "q")
    body = json.dumps({"choices": [{"message": {"content": "I would rather not."}}]}).encode()
    with Recordings(path) as recordings:
        recordings.append(request.key, request.replicate, Outcome.REFUSED, 1, body)
        (reply,) = ask([request], model, recordings, offline=True)
    assert (reply.outcome, reply.text) == (Outcome.REFUSED, "I would rather not.")


def test_a_schema_gives_values_and_reasoning_is_kept(path: Path) -> None:
    def judge(call: Call) -> Answer:
        return answer('```json\n{"score": 4}\n```', reasoning_content="It is good.")

    with Loopback(judge) as server, Recordings(path) as recordings:
        model = model_at(server.url)
        (reply,) = ask(questions(model, "q", schema=SCORE), model, recordings)
        assert (reply.value, reply.reasoning) == ({"score": 4}, "It is good.")
        assert server.calls[0].json["response_format"]["json_schema"]["schema"] == SCORE


def test_a_run_without_workers_is_refused(path: Path) -> None:
    model = model_at("http://127.0.0.1:9/v1")
    with pytest.raises(UsageError, match="concurrency"):
        ask(questions(model, "a"), model, Recordings(path), concurrency=0)


def test_the_door_opens_without_the_chat_library_until_a_call_is_made() -> None:
    program = (
        "import sys, isogloss.llm.door, isogloss.llm.batch; "
        "print({'openai', 'httpx2', 'jsonschema'} & sys.modules.keys())"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ran.stdout.strip() == "set()", ran.stderr


def test_a_disk_that_fills_up_ends_the_run_and_keeps_what_was_written(path: Path) -> None:
    with Loopback(echo) as server, Recordings(path) as recordings:
        model = model_at(server.url)
        requests = questions(model, *(f"q{number}" for number in range(40)))
        ask(requests[:1], model, recordings)
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        old = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size * 5 + 9, limits[1]))
        try:
            with pytest.raises(RecordingError, match="cannot append"):
                ask(requests, model, recordings, concurrency=2)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
            signal.signal(signal.SIGXFSZ, old)
        # At most the calls in flight were paid in vain; no further one was begun.
        assert len(server.calls) <= len(recordings) + 2
        assert ask(requests, model, recordings)[39].text == "echo q39"
    assert Recordings(path).damaged == []
