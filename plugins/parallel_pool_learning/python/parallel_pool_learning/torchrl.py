"""TorchRL: a pool as a batched EnvBase.

from parallel_pool_learning.torchrl import make_env

env = make_env("CartPole-v1", num_envs=8)
env.rollout(100, break_when_any_done=False)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from parallel_pool.errors import OptionError
from parallel_pool.pool_api import GymnasiumPool, torch_device

from parallel_pool_learning.arrays import float32_of
from parallel_pool_learning.library import TORCHRL, require
from parallel_pool_learning.pools import (
    close_if_refused,
    discard_pending,
    expect_pool,
    make_pool,
    tensor_device,
)

require(TORCHRL)

import torch  # noqa: E402
from tensordict import TensorDict, TensorDictBase  # noqa: E402
from torchrl.data.tensor_specs import Categorical, Composite, OneHot, Unbounded  # noqa: E402
from torchrl.envs import EnvBase  # noqa: E402
from torchrl.envs.libs.gym import _gym_to_torchrl_spec_transform as spec_of  # noqa: E402

_REASON = "because it resets environments itself"


def make_env(
    task_id: str | Sequence[str],
    num_envs: int = 1,
    *,
    categorical_action_encoding: bool = False,
    device: Any = None,
    **options: Any,
) -> TorchRLEnv:
    """A pool as an EnvBase of batch size (num_envs,), with the autoreset mode Disabled.

    device: of the entries and the actions; the pool itself copies its results to one of CUDA. options: those
    of `parallel_pool.make`, except batch_size. Raises what `parallel_pool.make` and `TorchRLEnv` raise.
    """
    if device is not None and torch_device(torch, device).type == "cuda":
        options = {"output": "torch", "device": device, **options}
    pool = make_pool(task_id, "Disabled", {"num_envs": num_envs, "infos": "minimal", **options})
    with close_if_refused(pool):
        return TorchRLEnv(
            pool, categorical_action_encoding=categorical_action_encoding, device=device
        )


class TorchRLEnv(EnvBase):  # type: ignore[misc]
    """`TorchRLEnv(pool)`: a pool of env_type "gymnasium" and autoreset Disabled as an EnvBase.

    Entries are those of `GymWrapper`: "observation", or the keys of a Dict; "reward" (float32), "done",
    "terminated" and "truncated" of shape (num_envs, 1). There are no infos. On the CPU observations are the
    pool's own arrays, not copies, and with output="torch" the pool's tensors, on any device. device: of the
    entries and the actions; None: that of the pool. categorical_action_encoding: discrete actions are
    numbers instead of one-hot.

    Raises TypeError if there is no such pool; OptionError for another autoreset mode, a batch_size, several
    players, or Tuple observations.
    """

    def __init__(
        self, envs: GymnasiumPool, *, categorical_action_encoding: bool = False, device: Any = None
    ) -> None:
        pool = expect_pool(envs, TORCHRL.title, ["Disabled"], _REASON, bare=True, tensors=True)
        space = pool.single_observation_space
        if isinstance(space, spaces.Tuple):
            raise OptionError(
                f"{TORCHRL.title} takes no observations in a Tuple, as {pool.spec.id!r} has: {space}"
            )
        batch = torch.Size([pool.num_envs])
        of_the_pool = tensor_device(pool)
        self._tensors = of_the_pool is not None
        super().__init__(device=device or of_the_pool or "cpu", batch_size=batch)
        self.pool = pool

        def batched(space: spaces.Space[Any], categorical: bool = True) -> Any:
            spec = spec_of(
                space,
                device=self.device,
                categorical_action_encoding=categorical,
                remap_state_to_observation=False,
            )
            return spec.expand(*batch, *spec.shape)

        obs = batched(space)
        if not isinstance(obs, Composite):
            obs = Composite(observation=obs, shape=batch, device=self.device)
        self.observation_spec = obs
        self.action_spec = batched(pool.single_action_space, categorical_action_encoding)
        self._one_hot = isinstance(self.action_spec, OneHot)
        column = torch.Size([*batch, 1])
        self.reward_spec = Unbounded(shape=column, device=self.device, dtype=torch.float32)
        flag = Categorical(2, shape=column, device=self.device, dtype=torch.bool)
        self.done_spec = Composite(
            done=flag, terminated=flag.clone(), truncated=flag.clone(), shape=batch
        )

    def _reset(self, tensordict: TensorDictBase | None = None, **kwargs: Any) -> TensorDictBase:
        """kwargs: `options` of the reset."""
        wanted = None if tensordict is None else tensordict.get("_reset", None)
        options = dict(kwargs.get("options") or {})
        if wanted is None or bool(wanted.all()):
            discard_pending(self.pool)  # there is one if Ctrl-C ended a step
        else:
            options["reset_mask"] = wanted.reshape(self.batch_size).cpu().numpy()
        obs, _ = self.pool.reset(options=options or None)
        return self._entries(obs, self.batch_size)

    def _step(self, tensordict: TensorDictBase) -> TensorDictBase:
        mask = tensordict.get("_step", None)
        if mask is None:
            return self._stepped(tensordict.get("action"), None)
        # The rows of environments that are not stepped are those of EnvBase for a skipped step.
        result = self._skip_tensordict(tensordict)
        ids = mask.reshape(self.batch_size).nonzero()[:, 0].cpu()
        result[ids] = self._stepped(tensordict.get("action")[ids], ids.numpy())
        return result

    def _stepped(self, action: Any, ids: npt.NDArray[Any] | None) -> TensorDictBase:
        """The result of a step of these environments."""
        if self._one_hot:
            action = self._numbers(action)
        action = action.detach() if self._tensors else action.detach().cpu().numpy()
        obs, reward, terminated, truncated, _ = self.pool.step(action, ids)
        flags = {
            "reward": _column(float32_of(reward)),
            "terminated": _column(terminated),
            "truncated": _column(truncated),
            "done": _column(terminated | truncated),
        }
        return self._entries(obs, torch.Size([len(reward)]), flags)

    def _numbers(self, one_hot: Any) -> Any:
        """The numbers of one-hot actions. argmax alone would make an action of anything."""
        ones = one_hot == 1
        if ones.shape[1:] != self.action_spec.shape[1:] or not bool((ones.sum(-1) == 1).all()):
            raise ValueError(
                f"actions are {self.pool.spec.id!r}'s in one-hot rows of {self.action_spec.shape[-1]} with "
                f"a single 1 in each, not {one_hot.tolist()!r:.200}; with "
                "make_env(..., categorical_action_encoding=True) they are numbers"
            )
        return ones.int().argmax(-1)

    def _entries(
        self, obs: Any, batch: Any, others: Mapping[str, Any] | None = None
    ) -> TensorDictBase:
        """The observation and `others` in one TensorDict; adding entries later costs more."""
        named = obs if isinstance(obs, dict) else {"observation": obs}
        entries = {**_tensors(named), **(others or {})}
        return TensorDict(entries, batch_size=batch, device=self.device)

    def _set_seed(self, seed: int | None) -> None:
        """Resets all environments, environment i with seed + i, as GymWrapper does."""
        if seed is not None:
            discard_pending(self.pool)
            self.pool.reset(seed=seed)

    def close(self, *, raise_if_closed: bool = True) -> None:
        """Closes the pool. A second call has no effect."""
        super().close(raise_if_closed=raise_if_closed)
        self.pool.close()


def _column(values: Any) -> Any:
    return _tensor(values[:, None])


def _tensors(results: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: _tensors(each) if isinstance(each, dict) else _tensor(each)
        for name, each in results.items()
    }


def _tensor(values: Any) -> Any:
    """A tensor that shares an array's memory, or the tensor."""
    return torch.from_numpy(values) if isinstance(values, np.ndarray) else values
