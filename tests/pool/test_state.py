"""States: what was saved goes on exactly, anywhere it fits, and says why where it does not."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import parallel_pool
import pytest
from parallel_pool import AlreadyPendingError, EnvError, ResetNeededError, StateError
from test_envs import compiling
from test_envs.checks import leaves, refused
from test_envs.pools import WALKS, make, native
from test_envs.threads import in_threads

ACTIONS: dict[str, int] = {"Count": 3, "Memory": 8, **dict.fromkeys(WALKS, 3)}
"""Environments with discrete actions, and how many."""


def actions_of(name: str, draw: np.random.Generator, n: int) -> Any:
    """Random actions; nested ones for Types."""
    if name != "Types":
        return draw.integers(0, ACTIONS[name], n)
    return {
        "arm": {
            "force": draw.uniform(-1, 1, (n, 2)).astype(np.float32),
            "grip": draw.integers(0, 2, (n, 3)).astype(np.int8),
        },
        "joint": draw.integers(-2, 3, n),
        "pair": (draw.integers(0, 3, n), draw.integers(0, 2, (n, 2))),
    }


def equal(left: Any, right: Any) -> None:
    """Every array of two results, but what is measured or says nothing."""
    for result in (left, right):
        info = result[-1]
        info.pop("final_obs", None)  # an array of objects; the dense one has the same
        if "episode" in info:
            info["episode"].pop("t")
        for rows in leaves(info.get("final_obs_dense", ())):
            rows[~info["_final_obs_dense"]] = 0
    for got, wanted in zip(leaves(left), leaves(right), strict=True):
        np.testing.assert_array_equal(got, wanted)


def play(pool: Any, name: str, steps: int, seed: int) -> list[Any]:
    draw = np.random.default_rng(seed)
    return [pool.step(actions_of(name, draw, len(pool))) for _ in range(steps)]


def same_future(name: str, left: Any, right: Any, steps: int, seed: int = 7) -> None:
    for got, wanted in zip(
        play(left, name, steps, seed), play(right, name, steps, seed), strict=True
    ):
        equal(got, wanted)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("name", [*ACTIONS, "Types"])
def test_a_restored_pool_goes_on_as_its_twin(name: str, mode: str) -> None:
    """Through thousands of steps, time limits, ends of episodes and a later reset."""
    common: dict[str, Any] = {
        "num_envs": 20,
        "max_episode_steps": 30,
        "autoreset_mode": mode,
        "episode_statistics": True,
    }
    # Another size of shards, threads and seeds: nothing of it is part of a state.
    with make(name, seed=1, **common) as twin, make(name, seed=99, num_threads=2, **common) as pool:
        twin.reset()
        pool.reset()
        for moment in range(8):
            play(twin, name, 5 + moment, moment)
            play(pool, name, 3, moment)
            pool.set_state(None, twin.get_state())
            same_future(name, pool, twin, 150)
        equal(pool.reset([3, 1]), twin.reset([3, 1]))
        same_future(name, pool, twin, 50)


def test_saving_changes_nothing_and_equal_states_are_equal_bytes() -> None:
    for name in [*ACTIONS, "Types"]:
        with make(name, num_envs=4, seed=1) as twin, make(name, num_envs=4, seed=1) as pool:
            for each in (twin, pool):
                each.reset()
                play(each, name, 3, 0)
            assert pool.get_state() == pool.get_state() == twin.get_state()
            same_future(name, pool, twin, 50)


@pytest.mark.parametrize("name", ACTIONS)
def test_some_environments_are_restored_and_the_others_left_alone(name: str) -> None:
    with make(name, num_envs=6, seed=1) as pool, make(name, num_envs=6, seed=1) as twin:
        pool.reset()
        twin.reset()
        states = pool.get_state([4, 1])
        assert [type(state) for state in states] == [bytes, bytes]
        for each in (pool, twin):
            play(each, name, 4, 0)
        pool.set_state([4, 1], states)
        draw = np.random.default_rng(3)
        rest = [0, 2, 3, 5]
        actions = actions_of(name, draw, 4)
        equal(pool.step(actions, rest), twin.step(actions, rest))
        # And those two are where they were: a fresh twin of the seed says so.
        with make(name, num_envs=6, seed=1) as fresh:
            fresh.reset()
            actions = actions_of(name, draw, 2)
            equal(pool.step(actions, [1, 4]), fresh.step(actions, [1, 4]))


def test_a_state_may_go_to_another_environment_of_another_pool() -> None:
    with make("Walk", num_envs=3, seed=5) as one, make("Walk", "gym", num_envs=9) as other:
        one.reset()
        other.reset()
        play(one, "Walk", 4, 0)
        other.set_state([8], one.get_state([2]))
        for _ in range(60):
            mine = one.step([1], [2])
            theirs = other.step([1], [8])
            np.testing.assert_array_equal(mine[0], theirs[0])
            np.testing.assert_array_equal(mine[2], theirs[2])


@pytest.mark.parametrize("name", ["Walk", "WalkBatch", "WalkLanes", "Memory"])
def test_clones_agree_until_their_actions_differ(name: str) -> None:
    with make(name, num_envs=9, seed=2) as pool:
        pool.reset()
        play(pool, name, 5, 0)
        pool.clone(0, range(1, 9))
        draw = np.random.default_rng(1)
        for _ in range(100):
            obs, reward, terminated, *_ = pool.step(np.full(9, draw.integers(ACTIONS[name])))
            assert (obs == obs[0]).all()
            assert (reward == reward[0]).all()
            assert (terminated == terminated[0]).all()
        pool.clone(3, [0, 1, 2, 3, 4, 5, 6, 7, 8])
        obs, reward, *_ = pool.step(np.arange(9) % ACTIONS[name])
        while pool.step(np.arange(9) % ACTIONS[name])[2].any():
            pass
        obs, *_ = pool.step(np.arange(9) % ACTIONS[name])
        assert len(np.unique(obs[:3], axis=0)) > 1


# ---- the host's part -----------------------------------------------------------------------------


def test_a_pending_autoreset_is_part_of_the_state() -> None:
    with make(num_envs=2, max_count=3) as pool:
        pool.reset()
        for _ in range(3):
            result = pool.step([1, 1])
        assert result[2].all()
        ended = pool.get_state()
        for _ in range(2):
            obs, reward, *_, info = pool.step([1, 1])
        assert obs.tolist() == [1, 1]
        pool.set_state(None, ended)
        obs, reward, terminated, truncated, info = pool.step([1, 1])
        assert obs.tolist() == reward.tolist() == info["elapsed_step"].tolist() == [0, 0]
        assert not terminated.any()
        assert not truncated.any()
        # Where nobody resets by himself, it waits for its reset; SAME_STEP has no such state.
        with make(num_envs=2, max_count=3, autoreset_mode="Disabled") as disabled:
            disabled.reset()
            disabled.set_state([1], ended[:1])
            with refused(ResetNeededError, "environment 1 has ended"):
                disabled.step([0, 0])
            disabled.reset([1])
            disabled.step([0, 0])
        with make(num_envs=2, max_count=3, autoreset_mode="SameStep") as same_step:
            same_step.reset()
            with refused(StateError, "environment 0", "ended", "SAME_STEP"):
                same_step.set_state([0], ended[:1])
            same_step.step([0, 0])


def test_the_time_limit_counts_on() -> None:
    with make("Count", num_envs=1, max_count=1000, max_episode_steps=10) as pool:
        pool.reset()
        for _ in range(7):
            pool.step([0])
        state = pool.get_state()
        for _ in range(20):
            pool.step([0])
        pool.set_state(None, state)
        flags = [bool(pool.step([0])[3][0]) for _ in range(4)]
        assert flags == [False, False, True, False]


def test_statistics_count_on_and_are_nan_where_nobody_counted() -> None:
    arguments: dict[str, Any] = {"num_envs": 1, "max_count": 6}
    with (
        make(**arguments, episode_statistics=True) as counted,
        make(**arguments) as plain,
    ):
        for pool in (counted, plain):
            pool.reset()
            for _ in range(4):
                pool.step([2])
        state = counted.get_state()
        counted.reset()
        counted.set_state(None, state)
        counted.step([2])
        episode = counted.step([2])[4]["episode"]
        assert (episode["r"].tolist(), episode["l"].tolist()) == ([12.0], [6])
        assert 0 <= episode["t"][0] < 60
        counted.set_state(None, plain.get_state())
        counted.step([2])
        episode = counted.step([2])[4]["episode"]
        assert np.isnan(episode["r"][0])
        assert np.isnan(episode["t"][0])
        assert episode["l"].tolist() == [6]
        # The next episode is counted as always.
        counted.step([2])
        for _ in range(6):
            result = counted.step([2])
        assert result[4]["episode"]["r"].tolist() == [12.0]


def test_an_environment_before_its_first_reset() -> None:
    with make("Walk", num_envs=2, seed=3) as pool, make("Walk", num_envs=2, seed=3) as twin:
        fresh = pool.get_state()
        pool.reset()
        play(pool, "Walk", 5, 0)
        pool.set_state(None, fresh)
        with refused(ResetNeededError, "environment 0 was never reset"):
            pool.step([0, 0])
        # With the seed it was made with.
        equal(pool.reset(), twin.reset())
        same_future("Walk", pool, twin, 50)


def test_a_reset_with_a_seed_that_waits_is_part_of_the_state() -> None:
    with make("Walk", num_envs=2, seed=3) as pool:
        fresh = pool.get_state([1])
        first = pool.reset()[0]
        pool.set_state([0], fresh)
        np.testing.assert_array_equal(pool.reset([0])[0][0], first[1])


# ---- failures ------------------------------------------------------------------------------------


def test_a_failed_environment_recovers_by_a_state() -> None:
    with make("Faulty", num_envs=3) as pool:
        pool.reset()
        pool.step([0, 0, 0])
        states = pool.get_state()
        with pytest.raises(EnvError):
            pool.step([0, 1, 0])
        with refused(ResetNeededError, "environment 1 failed earlier"):
            pool.get_state()
        with refused(ResetNeededError, "environment 1 failed earlier"):
            pool.step([0, 0, 0])
        pool.set_state([1], states[1:2])
        assert pool.step([0, 0, 0])[0].tolist() == [3, 2, 3]
        assert len(pool.get_state()) == 3


def test_a_plugin_that_fails_to_save() -> None:
    with make("Faulty", num_envs=2) as pool:
        pool.reset()
        pool.step([0, 5])
        with refused(StateError, "environment 1 could not be saved: boom in save"):
            pool.get_state()
        pool.get_state([0])
        assert pool.step([0, 0])[0].tolist() == [2, 2]


def test_a_plugin_that_fails_to_load_loses_that_environment_only() -> None:
    with make("Faulty", num_envs=3) as pool:
        pool.reset()
        fine = pool.get_state()
        pool.step([0, 6, 0])
        bad = pool.get_state([1])
        with refused(StateError, "environment 1 refused its state", "boom in load"):
            pool.set_state(None, [fine[0], *bad, fine[2]])
        with refused(ResetNeededError, "environment 1 failed"):
            pool.step([0, 0, 0])
        assert pool.step([0, 0], [0, 2])[0].tolist() == [1, 1]
        pool.set_state([1], fine[1:2])
        assert pool.step([0, 0, 0])[0].tolist() == [2, 1, 2]


def test_an_environment_without_the_extension_says_so() -> None:
    with make("Echo", num_envs=2) as pool:
        pool.reset()
        for use in (
            pool.get_state,
            lambda: pool.set_state([0], [b"x"]),
            lambda: pool.clone(0, [1]),
        ):
            with refused(StateError, "test/Echo-v0", "test 0.0.0", "pp.state/1"):
                use()
        pool.step(np.zeros((2, 2), np.float32))


# ---- what does not fit ---------------------------------------------------------------------------


def test_every_flipped_bit_is_found() -> None:
    with make("Memory", num_envs=1) as pool:
        pool.reset()
        pool.step([3])
        (state,) = pool.get_state()
        for bit in range(8 * len(state)):
            broken = bytearray(state)
            broken[bit // 8] ^= 1 << bit % 8
            with pytest.raises(StateError, match=r"corrupt|not a state|format|truncated"):
                pool.set_state(None, [bytes(broken)])
        assert pool.get_state() == [state]


def test_truncated_and_foreign_bytes_are_refused_by_name() -> None:
    with make("Walk", num_envs=2) as pool:
        pool.reset()
        state = pool.get_state([0])[0]
        for length in [*range(0, len(state), 7), len(state) - 1]:
            with refused(StateError, "truncated", f"it has {length} bytes"):
                pool.set_state([0], [state[:length]])
        for other, word in (
            (state + b"x", "corrupt"),
            (b"\0" * 500, "not a state"),
            (state[3::-1] + state[4:], "byte order"),
            (state[:4] + (2).to_bytes(4, sys.byteorder) + state[8:], "format 2"),
        ):
            with refused(StateError, word):
                pool.set_state([0], [other])
        with refused(TypeError, "bytes", "str"):
            pool.set_state([0], ["state"])  # type: ignore[list-item]
        with refused(ValueError, "2 states for 1 environments"):
            pool.set_state([0], [state, state])
        with refused(ValueError, "occurs twice"):
            pool.set_state([1, 1], [state, state])
        with refused(IndexError, "2"):
            pool.get_state([2])


def harmless(pool: Any, use: Callable[[], None], *parts: str) -> None:
    """A refusal, with those words, that leaves the pool as it was."""
    before = pool.get_state()
    with refused(StateError, *parts):
        use()
    assert pool.get_state() == before


def test_a_state_of_another_environment() -> None:
    with make("Walk", num_envs=2) as pool, make("WalkLanes", num_envs=2) as other:
        pool.reset()
        other.reset()
        mixed = [pool.get_state([0])[0], other.get_state([1])[0]]
        pool.step([0, 0])
        harmless(
            pool,
            lambda: pool.set_state(None, mixed),
            "environment 1",
            "of the environment 'test/WalkLanes-v0', not of 'test/Walk-v0'",
        )


def test_a_state_with_other_options_names_them() -> None:
    with make(num_envs=2) as pool, make(num_envs=2, max_count=9, scale=2.0) as other:
        pool.reset()
        other.reset()
        harmless(
            pool,
            lambda: pool.set_state(None, other.get_state()),
            "environment 0",
            "options",
            "'max_count', 'scale'",
        )
        # An option given its default is no difference, nor is anything of the pool's own.
        with make(num_envs=3, max_count=5, max_episode_steps=4, seed=8) as same:
            same.set_state([2, 0], pool.get_state())


def test_options_may_differ_within_a_pool() -> None:
    pool = native("Walk", num_envs=3, options=[{"drift": 0.5}, {"drift": 1.0}, {"drift": 0.5}])
    pool.reset()
    states = pool.get_state()
    pool.set_state([2], states[:1])
    with refused(StateError, "environment 1", "'drift'"):
        pool.set_state([1], states[:1])
    pool.close()


def test_where_a_file_is_makes_no_difference() -> None:
    with make("Memory", path="/here/x") as pool, make("Memory", path="/there/x") as other:
        pool.reset()
        pool.step([1])
        other.set_state(None, pool.get_state())
        equal(other.step([2]), pool.step([2]))


def test_a_state_of_another_version(tmp_path: Path) -> None:
    path = tmp_path / "test_envs.so"
    compiling.compile_plugin(compiling.SOURCES / "test_envs.cpp", path, 'PP_PLUGIN_VERSION="9.8.7"')
    old, library = os.environ["PP_TEST_ENVS"], str(path)
    try:
        os.environ["PP_TEST_ENVS"] = library
        other = native("Walk", num_envs=1)
    finally:
        os.environ["PP_TEST_ENVS"] = old
    pool = native("Walk", num_envs=1)
    for each in (pool, other):
        each.reset()
    harmless(
        pool,
        lambda: pool.set_state(None, other.get_state()),
        "version 9.8.7",
        "this is 0.0.0",
    )
    pool.close()
    other.close()


# ---- several threads, several processes ----------------------------------------------------------


def test_work_in_flight_is_refused() -> None:
    with make("SleepyLate", num_envs=2) as pool:
        pool.reset()
        states = pool.get_state()
        pool.send([100, 0])
        for use in (
            pool.get_state,
            lambda: pool.get_state([1]),
            lambda: pool.set_state([0], states[:1]),
            lambda: pool.clone(0, [1]),
        ):
            with refused(AlreadyPendingError, "recv()"):
                use()
        pool.recv()
        pool.set_state([0], states[:1])
        assert pool.step([0, 0])[0].tolist() == [1, 2]


@pytest.mark.parametrize("name", ["Walk", "WalkLanes", "WalkBatch", "WalkLate", "WalkExclusive"])
def test_asynchronous_pools(name: str) -> None:
    """Environments not at work can be saved and restored while others are."""
    n, batch_size = 12, 4
    with (
        make(name, num_envs=n, batch_size=batch_size, num_threads=2, seed=1) as pool,
        make(name, num_envs=n, seed=1) as twin,
    ):
        twin.reset()
        pool.async_reset()
        first: dict[int, bytes] = {}
        for _ in range(300):
            *_, info = pool.recv()
            ids = info["env_id"]
            for env, elapsed in zip(ids.tolist(), info["elapsed_step"], strict=True):
                if elapsed == 0 and env not in first:
                    (first[env],) = pool.get_state([env])
                elif env in first and elapsed == 3:
                    pool.set_state([env], [first[env]])
            pool.send(ids % 3, ids)
        for _ in range(n // batch_size):
            pool.recv()
        assert len(first) == n
        pool.set_state(np.arange(n), [first[env] for env in range(n)])
        futures: dict[int, list[Any]] = {env: [] for env in range(n)}
        pool.send(np.arange(n) % 3)
        while min(map(len, futures.values())) < 20:
            obs, reward, terminated, _, info = pool.recv()
            for row, env in enumerate(info["env_id"].tolist()):
                futures[env].append((obs[row].tolist(), reward[row], terminated[row]))
            pool.send(info["env_id"] % 3, info["env_id"])
        for step in range(20):
            obs, reward, terminated, *_ = twin.step(np.arange(n) % 3)
            for env in range(n):
                assert futures[env][step] == (obs[env].tolist(), reward[env], terminated[env])


def test_threads_that_step_save_and_restore_one_pool() -> None:
    n = 64
    with make("WalkBatch", num_envs=n, num_threads=2, seed=1) as pool:
        pool.reset()
        states = pool.get_state()
        halves = (np.arange(n // 2), np.arange(n // 2, n))

        def work(ids: npt.NDArray[Any]) -> None:
            seen = set()
            for _ in range(100):
                while True:
                    try:
                        pool.set_state(ids, [states[i] for i in ids])
                        assert pool.get_state(ids) == [states[i] for i in ids]
                        seen.add(pool.step(ids % 3, ids)[0].tobytes())
                        break
                    except AlreadyPendingError:
                        continue  # a synchronous step wants the pool to itself
            assert len(seen) == 1

        in_threads(*(partial(work, ids) for ids in halves))


CHILD = """
import os, pickle, sys
import numpy as np
sys.path.insert(0, os.environ["PP_TESTS"])
from test_envs import pools
pools.register_test_envs()
name, states, seed = pickle.loads(sys.stdin.buffer.read())
pool = pools.make(name, num_envs=len(states), seed=seed, max_episode_steps=30)
pool.set_state(None, states)
draw = np.random.default_rng(0)
out = [pool.step(draw.integers(0, 3, len(pool))) for _ in range(200)]
sys.stdout.buffer.write(pickle.dumps(out))
"""


@pytest.mark.parametrize("name", ["Walk", "WalkBatch", "Memory"])
def test_another_process(name: str) -> None:
    with make(name, num_envs=5, seed=1, max_episode_steps=30) as pool:
        pool.reset()
        for step in range(10):
            pool.step(np.arange(5) * step % 3)
        given = pickle.dumps((name, pool.get_state(), 99))
        environment = {**os.environ, "PP_TESTS": str(compiling.SOURCES.parent)}
        child = subprocess.run(
            [sys.executable, "-c", CHILD],
            input=given,
            capture_output=True,
            env=environment,
            check=False,
        )
        assert child.returncode == 0, child.stderr.decode()
        draw = np.random.default_rng(0)
        for got in pickle.loads(child.stdout):
            equal(got, pool.step(draw.integers(0, 3, 5)))


# ---- views ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("env_type", ["gymnasium", "gym", "dm"])
def test_every_view_has_them(env_type: str) -> None:
    with make("Walk", env_type, num_envs=4, seed=1) as pool:
        pool.reset()
        states = pool.get_state()
        pool.clone(0, np.array([1, 3]))
        first = leaves(pool.step([2] * 4))
        for array in first:
            assert array.shape[0] == 4
        pool.set_state(range(4), states)
        pool.step([2] * 4)


def test_a_masked_reset_does_not_show_what_was_before_the_state() -> None:
    with make(num_envs=2) as pool:
        pool.reset()
        states = pool.get_state()
        pool.step([1, 1])
        pool.set_state(None, states)
        mask = np.array([True, False])
        with refused(ResetNeededError, "reset_mask"):
            pool.reset(options={"reset_mask": mask})
        pool.step([1, 1])
        assert pool.reset(options={"reset_mask": mask})[0].tolist() == [0, 1]


def test_state_after_close_is_refused() -> None:
    pool = make(num_envs=2)
    pool.reset()
    states = pool.get_state()
    pool.close()
    for use in (pool.get_state, lambda: pool.set_state(None, states)):
        with refused(parallel_pool.ClosedPoolError, "closed"):
            use()
