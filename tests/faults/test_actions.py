"""Rows of the fault matrix: actions and environment ids that are not what they should be.

Every kind of refusal is in tests/pool/test_actions.py; here is that none of them ends the process,
hangs, or leaves the pool other than it was.
"""

from typing import Any

import numpy as np
import pytest
from test_envs.checks import assert_works, refused, reset_all
from test_envs.faulty_pools import faulty
from test_envs.pools import make

pytestmark = pytest.mark.own_process(limit=30)


def pool_of_four(batch_size: int = 4) -> Any:
    """Synchronous or, with batch_size 2, asynchronous; reset."""
    pool = reset_all(make(num_envs=4, batch_size=batch_size, num_threads=2, max_count=1000))
    return pool


def step_all(pool: Any, count: int, batch_size: int) -> None:
    """One step of all environments, which is the `count`-th of their episodes: nothing else was stepped."""
    pool.send([1] * 4, [0, 1, 2, 3])
    for _ in range(4 // batch_size):
        assert pool.recv()[0].tolist() == [count] * batch_size


@pytest.mark.parametrize("batch_size", [4, 2])
def test_row_01_env_id_out_of_range(batch_size: int) -> None:
    pool = pool_of_four(batch_size)
    for env_id in ([4], [-1], [0, 2**40], [2**31], np.array([2**64 - 1], "u8")):
        for use in (
            lambda ids=env_id: pool.send([0] * len(ids), ids),
            lambda ids=env_id: pool.async_reset(ids),
            lambda ids=env_id: pool.get_state(ids),
        ):
            with refused(IndexError, f"env_id {int(env_id[-1])}", "0 .. 3"):
                use()
    step_all(pool, 1, batch_size)


def test_row_02_duplicate_env_id() -> None:
    for batch_size in (4, 2):
        pool = pool_of_four(batch_size)
        with refused(ValueError, "env_id 0 occurs twice"):
            pool.send([1, 1], [0, 0])
        with refused(ValueError, "env_id 0 occurs twice"):
            pool.async_reset([0, 1, 2, 0])
        with refused(ValueError, "env_id 0 occurs twice"):
            pool.get_state([0, 0])
        step_all(pool, 1, batch_size)


def test_row_05_too_few_actions() -> None:
    for batch_size in (4, 2):
        pool = pool_of_four(batch_size)
        for action, ids in (([0] * 3, None), ([0], [0, 1]), ([0] * 4, [0]), ([], [0]), ([], None)):
            with refused(ValueError, f"shape ({len(action)},)", "one row for each"):
                pool.send(action, ids)
        step_all(pool, 1, batch_size)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_row_11_nan_action(value: float) -> None:
    action = np.zeros((4, 2))
    action[2, 1] = value
    with make("Echo", num_envs=4) as pool:
        pool.reset()
        with refused(ValueError, "element 1", "environment 2", str(value), "not a finite number"):
            pool.step(action)
        assert pool.step(np.full((4, 2), 0.5))[0].tolist() == [[0.5, 0.5]] * 4
    with make("Echo", num_envs=4, nan_action="clip") as pool:
        pool.reset()
        stands_in = {"nan": 0.0, "inf": 1.0, "-inf": -1.0}[str(value)]
        assert pool.step(action)[0].tolist() == [[0, 0], [0, 0], [0, stands_in], [0, 0]]
    with make("Echo", num_envs=4, nan_action="truncate") as pool:
        pool.reset()
        *_, truncated, info = pool.step(action)
        assert truncated.tolist() == [False, False, True, False]
        assert f"element 1) is {value}" in info["error"][2]


def test_row_12_huge_action() -> None:
    action = np.full((2, 2), 1e30)
    with make("Echo", num_envs=2) as pool:
        pool.reset()
        assert (pool.step(action)[0] == np.float32(1e30)).all()
    with make("Echo", num_envs=2, out_of_bounds_action="raise") as pool:
        pool.reset()
        with refused(ValueError, "environment 0", "is 1e+30", "-1.0 .. 1.0"):
            pool.step(action)
        assert (pool.step(-np.ones((2, 2)))[0] == -1).all()
    with make("Echo", num_envs=2, out_of_bounds_action="clip") as pool:
        pool.reset()
        assert (pool.step(action)[0] == 1).all()
        assert (pool.step(-action)[0] == -1).all()


@pytest.mark.parametrize("policy", ["raise", "clip", "truncate"])
def test_row_13_nan_to_a_discrete_action(policy: str) -> None:
    with make(num_envs=4, nan_action=policy, out_of_bounds_action="clip") as pool:
        pool.reset()
        for action in ([0, np.nan, 0, 0], [0.0] * 4, np.zeros(4, "f4")):
            with refused(TypeError, "takes integers", "astype"):
                pool.step(action)
        assert_works(pool)


def test_row_14_discrete_action_out_of_range() -> None:
    for batch_size in (4, 2):
        pool = pool_of_four(batch_size)
        for value in (3, 7, 1000, 2**31, 2**40):
            with refused(ValueError, "environment 2", f"is {value}", "0 .. 2"):
                pool.send([0, 0, value, 0], [0, 1, 2, 3])
        step_all(pool, 1, batch_size)


def test_row_15_negative_discrete_action() -> None:
    for batch_size in (4, 2):
        pool = pool_of_four(batch_size)
        for value in (-1, -(2**31), -(2**63)):
            with refused(ValueError, "environment 3", f"is {value}", "0 .. 2"):
                pool.send([0, 0, 0, value], [0, 1, 2, 3])
        step_all(pool, 1, batch_size)


def test_row_16_wrong_action_shape_after_the_first_call() -> None:
    with make("Echo", num_envs=4) as pool:
        pool.reset()
        pool.step(np.zeros((4, 2)))
        for shape in ((4, 3), (4, 1), (4,), (8,), (3, 2), (4, 2, 1)):
            with refused(ValueError, f"shape {shape}", "expected (4, 2)"):
                pool.step(np.zeros(shape))
        assert (pool.step(np.ones((4, 2)))[0] == 1).all()


def test_row_17_integer_array_likes_are_actions() -> None:
    pool = pool_of_four()
    actions: list[Any] = [np.array([0, 1, 2, 1], dtype) for dtype in ("i1", "u2", "i4", "i8", "u8")]
    actions += [[0, 1, 2, 1], (0, 1, 2, 1), [np.int8(0), 1, np.uint16(2), 1]]
    for action in actions:
        assert pool.step(action)[1].tolist() == [0, 1, 2, 1]
    with faulty("EchoBatch", num_envs=2) as floats:
        floats.reset()
        assert floats.step([[0, 1, 2], [1, 2, 3]])[0][:, :3].tolist() == [[0, 1, 2], [1, 2, 3]]
