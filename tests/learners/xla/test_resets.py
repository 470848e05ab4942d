"""Resets inside of programs, of all and by a mask."""

from __future__ import annotations

from typing import Any

import numpy as np
import parallel_pool
import pytest

jax = pytest.importorskip("jax")
jnp = pytest.importorskip("jax.numpy")
lax = pytest.importorskip("jax.lax")


def cart_poles(**arguments: Any) -> Any:
    arguments = {"autoreset_mode": "Disabled", "max_episode_steps": 15, **arguments}
    return parallel_pool.make("CartPole-v1", num_envs=6, seed=3, **arguments)


@pytest.mark.parametrize("backend", ["ffi", "callback"])
@pytest.mark.parametrize("env_type", ["gymnasium", "gym", "dm"])
def test_a_mask_in_a_scan(backend: str, env_type: str) -> None:
    """As a loop in Python that resets those whose episode has ended."""
    steps = 60
    actions = np.random.default_rng(0).integers(0, 2, (steps, 6))
    with cart_poles() as pool:
        pool.reset()
        expected = []
        for action in actions:
            obs, _, terminated, truncated, _ = pool.step(action)
            ended = terminated | truncated
            if ended.any():
                obs, _ = pool.reset(options={"reset_mask": ended})
            expected.append(obs.copy())
    with cart_poles(env_type=env_type) as pool:
        pool.reset()
        program = pool.xla(backend)

        def ended(result: Any) -> Any:
            return result.step_type == 2 if env_type == "dm" else result[2] | result[3]

        def obs_of(result: Any) -> Any:
            if env_type == "dm":
                return result.observation.obs
            return result if env_type == "gym" else result[0]

        def body(handle: Any, action: Any) -> Any:
            handle, result = program.step(handle, action)
            handle, after = program.reset(handle, ended(result), result)
            return handle, obs_of(after)

        _, obs = jax.jit(lambda handle: lax.scan(body, handle, actions))(program.handle)
        np.testing.assert_array_equal(obs, np.stack(expected))


@pytest.mark.parametrize("backend", ["ffi", "callback"])
def test_rows_of_the_others_stay(backend: str) -> None:
    with cart_poles() as pool:
        pool.reset()
        program = pool.xla(backend)
        handle, (obs, *_, info) = program.step(program.handle, np.ones(6, int))
        kept = np.array(obs)
        mask = np.array([1, 0, 0, 1, 0, 0], bool)
        handle, (after, infos) = jax.jit(program.reset)(handle, mask, (obs, info))
        np.testing.assert_array_equal(after[~mask], kept[~mask])
        assert (np.asarray(after)[mask] != kept[mask]).all()
        np.testing.assert_array_equal(infos["elapsed_step"], [0, 1, 1, 0, 1, 1])
        np.testing.assert_array_equal(infos["env_id"], np.arange(6))
        handle, (again, _) = jax.jit(program.reset)(handle, np.zeros(6, bool), (after, infos))
        np.testing.assert_array_equal(again, after)


@pytest.mark.parametrize("backend", ["ffi", "callback"])
def test_seeds(backend: str) -> None:
    with cart_poles() as pool, cart_poles() as twin:
        pool.reset()
        twin.reset()
        program = pool.xla(backend)
        handle, (obs, _) = program.reset(program.handle, seed=11)
        np.testing.assert_array_equal(obs, twin.reset(seed=11)[0])
        seeds = np.arange(6, dtype=np.uint32) * 7
        handle, (obs, info) = jax.jit(lambda h, s: program.reset(h, seed=s))(handle, seeds)
        np.testing.assert_array_equal(obs, twin.reset(seed=seeds.tolist())[0])
        mask = np.array([0, 1, 0, 0, 0, 1], bool)
        handle, (obs, _) = program.reset(handle, mask, (obs, info), seed=seeds + 1)
        some = twin.reset([1, 5], seed=[8, 36])[0]
        np.testing.assert_array_equal(obs[mask], some)


def test_what_is_wrong_is_said() -> None:
    with cart_poles() as pool:
        obs, info = pool.reset()
        program = pool.xla()
        mask = np.zeros(6, bool)
        for arguments, error, said in (
            ((mask,), ValueError, "last"),
            ((mask, (obs,)), ValueError, "no 1"),
            ((mask, (obs[:3], info)), ValueError, "expected"),
            ((np.zeros(6), (obs, info)), TypeError, "expected bool"),
            ((np.zeros(5, bool), (obs, info)), TypeError, "expected bool"),
        ):
            with pytest.raises(error, match=said):
                program.reset(program.handle, *arguments)
        with pytest.raises(TypeError, match="seed is float32"):
            program.reset(program.handle, seed=1.5)
    with cart_poles(batch_size=3, autoreset_mode="NextStep") as pool:
        program = pool.xla()
        with pytest.raises(parallel_pool.OptionError, match="takes no mask"):
            program.reset(program.handle, mask, (obs, info))
