import pickle
import sys

import pytest

from isogloss.engine import LOCAL, Here, is_engine, open_engine
from isogloss.errors import MissingExtraError, UsageError


@pytest.mark.parametrize("name", ["local", "ray", "ray://head:10001", "ray://10.0.0.7:1"])
def test_names_of_engines(name):
    assert is_engine(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "Ray",
        "spark",
        "ray://",
        "ray://head",
        "ray://head:0",
        "ray://head:65536",
        "http://a:1",
        "ray://a:1\n",
    ],
)
def test_other_names_are_refused(name):
    assert not is_engine(name)
    with (
        pytest.raises(UsageError, match="must be local, ray or ray://HOST:PORT"),
        open_engine(name),
    ):
        pass


def test_the_local_engine_is_this_process():
    with open_engine("local") as engine:
        assert engine is LOCAL
        assert not engine.elsewhere
        assert list(engine.map(str, [3, 1, 2], 1)) == ["3", "1", "2"]


@pytest.mark.parametrize("processes", [1, 2])
def test_an_error_of_local_work_arrives_as_it_was_raised(processes):
    with pytest.raises(ValueError, match="invalid literal"):
        list(LOCAL.map(int, ["1", "x"], processes))


def test_what_is_held_here_is_made_once_and_only_for_work():
    made = []

    def make():
        made.append("encoder")
        return made

    with LOCAL.holding(make, "cpu") as held:
        assert list(held.map(lambda _, item: item, iter([]), 0)) == []
        assert made == []
        for _ in range(2):
            assert list(held.map(lambda h, item: (len(h), item), iter("ab"), 2)) == [
                (1, "a"),
                (1, "b"),
            ]


def test_items_are_taken_only_as_results_are_asked_for():
    taken = []
    items = (taken.append(item) or item for item in range(3))
    results = Here(lambda: 10).map(lambda held, item: held + item, items, 3)
    assert next(results) == 10
    assert taken == [0]


def test_an_engine_that_is_not_installed_names_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with (
        pytest.raises(MissingExtraError, match=r"pip install 'isogloss\[ray\]'"),
        open_engine("ray"),
    ):
        pass


def test_a_missing_extra_crosses_processes():
    error = pickle.loads(pickle.dumps(MissingExtraError("e5", "model m")))  # noqa: S301
    assert str(error) == "model m needs an optional dependency: pip install 'isogloss[e5]'"
    assert error.extra == "e5"
