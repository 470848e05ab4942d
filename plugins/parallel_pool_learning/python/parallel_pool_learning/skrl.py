"""skrl: a pool in its wrapper for Gymnasium's vector environments, in the mode that has no rows of resets.

from parallel_pool_learning.skrl import make_env

env = make_env("CartPole-v1", num_envs=8)
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from gymnasium import spaces
from gymnasium.vector import VectorEnv

from parallel_pool_learning.arrays import float32_of
from parallel_pool_learning.library import SKRL, require
from parallel_pool_learning.pools import (
    close_if_refused,
    expect_pool,
    make_pool,
    tensor_device,
)

require(SKRL)

import torch  # noqa: E402
from skrl.envs.wrappers import torch as wrappers  # noqa: E402
from skrl.envs.wrappers.torch.gymnasium_envs import GymnasiumWrapper  # noqa: E402
from skrl.utils.spaces.torch import (  # noqa: E402
    flatten_tensorized_space,
    tensorize_space,
    unflatten_tensorized_space,
    untensorize_space,
)

_REASON = "because it learns from every row and never resets: rows of resets, with NextStep, too"


def make_env(task_id: str | Sequence[str], num_envs: int = 1, **options: Any) -> wrappers.Wrapper:
    """A pool as an environment of skrl, with the autoreset mode SameStep.

    options: those of `parallel_pool.make`, except batch_size. Raises what `parallel_pool.make` and `wrap_env`
    raise.
    """
    options = {"num_envs": num_envs, "infos": "minimal", **options}
    pool = make_pool(task_id, "SameStep", options)
    with close_if_refused(pool):
        return wrap_env(pool)


def wrap_env(envs: VectorEnv[Any, Any, Any]) -> wrappers.Wrapper:
    """Does what skrl's function of this name does, for a pool, or Gymnasium's vector wrappers around one.

    With output="torch" the environment's device is that of the pool's tensors, which stay there. Raises
    TypeError if there is no pool; OptionError for another autoreset mode, a batch_size or several players.
    """
    pool = expect_pool(envs, SKRL.title, ["SameStep"], _REASON, tensors=True)
    device = tensor_device(pool)
    if device is not None:
        return _TensorWrapper(envs, device)
    return wrappers.wrap_env(envs, wrapper="gymnasium", verbose=False)


def bootstrap_from_final_obs(agent: Any, env: wrappers.Wrapper) -> None:
    """Gives an agent the last observation where a time limit ended an episode; skrl has the next one's first.

    With `time_limit_bootstrap=True` in its configuration, PPO and A2C add the value of that observation then.
    """
    record = agent.record_transition

    @functools.wraps(record)
    def record_transition(
        *, next_observations: Any, truncated: Any, infos: dict[str, Any], **rest: Any
    ) -> None:
        if truncated.any() and "final_obs_dense" not in infos:  # it resets itself
            rest["terminated"] = rest["terminated"] | truncated
            truncated = torch.zeros_like(truncated)
        elif truncated.any():
            final = _flat(env.observation_space, infos["final_obs_dense"], env.device)
            next_observations = torch.where(truncated, final, next_observations)
        record(next_observations=next_observations, truncated=truncated, infos=infos, **rest)

    agent.record_transition = record_transition


class _TensorWrapper(GymnasiumWrapper):  # type: ignore[misc]
    """skrl's wrapper for a pool of tensors: what it makes of arrays, without a way through numpy."""

    _reset_once: bool
    _seed: int | None

    def __init__(self, envs: VectorEnv[Any, Any, Any], device: str) -> None:
        super().__init__(envs)
        self._device = torch.device(device)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, Any]:
        """Returns (obs, reward, terminated, truncated, info), tensors of two dimensions."""
        space = self.action_space
        given = unflatten_tensorized_space(space, actions)
        given = untensorize_space(space, given, squeeze_batch_dimension=False)
        if isinstance(space, spaces.Discrete):
            given = given.reshape(-1)
        obs, reward, *flags, self._info = self._env.step(given)
        self._observation = _flat(self.observation_space, obs, self.device)
        columns = [each.reshape(-1, 1) for each in (float32_of(reward), *flags)]
        return (self._observation, *columns, self._info)

    def reset(self) -> tuple[Any, dict[str, Any]]:
        """Resets the pool the first time; from then on it resets environments itself."""
        if self._reset_once:
            obs, self._info = self._env.reset(seed=self._seed)
            self._observation = _flat(self.observation_space, obs, self.device)
            self._reset_once, self._seed = False, None
        return self._observation, self._info


def _flat(space: spaces.Space[Any], obs: Any, device: Any) -> Any:
    """Observations as skrl's networks take them: in rows, float32, or int32 for what is counted."""
    tensors = tensorize_space(space, obs, device=device)
    return flatten_tensorized_space(_cast(space, tensors))


def _cast(space: spaces.Space[Any], tensors: Any) -> Any:
    """In the dtypes that skrl gives arrays, and leaves tensors without."""
    if isinstance(space, spaces.Dict):
        return {name: _cast(each, tensors[name]) for name, each in space.items()}
    if isinstance(space, spaces.Tuple):
        return tuple(_cast(each, part) for each, part in zip(space, tensors, strict=True))
    return tensors.to(torch.float32 if isinstance(space, spaces.Box) else torch.int32)
