"""Programs do what Python does: the same trajectories, by both backends, in every control flow."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import parallel_pool
import pytest
from jax import lax
from learners.xla.programs import jitted
from test_envs.pools import begun

STEPS = 200


def policy(obs: Any) -> Any:
    return (obs[:, 2] > 0).astype(np.int32)


def looped(pool: Any, steps: int, obs: Any = None) -> list[Any]:
    """What a loop in Python sees: observations, rewards, flags, numbers of steps."""
    if obs is None:
        obs, _ = pool.reset()
    seen = []
    for _ in range(steps):
        obs, reward, terminated, truncated, info = pool.step(policy(obs))
        seen.append((obs, reward, terminated, truncated, info["elapsed_step"], info["env_id"]))
    return [np.stack(each) for each in zip(*seen, strict=True)]


def scanned(step: Callable[..., Any], steps: int) -> Callable[..., Any]:
    """The same as a program: (handle, obs) -> ((handle, obs), what is seen)."""

    def body(carry: Any, _: Any) -> Any:
        handle, obs = carry
        handle, (obs, reward, terminated, truncated, info) = step(handle, policy(obs))
        seen = obs, reward, terminated, truncated, info["elapsed_step"], info["env_id"]
        return (handle, obs), seen

    return jax.jit(lambda handle, obs: lax.scan(body, (handle, obs), None, length=steps))  # type: ignore[no-any-return]


def cart_poles(**arguments: Any) -> Any:
    return parallel_pool.make("CartPole-v1", num_envs=5, seed=3, max_episode_steps=40, **arguments)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_a_scan_is_the_loop(backend: str, mode: str) -> None:
    with cart_poles(autoreset_mode=mode) as pool:
        expected = looped(pool, STEPS)
    assert expected[2].any()
    assert expected[3].any()
    with cart_poles(autoreset_mode=mode) as pool:
        obs, _ = pool.reset()
        handle, _, _, step = pool.xla(backend)
        _, seen = scanned(step, STEPS)(handle, jnp.asarray(obs))
        for ours, theirs in zip(seen, expected, strict=True):
            np.testing.assert_array_equal(np.asarray(ours), theirs)


def test_send_and_recv_are_step() -> None:
    """Of all environments, and of some, whose answers are received by their number."""
    with begun(cart_poles(), cart_poles()) as (pool, twin):
        handle, recv, send, _ = pool.xla()
        both = jax.jit(lambda handle, action: recv(send(handle, action)))
        for action in np.random.default_rng(0).integers(0, 2, (20, 5)):
            handle, (obs, *_) = both(handle, action)
            np.testing.assert_array_equal(obs, twin.step(action)[0])
        handle = send(handle, np.array([1, 0]), [3, 1])
        handle, (obs, *_) = recv(handle, rows=2)
        np.testing.assert_array_equal(obs, twin.step(np.array([1, 0]), [3, 1])[0])


def test_fori_loop_and_while_loop(backend: str) -> None:
    with cart_poles() as pool:
        *_, elapsed, _ = looped(pool, 30)
    with cart_poles() as pool:
        obs, _ = pool.reset()
        handle, _, _, step = pool.xla(backend)

        def body(_: Any, carry: Any) -> Any:
            handle, obs, _ = carry
            handle, (obs, _, _, _, info) = step(handle, policy(obs))
            return handle, obs, info["elapsed_step"]

        carry = handle, jnp.asarray(obs), jnp.zeros(5, np.int32)
        carry = jax.jit(lambda carry: lax.fori_loop(0, 10, body, carry))(carry)
        np.testing.assert_array_equal(carry[2], elapsed[9])

        def more(carry: Any) -> Any:
            return carry[0] < 20

        def one(carry: Any) -> Any:
            return carry[0] + 1, *body(0, carry[1:])

        _, *carry = jax.jit(lambda carry: lax.while_loop(more, one, (0, *carry)))(carry)
        np.testing.assert_array_equal(carry[2], elapsed[29])


def test_batches_of_an_asynchronous_pool(backend: str) -> None:
    """What an environment does depends on its actions alone, whatever the order of batches."""
    rounds = 60
    with cart_poles() as pool:
        first, _ = pool.reset(seed=3)
        expected = np.concatenate([first[None], looped(pool, rounds, first)[0]])
    with cart_poles(batch_size=2, num_threads=2) as pool:
        pool.async_reset()
        handle, recv, _, step = pool.xla(backend)

        def body(carry: Any, _: Any) -> Any:
            handle, obs, ids = carry
            handle, (after, _, _, _, info) = step(handle, policy(obs), ids)
            return (handle, after, info["env_id"]), (obs, ids)

        @jax.jit
        def run(handle: Any) -> Any:
            handle, (obs, _, _, _, info) = recv(handle)
            return lax.scan(body, (handle, obs, info["env_id"]), None, length=rounds)

        _, (obs, ids) = run(handle)
        rows: dict[int, list[Any]] = {env: [] for env in range(5)}
        for row, env in zip(np.concatenate(obs), np.concatenate(ids), strict=True):
            rows[int(env)].append(row)
        for env, seen in rows.items():
            np.testing.assert_array_equal(np.stack(seen), expected[: len(seen), env])


def test_some_environments() -> None:
    with begun(cart_poles(), cart_poles()) as (pool, twin):
        handle, _, _, step = pool.xla()  # as it is: a program of its own would trace [3, 1]
        some = jax.jit(lambda handle, action: step(handle, action, [3, 1]))
        handle, (obs, *_, info) = some(handle, np.array([1, 0]))
        expected = twin.step(np.array([1, 0]), [3, 1])
        np.testing.assert_array_equal(obs, expected[0])
        assert np.asarray(info["env_id"]).tolist() == [3, 1]
        handle, (obs, *_) = jax.jit(step)(handle, np.array([1, 1]), np.array([0, 4]))
        np.testing.assert_array_equal(obs, twin.step(np.array([1, 1]), [0, 4])[0])


def test_several_pools_in_one_program() -> None:
    def both(pools: Any) -> Any:
        for pool in pools:
            pool.reset(seed=3)
        (first, *_, step), (second, *_, other) = (pool.xla() for pool in pools)

        def body(handles: Any, action: Any) -> Any:
            one, (a, *_) = step(handles[0], action)
            two, (b, *_) = other(handles[1], 1 - action)
            return (one, two), (a, b)

        actions = np.arange(20 * 5).reshape(20, 5) % 2
        return jax.jit(lambda handles: lax.scan(body, handles, actions))((first, second)), actions

    with cart_poles() as one, cart_poles(num_threads=1) as two:
        (_, (a, b)), actions = both((one, two))
    with cart_poles() as pool:
        for sign, seen in ((actions, a), (1 - actions, b)):
            pool.reset(seed=3)
            for t, action in enumerate(sign):
                np.testing.assert_array_equal(seen[t], pool.step(action)[0])


def test_python_and_programs_take_turns() -> None:
    with begun(cart_poles(), cart_poles()) as (pool, twin):
        handle, _, _, step = pool.xla()
        for _ in range(3):
            handle, _ = step(handle, np.ones(5, int))
            pool.step(np.zeros(5, int))
            twin.step(np.ones(5, int))
            expected = twin.step(np.zeros(5, int))
        handle, (obs, *_) = step(handle, np.ones(5, int))
        np.testing.assert_array_equal(obs, twin.step(np.ones(5, int))[0])
        assert expected[0].shape == obs.shape


def test_in_a_gradient_environments_are_constants() -> None:
    with cart_poles() as pool:
        obs, _ = pool.reset()
        handle, _, _, step = pool.xla()

        def loss(weight: Any, handle: Any) -> Any:
            action = (weight * obs[:, 2] > 0).astype(np.int32)
            _, (after, *_) = step(handle, action)
            return (weight * after).sum(), after

        gradient, after = jax.grad(loss, has_aux=True)(1.0, handle)
        np.testing.assert_allclose(gradient, after.sum(), rtol=1e-6)


def test_chunks_of_actions(backend: str) -> None:
    chunks = {"action_chunk": 4, "chunk_rewards": True}
    actions = np.random.default_rng(0).integers(0, 2, (30, 5, 4))
    with begun(cart_poles(**chunks), cart_poles(**chunks)) as (pool, twin):
        handle, step = jitted(pool, backend)
        for each in actions:
            handle, (obs, reward, *_, info) = step(handle, jnp.asarray(each))
            theirs = twin.step(each)
            pairs = [(obs, theirs[0]), (reward, theirs[1])]
            pairs += [(info[key], theirs[-1][key]) for key in ("chunk_steps", "chunk_rewards")]
            for mine, other in pairs:
                np.testing.assert_array_equal(np.asarray(mine), other)
