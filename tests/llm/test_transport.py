"""What the wire does when the server misbehaves; every server here is a real one on loopback."""

import time
from email.utils import formatdate
from pathlib import Path

import pytest
from chats import model_at, questions
from loopback import Answer, Behaviour, Call, Loopback, answer, error

from isogloss.llm.budget import Budget
from isogloss.llm.door import ask
from isogloss.llm.faults import StoppedError
from isogloss.llm.outcomes import Outcome
from isogloss.llm.recordings import Recordings
from isogloss.llm.server_errors import Meaning, meaning_of, retry_after

GOOD = answer("yes")
HTML = Answer(b"<html><body>502 Bad Gateway</body></html>", headers={"content-type": "text/html"})
ROUTED = Answer(b'{"error": {"message": "upstream is busy", "code": 503}}')
TRANSIENT = {
    "429": error(429, "slow down"),
    "500": error(500, "oops"),
    "503 html": Answer(HTML.body, 503, HTML.headers),
    "408": error(408, "timeout"),
    "409": error(409, "conflict"),
    "cut in the body": Answer(GOOD.body, cut=20),
    "cut before the body": Answer(GOOD.body, cut=0),
    "html for json": HTML,
    "cut json": Answer(GOOD.body[:-9]),
    "no choices key": Answer(b"{}"),
    "a choice with an error": answer("half", "error"),
    "200 with an error": ROUTED,
    "timeout": answer("late", delay=1.0),
    "bad gzip": Answer(b"no gzip", headers={"content-encoding": "gzip"}),
}


def first(faulty: Answer, times: int) -> Behaviour:
    """Misbehave so many times for each request, then answer."""
    return lambda call: faulty if call.nth <= times else GOOD


@pytest.mark.parametrize("fault", TRANSIENT.values(), ids=TRANSIENT.keys())
def test_a_transport_fault_passes_and_is_counted(tmp_path: Path, fault: Answer) -> None:
    with Loopback(first(fault, 2)) as server, Recordings(tmp_path / "r.jsonl") as recordings:
        model = model_at(server.url, timeout_seconds=0.4)
        budget = Budget()
        (reply,) = ask(questions(model, "q"), model, recordings, budget=budget)
        assert (reply.outcome, reply.text) == (Outcome.ANSWERED, "yes")
        assert (len(server.calls), budget.calls, budget.retries) == (3, 1, 2)
        assert len(recordings) == 1


def test_six_retries_and_no_more_then_failed_unrecorded_and_asked_again_later(
    tmp_path: Path,
) -> None:
    path = tmp_path / "r.jsonl"
    with Loopback(first(error(500, "oops"), 7)) as server:
        model = model_at(server.url)
        requests = questions(model, "q")
        with Recordings(path) as recordings:
            (reply,) = ask(requests, model, recordings)
            assert reply.outcome is Outcome.FAILED
            assert reply.reason == "HTTP 500: oops, after 6 retries"
            assert (len(server.calls), len(recordings)) == (7, 0)
            assert ask(requests, model, recordings)[0].text == "yes"


def test_the_servers_retry_after_is_honoured_by_every_request(tmp_path: Path) -> None:
    times: list[float] = []

    def behave(call: Call) -> Answer:
        times.append(time.monotonic())
        return error(429, "slow down", retry_after="0.5") if len(times) == 1 else GOOD

    with Loopback(behave) as server, Recordings(tmp_path / "r.jsonl") as recordings:
        model = model_at(server.url)
        ask(questions(model, "a", "b", "c"), model, recordings, concurrency=1)
    assert times[1] - times[0] >= 0.5
    assert times[3] - times[1] < 0.4


def test_a_wait_by_the_day_stops_the_run(tmp_path: Path) -> None:
    behave = first(error(429, "daily limit", retry_after="86400"), 9)
    with Loopback(behave) as server, Recordings(tmp_path / "r.jsonl") as recordings:
        model = model_at(server.url)
        with pytest.raises(StoppedError, match="asks to wait 86400 s; 0 of 1"):
            ask(questions(model, "q"), model, recordings)
        assert len(server.calls) == 1


def test_the_forms_of_retry_after() -> None:
    assert retry_after({"retry-after": "2"}, 0) == 2
    assert retry_after({"retry-after-ms": "250", "retry-after": "2"}, 0) == 0.25
    assert retry_after({"retry-after": formatdate(1000, usegmt=True)}, 990) == 10
    assert retry_after({"retry-after": formatdate(1000, usegmt=True)}, 2000) == 0
    for nonsense in ("soon", "-1", "inf", "nan", ""):
        assert retry_after({"retry-after": nonsense}, 0) is None
    assert retry_after({}, 0) is None


@pytest.mark.parametrize(
    "refusal",
    [
        error(429, "You exceeded your current quota", "insufficient_quota"),
        error(402, "Payment required"),
        error(401, "Incorrect API key"),
        error(404, "The model does not exist", "model_not_found"),
    ],
)
def test_what_every_request_would_meet_stops_the_run_without_a_retry(
    tmp_path: Path, refusal: Answer
) -> None:
    def behave(call: Call) -> Answer:
        return GOOD if call.said in {"q0", "q1"} else refusal

    with Loopback(behave) as server, Recordings(tmp_path / "r.jsonl") as recordings:
        model = model_at(server.url)
        requests = questions(model, *(f"q{number}" for number in range(50)))
        with pytest.raises(StoppedError, match=r"cannot be used .HTTP 4.*2 of 50") as caught:
            ask(requests, model, recordings, concurrency=1)
        assert [reply is not None for reply in caught.value.replies] == [True] * 2 + [False] * 48
        assert (len(server.calls), len(recordings)) == (3, 2)


def test_calls_in_flight_at_a_stop_end_and_are_kept(tmp_path: Path) -> None:
    def behave(call: Call) -> Answer:
        return error(402, "no money") if call.said == "q0" else answer("yes", delay=0.2)

    with Loopback(behave) as server, Recordings(tmp_path / "r.jsonl") as recordings:
        model = model_at(server.url)
        requests = questions(model, *(f"q{number}" for number in range(50)))
        with pytest.raises(StoppedError, match="7 of 50"):
            ask(requests, model, recordings, concurrency=8)
        assert (len(server.calls), len(recordings)) == (8, 7)


@pytest.mark.parametrize(
    "body",
    [
        b'{"error": {"code": "content_filter", "message": "filtered", "param": "prompt"}}',
        b'{"error": {"innererror": {"code": "ResponsibleAIPolicyViolation"}, "message": "f"}}',
    ],
)
def test_a_400_of_the_content_filter_is_an_outcome_and_replays(tmp_path: Path, body: bytes) -> None:
    with (
        Loopback(lambda call: Answer(body, 400)) as server,
        Recordings(tmp_path / "r.jsonl") as recordings,
    ):
        model = model_at(server.url)
        for _ in range(2):
            (reply,) = ask(questions(model, "q"), model, recordings)
            assert reply.outcome is Outcome.FILTERED
            assert reply.reason
        assert len(server.calls) == 1


def test_a_bad_request_fails_alone(tmp_path: Path) -> None:
    def behave(call: Call) -> Answer:
        return error(400, "context length exceeded") if call.said == "long" else GOOD

    with Loopback(behave) as server, Recordings(tmp_path / "r.jsonl") as recordings:
        model = model_at(server.url)
        replies = ask(questions(model, "a", "long", "b"), model, recordings)
        assert [reply.outcome for reply in replies] == ["answered", "failed", "answered"]
        assert replies[1].reason == "HTTP 400: context length exceeded"
        assert len(server.calls) == 3


def test_a_server_that_is_gone_ends_the_run_early(tmp_path: Path) -> None:
    with Recordings(tmp_path / "r.jsonl") as recordings:
        # Nothing listens on the discard port.
        model = model_at("http://127.0.0.1:9/v1", retries=1)
        requests = questions(model, *(f"q{number}" for number in range(500)))
        with pytest.raises(StoppedError, match="in a row failed"):
            ask(requests, model, recordings, concurrency=2)


def test_a_filter_and_a_quota_are_told_before_the_status() -> None:
    filtered = {"error": {"code": "content_filter"}}
    assert meaning_of(429, filtered) is Meaning.FILTERED
    assert meaning_of(429, {"error": {"type": "insufficient_quota"}}) is Meaning.STOP
    assert meaning_of(429, {"error": "busy"}) is Meaning.RETRY
    assert meaning_of(429, None) is Meaning.RETRY
    assert meaning_of(413, {}) is Meaning.FAILED
