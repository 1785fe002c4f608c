"""Work on a real Ray of two processors: order, losses, errors."""

import os
from functools import partial

import pytest

import ray_work
from isogloss.engine import open_engine
from isogloss.errors import DataError, EngineError, MissingExtraError, UsageError
from isogloss.ray_engine import RayEngine, placing


def test_results_keep_the_order_of_the_work_whoever_is_done_first(ray_engine):
    results = list(ray_engine.map(ray_work.unevenly, range(20), 1))
    assert [item for item, _ in results] == list(range(20))
    assert os.getpid() not in {worker for _, worker in results}
    assert list(ray_engine.map(ray_work.unevenly, [], 1)) == []


def test_few_items_are_taken_before_their_results_are_asked_for(ray_engine):
    taken = []
    items = (taken.append(item) or item for item in range(100))
    with ray_engine.holding(partial(ray_work.make, "encoder"), None) as held:
        next(held.map(ray_work.held_by, items, 100))
        assert len(taken) < 20


def test_a_task_whose_worker_is_killed_is_done_again(ray_engine, tmp_path):
    marker = tmp_path / "died"
    results = list(ray_engine.map(partial(ray_work.dying, marker=marker), range(12), 1))
    assert results == list(range(12))
    assert marker.exists()


def test_an_actor_that_is_killed_starts_again_and_gives_every_result_once(ray_engine, tmp_path):
    marker = tmp_path / "died"
    with ray_engine.holding(partial(ray_work.make, "encoder"), "cpu") as held:
        results = list(held.map(partial(ray_work.dying_held, marker=marker), iter(range(12)), 12))
    assert results == list(range(12))
    assert marker.exists()


def test_work_that_kills_every_worker_ends_in_one_line(ray_engine):
    with pytest.raises(EngineError, match=r"lost 4 times over one batch .*engine local") as raised:
        list(ray_engine.map(ray_work.dead, [1], 1))
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("work", "error", "said"),
    [
        (ray_work.refused, DataError, "row 1: is none"),
        (ray_work.lacking, MissingExtraError, r"model 1 needs .*isogloss\[sample\]"),
    ],
)
def test_an_error_of_a_worker_is_the_one_that_would_be_raised_here(ray_engine, work, error, said):
    with pytest.raises(error, match=said) as raised:
        list(ray_engine.map(work, [1, 2, 3], 1))
    assert type(raised.value) is error


def test_work_that_no_worker_can_import_says_what_nodes_need(ray_engine, tmp_path, monkeypatch):
    (tmp_path / "only_here.py").write_text("def work(item): return item\n")
    monkeypatch.syspath_prepend(tmp_path)
    import only_here

    with pytest.raises(EngineError, match=r"No module named 'only_here'\); every node needs"):
        list(ray_engine.map(only_here.work, [1], 1))


def test_two_actors_hold_one_copy_each_and_leave_room_for_tasks(ray_engine):
    with ray_engine.holding(partial(ray_work.make, "encoder"), None) as held:
        first = list(held.map(ray_work.held_by, iter(range(12)), 12))
        again = list(held.map(ray_work.held_by, iter(range(12)), 12))
    assert [item for _, item in first] == list(range(12))
    makers = {worker for (_, worker), _ in first + again}
    assert len(makers) <= 2
    assert os.getpid() not in makers
    assert [item for item, _ in ray_engine.map(ray_work.unevenly, range(4), 1)] == list(range(4))


def test_what_cannot_be_made_says_so_in_its_own_words(ray_engine):
    with (
        ray_engine.holding(ray_work.make_none, None) as held,
        pytest.raises(DataError, match=r"^weights: cannot be read$"),
    ):
        list(held.map(ray_work.held_by, iter([1]), 1))


def test_one_of_several_devices_is_refused_before_anything_starts():
    said = "device cuda:1: engine ray gives each worker a device of its own; say cuda"
    with (
        pytest.raises(UsageError, match=said),
        RayEngine().holding(partial(ray_work.make, "encoder"), "cuda:1"),
    ):
        pass


@pytest.mark.parametrize(
    ("device", "resources", "needs", "most"),
    [
        (None, {"CPU": 8.0}, {"num_cpus": 1}, 8),
        (None, {"CPU": 8.0, "GPU": 2.0}, {"num_cpus": 1, "num_gpus": 1}, 2),
        ("cuda", {"CPU": 8.0, "GPU": 2.0}, {"num_cpus": 1, "num_gpus": 1}, 2),
        ("cuda", {"CPU": 8.0}, {"num_cpus": 1}, 8),
        ("cpu", {"CPU": 8.0, "GPU": 2.0}, {"num_cpus": 1}, 8),
        (None, {"CPU": 0.5}, {"num_cpus": 1}, 1),
    ],
)
def test_an_actor_takes_a_gpu_where_there_are_some(device, resources, needs, most):
    assert placing(device, resources) == (needs, most)


def test_an_open_engine_leaves_a_ray_alone_that_was_there_before(ray_engine):
    with open_engine("ray") as engine:
        assert engine.slots == 2
    assert ray_engine.slots == 2
    assert list(ray_engine.map(ray_work.dying, [], 1)) == []
