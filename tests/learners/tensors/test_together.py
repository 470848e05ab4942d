"""Tensors beside what else makes results: several batches as one, rollouts."""

from typing import Any, ClassVar
from unittest.mock import Mock

import numpy as np
import parallel_pool
import pytest
import torch
from learners.tensors.late_device import Late
from parallel_pool.errors import OptionError
from parallel_pool_learning import RolloutBuffer
from torch.overrides import TorchFunctionMode


@pytest.mark.parametrize("device", [None, "cuda"])
def test_several_batches_as_one(device: Any, pool_on: Any) -> None:
    """What a pool keeps from step to step is made in inference mode or out of it, and used in both."""
    pool_on(Late(at_once=True)).close()  # "cuda" is that device from now on
    arguments: dict[str, Any] = {"num_envs": 6, "batch_size": 1, "episode_statistics": True}
    with parallel_pool.make("CartPole-v1", output="torch", device=device, **arguments) as envs:
        envs.async_reset(seed=1)
        ended = 0
        for step in range(60):
            least = 3 if step else 6
            with torch.inference_mode(step % 2 == 0):
                obs, _, terminated, truncated, info = envs.recv(min_batch=least, max_batch=6)
            assert isinstance(obs, torch.Tensor)
            assert 3 <= len(obs) <= 6
            assert step or sorted(info["env_id"].tolist()) == [*range(6)]
            assert info["_env_id"].all()
            done = terminated | truncated
            if done.any():
                assert torch.equal(info["_episode"], done)
                ended += int(done.sum())
            envs.send(torch.ones(len(obs), dtype=torch.int64), info["env_id"])
        assert ended > 5


class Reads(TorchFunctionMode):
    """Of how many dimensions the tensors were that became arrays, or left their device."""

    seen: ClassVar[set[int]] = set()

    def __torch_function__(self, call: Any, _: Any, given: Any = (), named: Any = None) -> Any:
        if getattr(call, "__name__", "") in ("cpu", "numpy", "__array__"):
            self.seen.add(given[0].ndim)
        return call(*given, **(named or {}))


def rollout(pool: dict[str, Any], mode: str, **buffer: Any) -> Any:
    """The second rollout of 40 steps of four CartPoles."""
    arguments = {"num_envs": 4, "seed": 1, "autoreset_mode": mode, "max_episode_steps": 12}
    with parallel_pool.make("CartPole-v1", **arguments, **pool) as envs:
        steps = RolloutBuffer(envs, 40, **buffer)
        steps.reset(seed=3)
        rng = np.random.default_rng(0)
        Reads.seen.clear()
        with Reads():
            for _ in range(2):
                while not steps.full:
                    steps.step(rng.integers(0, 2, 4), steps.obs[:, 2])
                finished = steps.finish(lambda obs: obs[:, 2])
        assert Reads.seen <= {1} or not {"device"} <= pool.keys() & buffer.keys()
        saved = steps.state_dict()["obs"]
        assert isinstance(saved, np.ndarray)
        np.testing.assert_array_equal(steps.load_state_dict(steps.state_dict()), saved)
        return finished


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_rollouts(mode: str, pool_on: Any) -> None:
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
    """Neither in what is free, with what torch keeps for reuse, nor where torch finds out."""
    with parallel_pool.make("CartPole-v1", num_envs=1000) as envs:
        assert RolloutBuffer(envs, 9, output="torch", device="cpu").obs_bytes == 10 * 1000 * 4 * 4
        with pytest.raises(OptionError, match=f"num_steps is {2**40}, and there is no memory"):
            RolloutBuffer(envs, 2**40, output="torch", device="cpu")
        monkeypatch.setattr(torch, "empty", Mock(side_effect=torch.cuda.OutOfMemoryError))
        cuda: dict[str, Any] = {"is_available": True, "mem_get_info": (1e9, 8e9)}
        cuda |= {"memory_reserved": 3e9, "memory_allocated": 1e9}
        for name, value in cuda.items():
            monkeypatch.setattr(torch.cuda, name, lambda *_, value=value: value)
        for steps, cause in ((2**40, type(None)), (124_999, torch.cuda.OutOfMemoryError)):
            said = rf"observations of {steps} steps .* GB, and cuda has 3\.0 GB left: take fewer"
            with pytest.raises(OptionError, match=said) as caught:
                RolloutBuffer(envs, steps, output="torch", device="cuda")
            assert isinstance(caught.value.__cause__, cause)
