import json
import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from loopback import completion

from isogloss.llm.faults import RecordingError
from isogloss.llm.outcomes import Outcome
from isogloss.llm.recordings import Recordings, encode_recording

BODY = json.dumps(completion("yes")).encode()


def add(recordings: Recordings, key: str, body: bytes = BODY) -> None:
    recordings.append(key, "test/0", Outcome.ANSWERED, 1, body)
    recordings.sync()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "recordings" / "answer.jsonl"


def test_a_line_holds_the_servers_body_unchanged(path: Path) -> None:
    body = b'{ "z": 1.0e2,\r\n "big": 123456789012345678901234567890, "s": "\\ud83d \\u00e9" }\n'
    with Recordings(path) as recordings:
        add(recordings, "k", body)
    line = path.read_bytes()
    assert line.count(b"\n") == 1
    assert body.strip().replace(b"\r\n", b"  ") in line
    assert list(json.loads(line)) == ["key", "replicate", "outcome", "attempt", "response"]
    found = Recordings(path).get("k")
    assert found is not None
    assert found.response == json.loads(body)
    assert (found.replicate, found.outcome, found.attempt) == ("test/0", Outcome.ANSWERED, 1)


def test_reading_alone_makes_and_changes_nothing(path: Path) -> None:
    assert Recordings(path).get("k") is None
    assert not path.exists()
    path.parent.mkdir()
    path.write_bytes(encode_recording("k", "", Outcome.ANSWERED, 1, BODY)[:-9])
    before = path.read_bytes()
    assert Recordings(path).damaged == [1]
    assert path.read_bytes() == before


@given(st.integers(0, 3), st.data())
def test_a_file_torn_at_any_byte_keeps_every_whole_line(
    tmp_path_factory: pytest.TempPathFactory, whole: int, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("torn") / "r.jsonl"
    lines = [encode_recording(f"k{n}", "", Outcome.ANSWERED, 1, BODY) for n in range(whole + 1)]
    kept = data.draw(st.integers(0, len(lines[-1])))
    path.write_bytes(b"".join(lines[:-1]) + lines[-1][:kept])
    with Recordings(path) as recordings:
        assert len(recordings) == whole + (kept >= len(lines[-1]) - 1)
        add(recordings, "new")
        assert recordings.get("new") is not None
    again = Recordings(path)
    assert again.damaged == []
    assert [key for key in again if key != "new"] == [
        f"k{n}" for n in range(whole + (kept >= len(lines[-1]) - 1))
    ]
    assert all(json.loads(line) for line in path.read_bytes().splitlines())


def test_a_damaged_line_in_the_middle_is_counted_and_the_rest_read(path: Path) -> None:
    path.parent.mkdir()
    good = encode_recording("a", "", Outcome.ANSWERED, 1, BODY)
    path.write_bytes(
        b"\xef\xbb\xbf" + good + b'{"key": "b", "resp\n\n' + good.replace(b'"a"', b'"c"')
    )
    with Recordings(path) as recordings:
        assert (list(recordings), recordings.damaged) == (["a", "c"], [2])
        add(recordings, "d")
    assert Recordings(path).damaged == [2]
    assert "1 lines cannot be read, the first is line 2" in (Recordings(path).faults or "")


def test_a_repeated_key_keeps_the_first_answer_and_is_counted(path: Path) -> None:
    other = json.dumps(completion("no")).encode()
    with Recordings(path) as recordings:
        add(recordings, "k")
        add(recordings, "k", other)
        assert recordings.repeated == 1
        assert "1 repeat a key" in (recordings.faults or "")
    again = Recordings(path)
    found = again.get("k")
    assert again.repeated == 1
    assert found is not None
    assert found.response == json.loads(BODY)


def test_a_second_writer_is_refused_and_sees_what_the_first_wrote(path: Path) -> None:
    late = Recordings(path)
    with Recordings(path) as first:
        add(first, "a")
        with pytest.raises(RecordingError, match="another process"):
            late.open()
    with late:
        add(late, "b")
        assert list(late) == ["a", "b"]
        found = late.get("a")
        assert found is not None
        assert found.key == "a"


@pytest.mark.parametrize("link", ["hard", "symbolic"])
def test_a_file_linked_to_a_cache_is_parted_before_it_grows(path: Path, link: str) -> None:
    cached = path.parent / "cached"
    with Recordings(cached) as recordings:
        add(recordings, "a")
    before = cached.read_bytes()
    cached.chmod(0o444)
    if link == "hard":
        os.link(cached, path)
    else:
        path.symlink_to(cached)
    with Recordings(path) as recordings:
        add(recordings, "b")
        assert list(recordings) == ["a", "b"]
    assert cached.read_bytes() == before


def test_a_full_disk_loses_no_earlier_line(path: Path) -> None:
    import resource
    import signal

    with Recordings(path) as recordings:
        add(recordings, "a")
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        old = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 20, limits[1]))
        try:
            with pytest.raises(RecordingError, match=r"answer\.jsonl: cannot append"):
                add(recordings, "b")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
            signal.signal(signal.SIGXFSZ, old)
        add(recordings, "c")
    again = Recordings(path)
    assert (list(again), again.damaged) == (["a", "c"], [])


def test_ten_thousand_recordings_are_read_in_under_three_seconds(path: Path) -> None:
    path.parent.mkdir()
    body = json.dumps(completion("An answer of some length. " * 80)).encode()
    with path.open("wb") as out:
        for number in range(10_000):
            out.write(encode_recording(f"{number:064}", "answer/mt/0", Outcome.ANSWERED, 1, body))
    started = time.perf_counter()
    recordings = Recordings(path)
    assert all(recordings.get(f"{number:064}") for number in range(10_000))
    assert time.perf_counter() - started < 3
