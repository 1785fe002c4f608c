"""Failures that somebody accepted: one line each, which replays and can be taken back."""

from pathlib import Path

from chats import SCORE, model_at, questions
from loopback import Answer, Call, Loopback, answer, error

from isogloss.llm.door import ask
from isogloss.llm.giving_up import record_failures
from isogloss.llm.outcomes import Outcome
from isogloss.llm.recordings import Recordings


def behave(call: Call) -> Answer:
    """q0 is refused at once, q1 only when it is asked again for its malformed reply."""
    if call.said == "q0" or "again" in call.said:
        return error(400, "too long")
    return answer("prose" if call.said == "q1" else '{"score": 3}')


def test_a_failure_is_recorded_once_and_replays_with_its_reason(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    with Loopback(behave) as server:
        model = model_at(server.url)
        requests = questions(model, "q0", "q1", "q2", schema=SCORE)
        with Recordings(path) as recordings:
            replies = ask(requests, model, recordings)
            assert [reply.outcome for reply in replies] == ["failed", "failed", "answered"]
            before = path.read_bytes()
            assert record_failures(requests, replies, recordings) == 2
            assert record_failures(requests, replies, recordings) == 0
    assert path.read_bytes().startswith(before)
    with Recordings(path) as recordings:
        assert len(recordings) == 4
        assert recordings.repeated == 0
        again = ask(requests, model, recordings, offline=True)
    assert [reply.outcome for reply in again] == [reply.outcome for reply in replies]
    assert [reply.reason for reply in again] == [reply.reason for reply in replies]
    # The second one failed as a repair, and is recorded as one.
    assert [reply.attempt for reply in again] == [1, 2, 1]
    assert all(reply.replayed for reply in again)


def test_who_removes_the_line_has_the_request_asked_again(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    with Loopback(behave) as server:
        model = model_at(server.url)
        requests = questions(model, "q0", schema=SCORE)
        with Recordings(path) as recordings:
            record_failures(requests, ask(requests, model, recordings), recordings)
        path.write_bytes(b"")
        server.behave = lambda call: answer('{"score": 5}')
        with Recordings(path) as recordings:
            (reply,) = ask(requests, model, recordings)
    assert (reply.outcome, reply.value) == (Outcome.ANSWERED, {"score": 5})
