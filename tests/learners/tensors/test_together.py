"""Tensors beside what else makes results: several batches as one, `transform`, rollouts."""

from __future__ import annotations

from typing import Any

import numpy as np
import parallel_pool
import pytest
import torch
from parallel_pool.learning import RolloutBuffer


def test_several_batches_as_one() -> None:
    with parallel_pool.make(
        "CartPole-v1", num_envs=6, batch_size=1, seed=1, output="torch", episode_statistics=True
    ) as envs:
        envs.async_reset()
        ended = 0
        for _ in range(60):
            obs, _, terminated, truncated, info = envs.recv(min_batch=3, max_batch=6)
            assert isinstance(obs, torch.Tensor)
            assert 3 <= len(obs) <= 6
            done = terminated | truncated
            if done.any():
                assert torch.equal(info["_episode"], done)
                ended += int(done.sum())
            envs.send(torch.ones(len(obs), dtype=torch.int64), info["env_id"])
        assert ended > 5


def test_what_was_made_ready() -> None:
    transform = {"normalize_obs": True, "normalize_reward": True, "frame_stack": 2}
    arguments: dict[str, Any] = {"num_envs": 3, "seed": 1, "transform": transform}
    with (
        parallel_pool.make("Pendulum-v1", output="torch", **arguments) as tensors,
        parallel_pool.make("Pendulum-v1", **arguments) as arrays,
    ):
        tensors.reset()
        arrays.reset()
        for _ in range(10):
            mine, theirs = tensors.step(torch.ones(3, 1)), arrays.step(np.ones((3, 1)))
            np.testing.assert_array_equal(mine[0].numpy(), theirs[0])
            np.testing.assert_array_equal(mine[1].numpy(), theirs[1])


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_rollouts(mode: str) -> None:
    arguments: dict[str, Any] = {
        "num_envs": 4,
        "seed": 1,
        "autoreset_mode": mode,
        "max_episode_steps": 12,
    }

    def rollout(output: str) -> Any:
        with parallel_pool.make("CartPole-v1", output=output, **arguments) as envs:
            buffer = RolloutBuffer(envs, 40)
            buffer.reset(seed=3)
            rng = np.random.default_rng(0)
            while not buffer.full:
                value = np.asarray(buffer.obs).sum(axis=1)
                buffer.step(rng.integers(0, 2, 4), value)
            return buffer.finish(lambda obs: np.asarray(obs).sum(axis=1))

    mine, theirs = rollout("torch"), rollout("numpy")
    for name in ("obs", "rewards", "terminated", "truncated", "valid", "advantages"):
        np.testing.assert_array_equal(getattr(mine, name), getattr(theirs, name), err_msg=name)
    assert len(mine.episodes["length"]) > 5
