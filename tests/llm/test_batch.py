"""Batches over a loopback server: order, gaps, repetitions, restarts and errors."""

import json
import random
import time
from pathlib import Path
from typing import Any

import pytest
from batches import BatchServer, Lines, line
from chats import SCORE, SECRET, model_at, questions
from loopback import Answer, Call, Loopback, answer, completion, error

from isogloss.llm.batch import ask_batch
from isogloss.llm.batch_results import judge_result, read_results
from isogloss.llm.budget import Budget, BudgetSettings
from isogloss.llm.chat_models import ChatModelSettings
from isogloss.llm.chat_requests import ChatRequest
from isogloss.llm.door import ask
from isogloss.llm.faults import ChatError, OfflineError, StoppedError
from isogloss.llm.outcomes import Outcome
from isogloss.llm.recordings import Recordings
from isogloss.llm.replies import Reply


class Bench:
    """A server, a model and a recordings file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.state = path.with_name("r.batches.json")

    def run(
        self, behave: BatchServer, texts: int = 6, schema: Any = None, **options: Any
    ) -> list[Reply]:
        with Loopback(behave) as server, Recordings(self.path) as recordings:
            model = model_at(server.url, input_price=4.0, output_price=12.0)
            return ask_batch(
                self.requests(model, texts, schema), model, recordings, poll_seconds=0.01, **options
            )

    def requests(
        self, model: ChatModelSettings, texts: int = 6, schema: Any = None
    ) -> list[ChatRequest]:
        return questions(model, *(f"q{number}" for number in range(texts)), schema=schema)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "r.jsonl")


def shuffled(lines: Lines) -> Lines:
    return random.Random(5).sample(lines, len(lines))


def test_answers_in_any_order_replay_and_cost_less(bench: Bench) -> None:
    behave = BatchServer(arrange=shuffled)
    budget = Budget()
    replies = bench.run(behave, budget=budget)
    assert [reply.text for reply in replies] == [f"echo q{n}" for n in range(6)]
    assert not any(reply.replayed for reply in replies)
    assert (budget.calls, budget.in_flight) == (6, 0)
    assert budget.money == pytest.approx(6 * 1e-4 * 0.5)
    assert not bench.state.exists()
    assert SECRET.encode() not in bench.path.read_bytes()
    # Both transports share the recordings.
    model = model_at("http://127.0.0.1:9/v1")
    with Recordings(bench.path) as recordings:
        assert [
            reply.text for reply in ask(bench.requests(model), model, recordings, offline=True)
        ] == [reply.text for reply in replies]


def test_repeated_and_unknown_ids_are_counted_and_the_first_answer_kept(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    def arrange(lines: Lines) -> Lines:
        other = line(lines[0]["custom_id"], completion("another"))
        return [*lines, other, line("stranger", completion("hello"))]

    replies = bench.run(BatchServer(arrange=arrange))
    assert replies[0].text == "echo q0"
    said = capsys.readouterr().err
    assert "1 answers came again" in said
    assert "1 requests have answers that differ" in said
    assert "1 answers carry an id that was not asked" in said
    assert len(Recordings(bench.path)) == 6


def test_a_gap_is_failed_without_a_shift_and_asked_again_by_the_next_run(bench: Bench) -> None:
    replies = bench.run(BatchServer(arrange=lambda lines: lines[1:]))
    assert [reply.outcome for reply in replies] == ["failed"] + ["answered"] * 5
    assert replies[1].text == "echo q1"
    again = BatchServer()
    assert bench.run(again)[0].text == "echo q0"
    assert again.paid == ["q0"]


def test_an_expired_batch_keeps_what_it_brought(bench: Bench) -> None:
    behave = BatchServer(arrange=lambda lines: lines[:2], status="expired")
    assert [reply.outcome for reply in bench.run(behave)].count(Outcome.FAILED) == 4
    assert len(Recordings(bench.path)) == 2


def test_errors_of_single_lines_are_told_apart(bench: Bench) -> None:
    def chat(said: str) -> Answer:
        return {
            "q0": error(400, "filtered", "content_filter"),
            "q1": error(400, "too long"),
            "q2": answer(None, refusal="No."),
        }.get(said, answer("yes"))

    replies = bench.run(BatchServer(chat), texts=4)
    assert [reply.outcome for reply in replies] == ["filtered", "failed", "refused", "answered"]
    assert replies[1].reason == "HTTP 400: too long"


def test_faulty_replies_go_out_once_more_as_a_batch_of_repairs(bench: Bench) -> None:
    def chat(said: str) -> Answer:
        if said == "q1":
            return answer('{"score": 11}')
        return answer('{"score": 4}' if "again" in said or said == "q0" else "prose")

    behave = BatchServer(chat)
    replies = bench.run(behave, texts=3, schema=SCORE)
    assert [reply.value for reply in replies] == [{"score": 4}] * 3
    assert [reply.attempt for reply in replies] == [1, 2, 2]
    assert [len(behave.batches), len(behave.paid)] == [2, 5]


def test_batches_are_cut_to_size_and_to_the_budget_of_calls(bench: Bench) -> None:
    behave = BatchServer()
    with pytest.raises(StoppedError, match="budget of 5 calls reached; 5 of 6"):
        bench.run(behave, requests_per_batch=2, budget=Budget(BudgetSettings(calls=5)))
    assert [len(behave.batches), len(behave.paid)] == [3, 5]
    bench.run(behave)
    assert len(behave.paid) == 6


def test_a_refused_batch_stops_the_run_with_the_servers_words(bench: Bench) -> None:
    with pytest.raises(StoppedError, match=r"batch-0 was refused \(bad file\)"):
        bench.run(BatchServer(status="failed"))
    assert not bench.state.exists()


def test_a_creation_whose_reply_was_lost_is_found_and_not_paid_again(bench: Bench) -> None:
    behave = BatchServer()
    behave.lose_creation = True
    with pytest.raises(ChatError, match="batch"):
        bench.run(behave)
    (out,) = json.loads(bench.state.read_bytes())
    assert out["id"] is None
    behave.lose_creation = behave.down = False
    assert [reply.text for reply in bench.run(behave)] == [f"echo q{n}" for n in range(6)]
    assert (len(behave.batches), len(behave.paid)) == (1, 6)


def test_a_run_killed_between_submitting_and_collecting_collects_later(bench: Bench) -> None:
    behave = BatchServer(looks=10_000)

    def stop_soon() -> None:
        import os
        import signal
        import threading

        def kill() -> None:
            while not behave.batches or not behave.batches[0]["looks"]:
                time.sleep(0.01)
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=kill).start()

    stop_soon()
    with pytest.raises(StoppedError, match="SIGINT"):
        bench.run(behave)
    assert json.loads(bench.state.read_bytes())[0]["id"] == "batch-0"
    behave.looks = 0
    budget = Budget()
    # The next run asks for more: what is out is collected, the rest submitted.
    replies = bench.run(behave, texts=8, budget=budget)
    assert [reply.text for reply in replies] == [f"echo q{n}" for n in range(8)]
    assert behave.paid == [f"q{n}" for n in range(8)]
    assert (budget.calls, budget.in_flight) == (8, 0)


def test_a_batch_of_requests_no_longer_asked_for_is_collected_all_the_same(bench: Bench) -> None:
    behave = BatchServer()
    behave.lose_creation = True
    with pytest.raises(ChatError):
        bench.run(behave)
    behave.lose_creation = behave.down = False
    bench.run(behave, texts=1)
    assert len(Recordings(bench.path)) == 6


@pytest.mark.parametrize("path", ["/files", "/batches", "/batches/batch-0"])
@pytest.mark.parametrize("body", [b"<html>", b"{}", b"[]", b"{"])
def test_html_or_other_json_is_one_line_and_the_run_can_go_on(
    bench: Bench, path: str, body: bytes
) -> None:
    class Odd(BatchServer):
        odd = True

        def __call__(self, call: Call) -> Answer:
            answer_ = super().__call__(call)
            hit = self.odd and call.path.removeprefix("/v1") == path
            kind = "text/html" if body == b"<html>" else "application/json"
            return Answer(body, headers={"content-type": kind}) if hit else answer_

    behave = Odd()
    with pytest.raises(ChatError, match="model loopback, batch: ") as caught:
        bench.run(behave)
    assert "\n" not in str(caught.value)
    behave.odd = False
    assert bench.run(behave)[5].text == "echo q5"
    assert len(behave.paid) == 6


@pytest.mark.parametrize("where", ["upload", "answer"])
def test_an_echoed_key_goes_nowhere(bench: Bench, where: str) -> None:
    if where == "upload":

        class Echo(BatchServer):
            def __call__(self, call: Any) -> Answer:
                return error(401, f"bad key {SECRET}")

        with pytest.raises(ChatError) as caught:
            bench.run(Echo())
        assert SECRET not in str(caught.value)
        assert caught.value.__context__ is None
    else:
        replies = bench.run(BatchServer(lambda said: answer(SECRET)))
        assert SECRET not in repr(replies)
        assert SECRET.encode() not in bench.path.read_bytes()


def test_offline_and_lines_that_cannot_be_read(bench: Bench) -> None:
    with pytest.raises(OfflineError):
        bench.run(BatchServer(), offline=True)
    body = json.dumps(line("a", completion("half \ud83d"))).encode()
    content = b"\n".join([b"{", b"[]", body, b'{"custom_id": "b", "error": {"message": "no"}}'])
    results = dict(read_results(content))
    assert list(results) == ["a", "b"]
    assert judge_result(results["a"], None).reading.text == "half \ufffd"  # type: ignore[union-attr]
    assert judge_result(results["b"], None).reason == "HTTP 0: no"  # type: ignore[union-attr]
