"""EnvPool's pool with Gymnasium's interface: env_type "gym" and "gymnasium"."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from parallel_pool import NothingPendingError
from parallel_pool.pool_api import GymPool, ResetOptions, result_tree

from parallel_pool_envpool.no_rows import names_none, no_infos, no_obs
from parallel_pool_envpool.pool import EnvPool
from parallel_pool_envpool.spec import EnvSpec


class GymnasiumEnvPool(EnvPool, GymPool, VectorEnv[Any, Any, Any]):  # type: ignore[misc]
    """A `gymnasium.vector.VectorEnv` and a `gymnasium.Env` with the spaces of one environment.

    `reset` returns (obs, info), `step` and `recv` five values, with float32 rewards. `info`: a plain dict of
    batched arrays: `env_id`, `players` (with `env_id`), the environment's own, `elapsed_step`. If an episode
    ends by itself on the step of its time limit, both flags are set; EnvPool loses `terminated`.

    Attributes may be set, as scripts do: `num_envs`, `single_action_space`, `spec`, ...
    """

    _statistics = False
    _reset_info = True
    _word = "GymnasiumEnvPool"
    closed = True  # before there is anything to close

    def __init__(self, spec: EnvSpec) -> None:
        GymPool.__init__(self, spec.definition)
        self._begin(spec)
        self.spec = spec
        if spec.shows_windows:
            self.render_mode = "human"
        modes = self.metadata["render_modes"]
        self.autoreset_mode = AutoresetMode(self.definition.arguments.autoreset_mode)
        self.metadata = {
            **self.metadata,
            "render_modes": [*modes, *(["human"] if "rgb_array" in modes else [])],
            "autoreset_mode": self.autoreset_mode,
        }
        self.closed = False

    def time_limit_info(self) -> dict[str, result_tree.Tree]:
        """None, as in EnvPool."""
        return {}

    def reset(self, env_id: Any = None, *, seed: Any = None, options: ResetOptions = None) -> Any:
        """Resets the environments `env_id` (None: all) and returns (obs, info), one row for each of them.

        seed: as in Gymnasium; EnvPool ignores it. options: `reset_mask` (bools, one per environment) may
        replace env_id; other entries are arguments of this one reset, for environments that accept them.

        If env_id is empty, this is `recv`, and without anything pending a result without rows.
        """
        if names_none(env_id):
            return self._resulting(reset=True)
        return GymPool.reset(self, env_id, seed=seed, options=_with_mask(options))

    def step(self, action: Any, env_id: Any = None) -> Any:
        """Returns (obs, reward, terminated, truncated, info); an empty env_id is treated as in `reset`."""
        if names_none(env_id, action):
            return self._resulting(reset=False)
        return GymPool.step(self, action, env_id)

    def _resulting(self, reset: bool) -> Any:
        """The result of a call that starts nothing."""
        with_info = bool(self.definition.arguments.gym_reset_return_info)
        try:
            return self.recv(reset, with_info)
        except NothingPendingError:
            obs, info = no_obs(self.definition), no_infos(self._made_of.state_array_spec)
        info["elapsed_step"] = np.zeros(0, np.int32)
        if reset:
            return (obs, info) if with_info else obs
        flags = [np.zeros(0, np.bool_) for _ in self.flag_columns()]
        info |= {name: np.zeros(0, np.bool_) for name in self.time_limit_info()}
        return (obs, np.zeros(0, np.float32), *flags, info)

    def close(self, **kwargs: Any) -> None:
        """Stops the threads and destroys the environments. A second call has no effect."""
        del kwargs
        self.closed = True
        GymPool.close(self)


def _with_mask(options: ResetOptions) -> ResetOptions:
    """A copy of the options with reset_mask as an array."""
    if not isinstance(options, dict) or "reset_mask" not in options:
        return options
    rest = {name: value for name, value in options.items() if name != "reset_mask"}
    mask = options["reset_mask"]
    return rest if mask is None else {**rest, "reset_mask": np.asarray(mask, np.bool_)}
