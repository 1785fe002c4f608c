"""Empty, cut and malformed replies are asked again once, by a request that carries them."""

from pathlib import Path
from typing import Any

import pytest
from chats import SCORE, model_at, questions
from loopback import Answer, Call, Loopback, answer

from isogloss.llm.budget import Budget, BudgetSettings
from isogloss.llm.door import ask
from isogloss.llm.faults import OfflineError, StoppedError
from isogloss.llm.outcomes import Outcome
from isogloss.llm.recordings import Recordings

EMPTY = Answer(b'{"choices": []}')
WRONG_ENUM = '{"score": 3, "verdict": "perhaps"}'
FAULTY = [
    (EMPTY, "empty", None),
    (answer(None), "empty", None),
    (answer("  "), "empty", None),
    (answer('{"score":', "length"), "cut", '{"score":'),
    (answer(None, "length"), "cut", None),
    (answer("prose"), "malformed", "prose"),
    (answer('{"score": 11}'), "malformed", '{"score": 11}'),
    (answer('{"score": "high"}'), "malformed", '{"score": "high"}'),
    (answer(WRONG_ENUM), "malformed", WRONG_ENUM),
    (answer('{"score": 1} {"score": 2}'), "malformed", '{"score": 1} {"score": 2}'),
]


@pytest.mark.parametrize(("faulty", "outcome", "carried"), FAULTY)
def test_a_faulty_reply_is_asked_again_once_and_replays(
    tmp_path: Path, faulty: Answer, outcome: str, carried: str | None
) -> None:
    def behave(call: Call) -> Answer:
        return faulty if "again" not in call.said else answer('{"score": 4}')

    path = tmp_path / "r.jsonl"
    with Loopback(behave) as server, Recordings(path) as recordings:
        model = model_at(server.url)
        requests = questions(model, "q", schema=SCORE)
        (reply,) = ask(requests, model, recordings)
        assert (reply.outcome, reply.value, reply.attempt) == (Outcome.ANSWERED, {"score": 4}, 2)
        assert reply.key == requests[0].key
        first, second = (call.json["messages"] for call in server.calls)
        roles = [turn["role"] for turn in second]
        if carried is None:
            assert roles == ["user"]
            assert second[0]["content"].startswith("q\n\n(A first reply")
        else:
            assert roles == ["user", "assistant", "user"]
            assert second[:1] == first
            assert second[1]["content"] == carried
    with Recordings(path) as recordings:
        assert [recordings.get(key).outcome for key in recordings] == [outcome, "answered"]  # type: ignore[union-attr]
        assert [recordings.get(key).attempt for key in recordings] == [1, 2]  # type: ignore[union-attr]
        (again,) = ask(requests, model, recordings, offline=True)
    assert (again.value, again.attempt, again.replayed) == ({"score": 4}, 2, True)


@pytest.mark.parametrize(("faulty", "outcome", "carried"), FAULTY)
def test_a_second_faulty_reply_is_counted_and_never_asked_a_third_time(
    tmp_path: Path, faulty: Answer, outcome: str, carried: str | None
) -> None:
    with Loopback(lambda call: faulty) as server, Recordings(tmp_path / "r.jsonl") as recordings:
        model = model_at(server.url)
        requests = questions(model, "q", schema=SCORE)
        for _ in range(2):
            (reply,) = ask(requests, model, recordings)
            assert (reply.outcome, reply.value, reply.attempt) == (outcome, None, 2)
            assert reply.reason
            assert len(server.calls) == 2


def test_json_in_fences_is_an_answer_and_not_asked_again(tmp_path: Path) -> None:
    fenced = 'Here it is:\n```json\n{"score": 3, "verdict": "no"}\n```'
    with Loopback(lambda call: answer(fenced)) as server, Recordings(tmp_path / "r") as recordings:
        model = model_at(server.url)
        (reply,) = ask(questions(model, "q", schema=SCORE), model, recordings)
        assert len(server.calls) == 1
    assert (reply.value, reply.attempt) == ({"score": 3, "verdict": "no"}, 1)


@pytest.mark.parametrize(
    ("final", "outcome"),
    [
        (answer("No.", "refusal"), "refused"),
        (answer(None, refusal="No."), "refused"),
        (answer("par", "content_filter"), "filtered"),
    ],
)
def test_refused_and_filtered_replies_stand(tmp_path: Path, final: Answer, outcome: str) -> None:
    with Loopback(lambda call: final) as server, Recordings(tmp_path / "r.jsonl") as recordings:
        model = model_at(server.url)
        requests = questions(model, "q", schema=SCORE)
        for _ in range(2):
            assert ask(requests, model, recordings)[0].outcome == outcome
        assert len(server.calls) == 1


def test_a_run_stopped_before_the_repair_goes_on_with_it(tmp_path: Path) -> None:
    def behave(call: Call) -> Answer:
        return answer("prose" if call.said == "q" else '{"score": 4}')

    path = tmp_path / "r.jsonl"
    with Loopback(behave) as server:
        model = model_at(server.url)
        requests = questions(model, "q", schema=SCORE)
        with Recordings(path) as recordings, pytest.raises(StoppedError):
            ask(requests, model, recordings, budget=Budget(BudgetSettings(calls=1)))
        with pytest.raises(OfflineError, match="repair request"):
            ask(requests, model, Recordings(path), offline=True)
        with Recordings(path) as recordings:
            assert ask(requests, model, recordings)[0].value == {"score": 4}
        assert len(server.calls) == 2


def refuses_format(call: Call) -> Answer:
    from loopback import error

    if "response_format" in call.json:
        return error(400, "Unsupported parameter: response_format is not known here")
    return answer('{"score": 3}')


def test_a_server_without_structured_output_is_asked_in_words(tmp_path: Path) -> None:
    def said(call: Call) -> dict[str, Any]:
        return call.json["messages"][-1]["content"]

    with (
        Loopback(refuses_format) as server,
        Recordings(tmp_path / "r.jsonl") as recordings,
    ):
        model = model_at(server.url)
        requests = questions(model, "a", "b", schema=SCORE)
        replies = ask(requests, model, recordings, concurrency=1)
        assert [reply.value for reply in replies] == [{"score": 3}] * 2
        # Refused once, then not tried again.
        assert ["response_format" in call.json for call in server.calls] == [True, False, False]
        assert "JSON schema" in said(server.calls[1])
        plain = model_at(server.url, structured_output=False)
        assert all(reply.replayed for reply in ask(requests, plain, recordings))
