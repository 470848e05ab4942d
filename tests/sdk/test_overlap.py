"""Environments whose work is done elsewhere: all of a call begin before any is waited for."""

import threading
from functools import partial
from typing import Any

import numpy as np
import parallel_pool
import pytest
from test_envs.pools import begun
from test_envs.threads import interrupted

pytestmark = pytest.mark.usefixtures("plugin")
FAILS_TO_BEGIN, FAILS_TO_GO_ON, NEVER_ANSWERS = 7, 8, 9
ENDS, BREAKS_NEXT, REFUSES, BREAKS = 1, 997, 998, 999
LONG = 60
"""A step of 0.3 seconds: no answer comes for so many times five milliseconds."""


def make(**arguments: Any) -> Any:
    return parallel_pool.make("overlap/Relay-v0", num_threads=1, **arguments)


def make_patient(**arguments: Any) -> Any:
    return parallel_pool.make("overlap/Patient-v0", **arguments)


def test_all_of_a_call_are_under_way_together() -> None:
    with make(num_envs=7) as pool:
        obs, _ = pool.reset(seed=1)
        assert obs[:, 0].tolist() == [4, 4, 4, 4, 3, 3, 3]
        drawn = [np.random.default_rng(1 + i).integers(0, 1000) for i in range(7)]
        assert obs[:, 2].tolist() == drawn, "begin_reset has the lane's generator"
        obs, reward, *_ = pool.step(np.array([2, 3, 6, 2, 4, 5, 3]))
        assert obs[:, 0].tolist() == [4, 4, 4, 4, 3, 3, 3]
        assert obs[:, 1].tolist() == [0] * 7, "each was gone on with until it was done"
        assert reward.tolist() == [2, 3, 6, 2, 4, 5, 3]


def test_only_those_that_are_asked_begin() -> None:
    with begun(make(num_envs=4), seed=1) as pool:
        obs, reward, *_ = pool.step(np.array([2, 3]), env_id=[1, 3])
        assert reward.tolist() == [2, 3]
        obs, _ = pool.reset(env_id=[0, 2])
        assert set(obs[:, 0].tolist()) <= {1, 2}


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (FAILS_TO_BEGIN, "cannot begin"),
        (FAILS_TO_GO_ON, "cannot go on"),
        (NEVER_ANSWERS, "never answered"),
    ],
)
def test_who_fails_on_the_way_fails_alone(fault: int, reason: str) -> None:
    with begun(make(num_envs=4), seed=1) as pool:
        with pytest.raises(parallel_pool.EnvError) as caught:
            pool.step(np.array([2, fault, 3, 6]))
        assert caught.value.failures == {1: reason}
        obs, reward, *_ = caught.value.result
        assert reward.tolist() == [2, 0, 3, 6]
        assert obs[[0, 2, 3], 1].tolist() == [0, 0, 0]
        pool.reset(env_id=[1])
        assert pool.step(np.array([2, 2, 2, 2]))[1].tolist() == [2] * 4


def test_asynchronous() -> None:
    with make(num_envs=6, batch_size=2, env_type="gym") as pool:
        pool.async_reset()
        for _ in range(20):
            *_, info = pool.recv()
            pool.send(np.array([2, 3]), info["env_id"])


@pytest.mark.parametrize("isolation", [None, "process"])
@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_an_episode_that_something_outside_cuts_short(mode: str, isolation: str | None) -> None:
    with begun(make(num_envs=6, autoreset_mode=mode, isolation=isolation), seed=1) as pool:
        assert "error" not in pool.step(np.full(6, 2))[-1]
        _, _, terminated, truncated, info = pool.step(np.array([2, 0, 3, 2, 2, 0]))
        assert truncated.tolist() == [False, True, False, False, False, True]
        assert not terminated.any()
        text = "the relay has ended"
        assert info["error"].tolist() == [None, text, None, None, None, text]
        assert info["_error"].tolist() == truncated.tolist()
        _, reward, *_, info = pool.step(np.full(6, 2))
        assert reward.tolist() == ([2, 0, 2, 2, 2, 0] if mode == "NextStep" else [2] * 6)
        assert "error" not in info


def same(ours: Any, theirs: Any) -> None:
    """But for the threads."""
    assert np.array_equal(ours[0][:, 0], theirs[0][:, 0])
    np.testing.assert_equal(ours[1:4], theirs[1:4])


def test_the_caller_steps_himself_what_is_soon_done() -> None:
    me = threading.get_native_id()
    with begun(make_patient(num_envs=3, num_threads=1)) as pool:
        for _ in range(20):
            assert (pool.step(np.zeros(3, int))[0][:, 1] == me).all(), "the thread that ended it"


@pytest.mark.parametrize(("num_envs", "num_threads"), [(3, 1), (9, 2)])
def test_the_caller_leaves_what_takes_long(num_envs: int, num_threads: int) -> None:
    with begun(make_patient(num_envs=num_envs, num_threads=num_threads)) as pool:
        actions = np.zeros(num_envs, int)
        actions[-1] = LONG
        obs, reward, *_ = pool.step(actions)
        assert obs[:, 0].tolist() == [1] * num_envs, "each has begun once"
        assert reward.tolist() == actions.tolist()
        assert obs[-1, 1] != threading.get_native_id()


def test_a_stack_takes_each_step_of_a_chunk_that_is_left_once() -> None:
    stack = {"frame_stack": 3}
    with begun(make_patient(num_envs=3, num_threads=1, action_chunk=4, transform=stack)) as pool:
        actions = np.zeros((3, 4), int)
        actions[-1, 2] = LONG
        obs, reward, *_, info = pool.step(actions)
        assert obs[:, :, 0].tolist() == [[2, 3, 4]] * 3
        assert reward.tolist() == actions.sum(axis=1).tolist()
        assert info["elapsed_step"].tolist() == info["chunk_steps"].tolist() == [4] * 3


@pytest.mark.parametrize(
    ("num_threads", "mode"), [(1, "NextStep"), (2, "NextStep"), (2, "SameStep")]
)
def test_an_interrupt_is_heard_and_loses_nothing(num_threads: int, mode: str) -> None:
    """In a step that waits, beside environments that are reset, or that answer, refuse and break."""
    arguments = {"num_envs": 9, "num_threads": num_threads, "autoreset_mode": mode}
    with begun(make_patient(**arguments), make_patient(**arguments)) as (pool, twin):
        for quick in ([0] * 8, [0, ENDS, 0, 0, 0, 0, BREAKS, 0], [0] * 8):
            actions = np.array([*quick, LONG])
            assert interrupted(partial(pool.step, actions), 0.1) < 0.1
            with pytest.raises(TimeoutError):
                pool.recv(timeout=0.001)
            expected = twin.step(actions)
            result = pool.recv()
            same(result, expected)
            assert ("error" in result[-1]) == ("error" in expected[-1]) == (BREAKS in quick)


def test_what_was_said_of_a_step_that_is_left_counts() -> None:
    with begun(make_patient(num_envs=4, num_threads=1)) as pool:
        with pytest.raises(parallel_pool.EnvError) as caught:
            pool.step(np.array([REFUSES, 0, BREAKS, LONG]))
        assert caught.value.failures == {0: "refused"}
        obs, reward, _, truncated, info = caught.value.result
        assert reward.tolist() == [0, 0, 0, LONG]
        assert truncated.tolist() == [True, False, True, False]
        assert info["error"][2] == "it broke"
        assert obs[-1, 1] != threading.get_native_id()


@pytest.mark.parametrize("seeded", [[], [3], [1, 3]])
def test_resets_begin_before_steps_of_others_end(seeded: list[int]) -> None:
    """Those with seeds that were given ahead too."""
    with begun(make_patient(num_envs=4, num_threads=1)) as pool:
        pool.step(np.array([0, ENDS, 0, ENDS]))
        if seeded:
            pool.seed_next(seeded, 5)
        before = pool.step(np.array([0, 0, 3, 0]))[0][[1, 3], 2]
        pool.step(np.array([0, ENDS, 0, BREAKS_NEXT]))
        if seeded:
            pool.seed_next(seeded, 7)
        with pytest.raises(parallel_pool.EnvError) as caught:
            pool.step(np.array([0, 0, 3, 0]))
        assert caught.value.failures == {3: "broken for good"}
        after = caught.value.result[0][1, 2]
        assert (after - before).tolist() == [6, 6], "four steps, and the two beside the first reset"


def test_a_reset_that_begins_early_has_its_seed() -> None:
    with begun(make(num_envs=4), seed=1) as pool:
        pool.step(np.array([2, 0, 2, 0]))
        pool.seed_next([3], [77])
        drawn = pool.step(np.full(4, 2))[0][[1, 3], 2].tolist()
        goes_on = np.random.default_rng(2).integers(0, 1000, 2)[1]
        assert drawn == [goes_on, np.random.default_rng(77).integers(0, 1000)]


def test_a_pool_is_closed_while_a_step_waits() -> None:
    for _ in range(2):
        pool = make_patient(num_envs=4, num_threads=1)
        pool.reset()
        interrupted(partial(pool.step, np.array([0, 0, 0, LONG])), 0.05)
        pool.close()
