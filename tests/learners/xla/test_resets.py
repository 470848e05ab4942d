"""Resets inside of programs, of all and by a mask."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import parallel_pool
import pytest
from envpool_interface.test_every_dialect import first_of
from jax import lax
from test_envs.pools import begun


def cart_poles(**arguments: Any) -> Any:
    arguments = {"autoreset_mode": "Disabled", "max_episode_steps": 15, **arguments}
    return parallel_pool.make("CartPole-v1", num_envs=6, seed=3, **arguments)


@pytest.mark.parametrize("env_type", ["gymnasium", "gym", "dm"])
def test_a_mask_in_a_scan(backend: str, env_type: str) -> None:
    """As a loop in Python that resets those whose episode has ended."""
    steps = 60
    actions = np.random.default_rng(0).integers(0, 2, (steps, 6))
    with begun(cart_poles()) as pool:
        expected = []
        for action in actions:
            obs, _, terminated, truncated, _ = pool.step(action)
            ended = terminated | truncated
            if ended.any():
                obs, _ = pool.reset(options={"reset_mask": ended})
            expected.append(obs.copy())
    with begun(cart_poles(env_type=env_type)) as pool:
        program = pool.xla(backend)

        def ended(result: Any) -> Any:
            return result.step_type == 2 if env_type == "dm" else result[2] | result[3]

        def body(handle: Any, action: Any) -> Any:
            handle, result = program.step(handle, action)
            handle, after = program.reset(handle, ended(result), result)
            return handle, first_of(after)

        _, obs = jax.jit(lambda handle: lax.scan(body, handle, actions))(program.handle)
        np.testing.assert_array_equal(obs, np.stack(expected))


def test_rows_of_the_others_stay(backend: str) -> None:
    with begun(cart_poles()) as pool:
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


WIDE = [0, 2**32 - 1, 2**32, 2**63 + 5, 2**64 - 1, 7]


def test_seeds(backend: str) -> None:
    """As the pool's own, those of 64 bits too, whatever JAX's 64-bit types are."""
    words = np.array([[seed % 2**32, seed >> 32] for seed in WIDE], np.uint32)
    with begun(cart_poles(), cart_poles()) as (pool, twin):
        program = pool.xla(backend)
        reset = jax.jit(lambda handle, seed: program.reset(handle, seed=seed))
        handle = program.handle
        expected = twin.reset(seed=WIDE)[0]
        for seeds in (WIDE, np.array(WIDE, np.uint64)):
            handle, (obs, _) = program.reset(handle, seed=seeds)
            np.testing.assert_array_equal(obs, expected)
        handle, (obs, info) = reset(handle, words)
        np.testing.assert_array_equal(obs, expected)
        mask = np.arange(6) == 3
        handle, (obs, _) = program.reset(handle, mask, (jnp.zeros_like(obs), info), seed=words)
        np.testing.assert_array_equal(obs, np.where(mask[:, None], expected, 0))
        for seed in (11, 2**40 - 3, 2**32 - 3):  # the high word counts on
            handle, (obs, _) = program.reset(handle, seed=seed)
            np.testing.assert_array_equal(obs, twin.reset(seed=seed)[0])
        few = np.arange(6, dtype=np.uint32) * 7
        handle, (obs, _) = reset(handle, few)
        np.testing.assert_array_equal(obs, twin.reset(seed=few.tolist())[0])
        handle, (obs, _) = reset(handle, np.uint32(2**32 - 3))
        np.testing.assert_array_equal(obs, twin.reset(seed=2**32 - 3)[0])
        with jax.enable_x64(True):
            handle, (obs, _) = reset(handle, np.array(WIDE, np.uint64))
            np.testing.assert_array_equal(obs, expected)
            handle, (obs, _) = reset(handle, np.uint64(2**40 - 3))
            np.testing.assert_array_equal(obs, twin.reset(seed=2**40 - 3)[0])


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
        for seed, wrong, said in (
            (2**64, parallel_pool.OptionError, "not an int in 0"),
            (-1, parallel_pool.OptionError, "not an int in 0"),
            ([1, 2], parallel_pool.OptionError, "2 values for 6 environments"),
            ([None] * 6, TypeError, "give every environment one"),
            (np.zeros((6, 2), np.int32), TypeError, r"uint32\[6,2\], the low"),
        ):
            with pytest.raises(wrong, match=said):
                program.reset(program.handle, seed=seed)
    with cart_poles(batch_size=3, autoreset_mode="NextStep") as pool:
        program = pool.xla()
        with pytest.raises(parallel_pool.OptionError, match="takes no mask"):
            program.reset(program.handle, mask, (obs, info))
