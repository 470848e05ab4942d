"""Tensors beside what else makes results: several batches as one, rollouts."""

from typing import Any

import numpy as np
import parallel_pool
import pytest
import torch
from learners.tensors.late_device import Late, pool_on  # noqa: F401
from parallel_pool.errors import OptionError
from parallel_pool_learning import RolloutBuffer


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


def rollout(pool: dict[str, Any], mode: str, **buffer: Any) -> Any:
    """The second rollout of 40 steps of four CartPoles."""
    arguments = {"num_envs": 4, "seed": 1, "autoreset_mode": mode, "max_episode_steps": 12}
    with parallel_pool.make("CartPole-v1", **arguments, **pool) as envs:
        steps = RolloutBuffer(envs, 40, **buffer)
        steps.reset(seed=3)
        rng = np.random.default_rng(0)
        for _ in range(2):
            while not steps.full:
                steps.step(rng.integers(0, 2, 4), np.asarray(steps.obs).sum(axis=1))
            finished = steps.finish(lambda obs: np.asarray(obs).sum(axis=1))
        saved = steps.state_dict()["obs"]
        assert isinstance(saved, np.ndarray)
        np.testing.assert_array_equal(steps.load_state_dict(steps.state_dict()), saved)
        return finished


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_rollouts(mode: str, pool_on: Any) -> None:  # noqa: F811
    """Whatever the pool gives and wherever the buffer keeps observations, "cpu" as a device too."""
    pool_on(Late(at_once=True)).close()  # "cuda" is that device from now on
    expected = rollout({}, mode)
    for pool in ({"output": "numpy"}, {"output": "torch"}, {"output": "torch", "device": "cuda"}):
        for buffer in ({}, {"output": "torch"}, {"output": "torch", "device": "cpu"}):
            mine = rollout(pool, mode, **buffer)
            assert isinstance(mine.obs, torch.Tensor if buffer else np.ndarray)
            for name in ("obs", "rewards", "terminated", "truncated", "valid", "advantages"):
                np.testing.assert_array_equal(getattr(mine, name), getattr(expected, name), name)
            assert len(mine.episodes["length"]) > 5


def test_a_rollout_that_does_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda _: (10_000_000, 80_000_000_000))
    with parallel_pool.make("CartPole-v1", num_envs=1000) as envs:
        with pytest.raises(
            OptionError, match=r"observations of 1000 steps .*0\.0 GB left: take fewer"
        ):
            RolloutBuffer(envs, 1000, output="torch", device="cuda")
        assert RolloutBuffer(envs, 9, output="torch", device="cpu").obs_bytes == 10 * 1000 * 4 * 4
