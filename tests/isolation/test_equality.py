"""In worker processes environments do exactly what they do here."""

from typing import Any

import numpy as np
import parallel_pool
import pytest
from isolation.equality import equal, without_flag
from test_envs.pools import WALKS, make

MODES = ("NextStep", "SameStep", "Disabled")
KERNELS = [(name, MODES[(number + 1) % 3]) for number, name in enumerate(WALKS)]
"""A worker steps each kernel in a way of its own, which the mode does not change."""


@pytest.mark.parametrize(
    ("name", "mode"),
    [
        *KERNELS,
        *(("Types", mode) for mode in MODES),
        *(("Crowd", mode) for mode in MODES),
        ("Discount", "SameStep"),
        ("Team", "Disabled"),
        ("Shared", "NextStep"),
    ],
)
def test_trajectories_are_equal(name: str, mode: str) -> None:
    arguments: dict[str, Any] = {"num_envs": 5, "seed": 3, "autoreset_mode": mode}
    arguments |= {"max_episode_steps": 7, "num_threads": 2}
    with make(name, **arguments) as here, make(name, isolation="process", **arguments) as there:
        equal(here.reset(), without_flag(there.reset()))
        here.action_space.seed(5)
        for step in range(40):
            actions = here.action_space.sample()
            some, asked = np.arange(5), [actions]
            if name in WALKS and mode != "SameStep" and step % 3 == 0:
                some = np.delete([4, 2, 0, 3, 1], step % 5)
                asked = [actions[some], some]
            mine = here.step(*asked)
            equal(mine, without_flag(there.step(*asked)))
            ended = some[mine[2] | mine[3]]
            if mode == "Disabled" and ended.size:
                equal(here.reset(ended), without_flag(there.reset(ended)))
            if step == 20:
                equal(here.reset([3, 1], seed=9), without_flag(there.reset([3, 1], seed=9)))


def test_states_cross_the_boundary() -> None:
    """Saved there, restored here, and the other way round; the longest are cut in parts."""
    with (
        make("Walk", num_envs=3, seed=0) as here,
        make("Walk", num_envs=3, seed=50, num_threads=2, isolation="process") as there,
    ):
        for pool in (here, there):
            pool.reset()
            pool.step([0, 1, 2])
        assert len(here.get_state([0])[0]) == len(there.get_state([0])[0])
        there.set_state(None, here.get_state())
        equal(here.step([2, 2, 1]), without_flag(there.step([2, 2, 1])))
        here.set_state([1, 2], there.get_state([2, 0]))
        there.clone(2, [1])
        assert there.get_state([1]) == there.get_state([2])
        assert here.get_state([1]) == there.get_state([2])


def test_errors_are_those_of_this_process() -> None:
    with make("Faulty", num_envs=3, num_threads=2, isolation="process") as pool:
        pool.reset()
        with pytest.raises(parallel_pool.EnvError) as caught:
            pool.step([0, 1, 0])
        assert caught.value.failures == {1: "boom at step 1"}
        assert caught.value.result[0].tolist() == [1, 0, 1]
        with pytest.raises(parallel_pool.ResetNeededError, match="environment 1"):
            pool.step([0, 0, 0])
        pool.reset([1])
        assert pool.step([0, 0, 0])[0].tolist() == [2, 1, 2]
    with pytest.raises(parallel_pool.EnvBuildError, match=r"no such file: level\.bin"):
        make("Faulty", num_envs=2, fails_in="constructor", isolation="process")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"isolation": "fiber"}, "isolation is 'fiber', expected None"),
        ({"isolation": "thread"}, "isolation='thread' is for environments written in Python"),
        (
            {"isolation": "process", "thread_affinity": [0]},
            "thread_affinity is for threads of this",
        ),
        (
            {"isolation": "process", "thread_affinity_offset": 0},
            "thread_affinity_offset is for threads",
        ),
        ({"isolation": "process", "numa_node": 0}, "numa_node is for threads of this process"),
        ({"isolation": "process", "step_timeout": 0}, "step_timeout is 0, expected seconds"),
        ({"isolation": "process", "step_timeout": "1"}, "step_timeout is '1', expected seconds"),
    ],
)
def test_what_is_no_isolation_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(parallel_pool.OptionError, match=message):
        make("Walk", num_envs=2, **arguments)


def test_shared_threads_are_not_for_worker_processes() -> None:
    with (
        parallel_pool.ThreadPool(1) as threads,
        pytest.raises(
            parallel_pool.OptionError, match="thread_pool is for threads of this process"
        ),
    ):
        make("Walk", num_envs=2, isolation="process", thread_pool=threads)


def test_many_processes_are_no_oversubscription() -> None:
    with make("Walk", num_envs=8, batch_size=4, num_threads=8, isolation="process") as pool:
        assert len(pool.stats()["worker_pids"]) == 8
