"""Of several whole runs of one fingerprint everybody keeps the same."""

from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from isogloss.tracking.runs import REPLACES_TAG, first_whole, losers


def run(name: str, end: int, replaces: tuple[str, ...] = ()) -> Any:
    tags = {REPLACES_TAG: " ".join(replaces)} if replaces else {}
    info = SimpleNamespace(run_id=name, end_time=end)
    return SimpleNamespace(info=info, data=SimpleNamespace(tags=tags))


def kept(*runs: Any) -> str:
    return str(first_whole(runs).info.run_id)


def test_the_first_that_was_whole_stays() -> None:
    assert kept(run("b", 1), run("a", 2)) == "b"
    assert kept(run("b", 1), run("a", 1)) == "a"


def test_a_forced_run_stays_in_place_of_what_it_replaces() -> None:
    assert kept(run("old", 1), run("forced", 2, ("old",))) == "forced"
    # Two machines forced at once: one of the two, and never the old one.
    assert kept(run("x", 3, ("old",)), run("old", 1), run("y", 2, ("old",))) == "y"
    # What it replaced is gone already.
    assert kept(run("forced", 2, ("old",))) == "forced"


@given(st.lists(st.integers(0, 3), min_size=1, max_size=6), st.data())
def test_whoever_looks_keeps_the_same(ends: list[int], data: st.DataObject) -> None:
    runs = []
    for index, end in enumerate(ends):
        earlier = [name.info.run_id for name in runs]
        gone = data.draw(st.lists(st.sampled_from(earlier), unique=True)) if earlier else []
        runs.append(run(f"r{index}", end, tuple(gone)))
    shuffled = data.draw(st.permutations(runs))
    winner = kept(*runs)
    assert kept(*shuffled) == winner
    # Somebody who looks while another one deletes keeps the same.
    left = list(shuffled)
    for loser in losers(shuffled):
        left.remove(loser)
        assert kept(*left) == winner
    assert [one.info.run_id for one in left] == [winner]
