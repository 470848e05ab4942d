"""In worker processes environments do exactly what they do here."""

from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool import EnvSpec, OptionError
from test_envs.checks import leaves, refused
from test_envs.pools import WALKS, make

MODES = ("NextStep", "SameStep", "Disabled")
KERNELS = [(name, MODES[(number + 1) % 3]) for number, name in enumerate(WALKS)]
"""A worker steps each kernel in a way of its own, which the mode does not change."""


def same(here: Any, there: Any) -> None:
    """Two answers, less what only that of an isolated pool has."""
    info = there[-1]
    for part in [info, *([info["final_info"]] if "final_info" in info else [])]:
        assert not part.pop("worker_crashed").any()
        part.pop("_worker_crashed")
    equal(here, there)


def equal(one: Any, other: Any) -> None:
    for a, b in zip(leaves(one), leaves(other), strict=True):
        assert a.dtype == b.dtype
        if a.dtype == object:  # final_obs: an observation or None
            assert [each is None for each in a] == [each is None for each in b]
            for mine, theirs in zip(a, b, strict=True):
                if mine is not None:
                    equal(mine, theirs)
        else:
            np.testing.assert_array_equal(a, b)


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
        same(here.reset(), there.reset())
        here.action_space.seed(5)
        for step in range(40):
            actions = here.action_space.sample()
            some, asked = np.arange(5), [actions]
            if name in WALKS and mode != "SameStep" and step % 3 == 0:
                some = np.delete([4, 2, 0, 3, 1], step % 5)
                asked = [actions[some], some]
            mine = here.step(*asked)
            same(mine, there.step(*asked))
            ended = some[mine[2] | mine[3]]
            if mode == "Disabled" and ended.size:
                same(here.reset(ended), there.reset(ended))
            if step == 20:
                same(here.reset([3, 1], seed=9), there.reset([3, 1], seed=9))


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
        same(here.step([2, 2, 1]), there.step([2, 2, 1]))
        here.set_state([1, 2], there.get_state([2, 0]))
        there.clone(2, [1])
        assert there.get_state([1]) == there.get_state([2])
        assert here.get_state([1]) == there.get_state([2])


def test_array_options_cross() -> None:
    table = np.arange(12.0).reshape(3, 4)
    arguments: dict[str, Any] = {"env_options": {"weights": table}, "gravity": 2.5, "seed": 0}
    with (
        make("Options", **arguments) as here,
        make("Options", isolation="process", num_threads=2, **arguments) as there,
    ):
        same(here.reset(), there.reset())
        assert there.config["env_options"].keys() == {"weights"}


def test_a_pool_of_several_ids() -> None:
    for name, reach in (("Near-v0", 1.0), ("Far-v0", 9.0)):
        options = {"buttons": 2, "reach": reach}
        parallel_pool.register(EnvSpec(f"test/{name}", native="test/Mixed-v0", options=options))
    ids = ["test/Near-v0", "test/Far-v0", "test/Near-v0"]
    with (
        parallel_pool.make(ids, seed=0) as here,
        parallel_pool.make(ids, seed=0, isolation="process", num_threads=2) as there,
    ):
        assert there.single_observation_space == here.single_observation_space
        same(here.reset(), there.reset())
        for step in range(10):
            actions = [step % 2, 0, 1]
            same(here.step(actions), there.step(actions))
    with refused(OptionError, "environments 0 (test/Options-v0) and 1", "differ"):
        make("Options", env_options={"size": [2, 3]}, isolation="process")


def test_what_is_no_isolation_is_refused() -> None:
    for isolation, words in (
        ("fiber", "isolation is 'fiber', expected None"),
        ("thread", "isolation='thread' is for environments written in Python"),
    ):
        with refused(OptionError, words):
            make("Walk", num_envs=2, isolation=isolation)
    given: dict[str, Any] = {"thread_affinity": [0], "thread_affinity_offset": 0, "numa_node": 0}
    with parallel_pool.ThreadPool(1) as threads:
        for name, value in {**given, "thread_pool": threads}.items():
            with refused(OptionError, f"{name} is for threads of this process"):
                make("Walk", num_envs=2, isolation="process", **{name: value})


def test_many_processes_are_no_oversubscription() -> None:
    with make("Walk", num_envs=8, batch_size=4, num_threads=8, isolation="process") as pool:
        assert len(pool.stats()["worker_pids"]) == 8
