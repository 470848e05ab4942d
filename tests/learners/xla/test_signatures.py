"""A program is for pools of one kind: with the handle of another it raises an error, and steps nothing."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import jax
import numpy as np
import parallel_pool
import pytest
from test_envs.bad_actions import told

N = 4

POOLS: dict[str, dict[str, Any]] = {
    "CartPole": {"task_id": "CartPole-v1"},
    "Pendulum": {"task_id": "Pendulum-v1"},
    "MountainCar": {"task_id": "MountainCar-v0"},
    "SameStep": {"task_id": "CartPole-v1", "autoreset_mode": "SameStep"},
    "Disabled": {"task_id": "CartPole-v1", "autoreset_mode": "Disabled"},
    "isolated": {"task_id": "CartPole-v1", "isolation": "process"},
    "statistics": {"task_id": "CartPole-v1", "episode_statistics": True},
    "asynchronous": {"task_id": "CartPole-v1", "batch_size": 2},
    "more": {"task_id": "CartPole-v1", "num_envs": 5},
    "gym": {"task_id": "CartPole-v1", "env_type": "gym"},
    "dm": {"task_id": "CartPole-v1", "env_type": "dm"},
}
WORDS = {
    "Pendulum": ("the action is int32[]", "the action is float32[1]"),
    "MountainCar": ("step(...)[0] is float32[4]", "step(...)[0] is float32[2]"),
    "SameStep": ("autoreset_mode is NextStep", "autoreset_mode is SameStep"),
    "isolated": ("worker_crashed", "without that"),
    "asynchronous": ("batch_size is 4", "batch_size is 2"),
    "more": ("num_envs is 4", "num_envs is 5"),
}
"""What the error of CartPole's program says of these pools."""


def made(name: str, **arguments: Any) -> Any:
    pool = parallel_pool.make(**{"num_envs": N, "seed": 1, **POOLS[name], **arguments})
    if pool.is_async:
        pool.async_reset()
        pool.recv(), pool.recv()
    else:
        pool.reset()
    return pool


@pytest.fixture(scope="module")
def pools() -> Iterator[dict[str, Any]]:
    with ExitStack() as stack:
        yield {name: stack.enter_context(made(name)) for name in POOLS}


def calls(pool: Any, backend: str) -> dict[str, Any]:
    """The calls of a program for this pool, each a function of the handle alone, compiled ahead of time."""
    program = pool.xla(backend)
    action = np.zeros(
        (pool.config["num_envs"], *pool.spec.action_space.shape), pool.spec.action_space.dtype
    )
    all_calls = {
        "step": lambda handle: program.step(handle, action),
        "send": lambda handle: program.send(handle, action),
        "recv": program.recv,
        "reset": program.reset,
        "seeds": lambda handle: program.reset(handle, seed=3),
    }
    if not pool.is_async:
        mask = np.ones(N if len(pool) == N else len(pool), bool)
        last = program.reset(program.handle)[1]
        all_calls["mask"] = lambda handle: program.reset(handle, mask, last)
    return {name: jax.jit(call).lower(program.handle).compile() for name, call in all_calls.items()}


def states(pool: Any) -> list[bytes]:
    """All but the checksum, and an episode's return and its seconds, which pass meanwhile."""
    return [state[32:] for state in pool.get_state()]


def ran(call: Any, handle: Any) -> Any:
    return jax.block_until_ready(call(handle))


@pytest.mark.parametrize("name", POOLS)
def test_the_handle_of_another_kind_steps_nothing(
    name: str, pools: dict[str, Any], backend: str
) -> None:
    programs = calls(pools[name], backend)
    for other in POOLS.keys() - {name}:
        pool = pools[other]
        before, handle = states(pool), pool.xla(backend).handle
        for call in programs.values():
            _, said = told(ran, call, handle)
            assert "the program was made for" in said
            assert "Nothing was stepped: give it the handle of a pool like its own" in said
            if name == "CartPole":
                assert all(word in said for word in WORDS.get(other, ())), said
        assert states(pool) == before
        assert np.array_equal(pool.xla(backend).handle, handle)
        with pytest.raises(parallel_pool.NothingPendingError):
            pool.recv()


def test_what_is_on_its_way_stays_so(backend: str) -> None:
    with made("CartPole") as own, made("Pendulum") as pool:
        programs = calls(own, backend)
        handle = pool.xla(backend).handle
        pool.send(np.ones((N, 1)))
        assert "the program was made for" in told(ran, programs["recv"], handle)[1]
        assert pool.recv()[4]["elapsed_step"].tolist() == [1] * N


@pytest.mark.parametrize("name", POOLS)
def test_the_next_pool_of_the_kind(name: str, backend: str) -> None:
    """Another seed, other threads: the pool of the handle is stepped, and no other."""
    with made(name) as own, made(name, seed=7, num_threads=1) as pool, made(name, seed=7) as twin:
        step = calls(own, backend)["step"]
        before = states(own)
        handle = pool.xla(backend).handle
        action = np.zeros((len(pool), *pool.spec.action_space.shape), pool.spec.action_space.dtype)
        for _ in range(3):
            handle, result = step(handle)
            if pool.is_async:
                pool.recv(), twin.step(action), twin.recv()
            else:
                expected = twin.step(action)
                first = jax.tree.leaves(result)[0]
                np.testing.assert_array_equal(first, jax.tree.leaves(expected)[0])
        assert states(pool) == states(twin)
        assert states(own) == before


def test_a_program_outlives_its_pool(backend: str) -> None:
    with made("CartPole") as own:
        step = calls(own, backend)["step"]
    del own
    with made("CartPole") as pool:
        _, result = step(pool.xla(backend).handle)
        assert np.asarray(result[4]["elapsed_step"]).tolist() == [1] * N
