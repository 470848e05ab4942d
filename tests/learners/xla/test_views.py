"""Results are those of the view, with what is there in some batches only always there."""

from typing import Any

import dm_env
import jax
import numpy as np
import parallel_pool
import pytest
from envpool_interface.test_every_dialect import every_dialect, first_of
from parallel_pool import envpool


def flattened(tree: Any) -> dict[str, Any]:
    return {
        jax.tree_util.keystr(path): np.asarray(leaf)
        for path, leaf in jax.tree_util.tree_leaves_with_path(tree)
    }


def same(program: Any, python: Any) -> int:
    """Everything that both have is the same; how many arrays that are."""
    mine, theirs = flattened(program), flattened(python)
    for name in mine.keys() & theirs.keys():
        np.testing.assert_array_equal(mine[name], theirs[name].astype(mine[name].dtype), name)
    return len(mine.keys() & theirs.keys())


@pytest.mark.parametrize("env_type", ["gymnasium", "gym", "dm"])
def test_our_own(env_type: str, backend: str) -> None:
    arguments: dict[str, Any] = {"num_envs": 3, "seed": 5, "autoreset_mode": "SameStep"}
    with (
        parallel_pool.make("CartPole-v1", env_type, **arguments) as pool,
        parallel_pool.make("CartPole-v1", env_type, **arguments) as twin,
    ):
        program = pool.xla(backend)
        handle, first = jax.jit(program.reset)(program.handle)
        assert same(first, twin.reset()) >= 1
        step = jax.jit(program.step)
        for _ in range(30):
            handle, result = step(handle, np.ones(3, int))
            expected = twin.step(np.ones(3, int))
            if env_type == "dm":
                assert isinstance(result, dm_env.TimeStep)
                assert result.observation._fields == expected.observation._fields
                ended = expected.last()
                final = result.observation.final_obs, expected.observation.final_obs
                result = result._replace(observation=result.observation._replace(final_obs=()))
            else:
                ended = expected[2] | expected[3]
                key = "final_obs_dense" if env_type == "gymnasium" else "final_obs"
                final = result[-1].pop(key), expected[-1].pop(key)
                for each in (result[-1], expected[-1]):
                    for name in ("final_info", "final_obs", "episode"):
                        each.pop(name, None)
            assert same(result, expected) >= 7
            np.testing.assert_array_equal(np.asarray(final[0])[ended], final[1][ended])


def ids_of(result: Any) -> Any:
    return result.observation.env_id if hasattr(result, "observation") else result[-1]["env_id"]


@every_dialect
def test_envpools(make: Any, name: str, backend: str) -> None:
    """In EnvPool's order: (handle, recv, send, step), with recv before send."""
    arguments = {"num_envs": 4, "batch_size": 2, "seed": 5, "num_threads": 1}
    with make("CartPole-v1", **arguments) as pool:
        pool.async_reset()
        handle, recv, send, step = pool.xla(backend)
        handle, result = jax.jit(recv)(handle)
        ids = ids_of(result)
        step = jax.jit(step)
        for _ in range(20):
            handle, result = step(handle, np.ones(2, np.int32), ids)
            ids = ids_of(result)
        if len(result) == 4 and not isinstance(result, dm_env.TimeStep):
            assert "TimeLimit.truncated" in result[-1]
        assert result[1].dtype == np.float32
        handle = send(handle, np.ones(2, np.int32), ids)
        assert handle.shape == (4,)


@pytest.mark.parametrize("make", [parallel_pool.make, parallel_pool.make_dm, envpool.make_dm])
def test_pools_whose_results_are_tensors(make: Any, backend: str) -> None:
    """A TimeStep does not show the mask that is for devices, and `last` does not need it."""
    pytest.importorskip("torch")
    arguments = {"num_envs": 3, "seed": 1, "output": "torch", "autoreset_mode": "SameStep"}
    with make("CartPole-v1", **arguments) as pool:
        tensors, program = pool.reset(), pool.xla(backend)
        handle, arrays = program.reset(program.handle, seed=1)
        np.testing.assert_array_equal(first_of(arrays), first_of(tensors))
        for last in tensors, arrays:
            handle, after = program.reset(handle, np.array([True, False, False]), last)
            np.testing.assert_array_equal(first_of(after)[1:], first_of(last)[1:])
