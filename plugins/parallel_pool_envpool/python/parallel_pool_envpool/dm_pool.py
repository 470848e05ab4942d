"""EnvPool's pool with dm_env's interface: env_type "dm"."""

from __future__ import annotations

from typing import Any

import dm_env
import numpy as np
from parallel_pool import NothingPendingError
from parallel_pool.pool_api import DmPool, ResetOptions, is_multi_player, result_tree, result_trees

from parallel_pool_envpool.no_rows import names_none, no_infos, no_obs
from parallel_pool_envpool.pool import EnvPool
from parallel_pool_envpool.records import maker_of, record_of
from parallel_pool_envpool.spec import EnvSpec


class DMEnvPool(EnvPool, DmPool):
    """A `dm_env.Environment`: TimeSteps with one row per environment, float32 rewards and discounts.

    `observation` is a namedtuple: `env_id`, `players` (with `env_id`), the observation (`obs`, or its keys
    if it has several), and the environment's own info. On a FIRST row the reward is 0 and the discount 1.
    """

    _word = "DMEnvPool"
    _reward32 = True

    def __init__(self, spec: EnvSpec) -> None:
        DmPool.__init__(self, spec.definition)
        self._begin(spec)

    @property
    def spec(self) -> Any:
        """Spaces, specs and configuration."""
        return self._spec

    @spec.setter
    def spec(self, spec: Any) -> None:
        self._spec = spec

    def _reward(self, parts: result_trees.PoolParts) -> result_tree.Node:
        return result_trees.ready_reward(parts, result_tree.HostColumn("reward32"))

    def _state_tree(self, parts: result_trees.PoolParts) -> result_tree.Tree:
        config = parts.config
        obs = result_trees.obs_tree(parts)
        if not isinstance(obs, dict):
            obs = {"obs" if config.pixels is None else "pixels": obs}
        players: dict[str, result_tree.Tree] = {"env_id": result_tree.HostColumn("env_id")}
        if is_multi_player(config.fields):
            players = result_trees.player_tree(config, named=True, final=True)
        state: dict[str, result_tree.Tree] = {
            "env_id": result_tree.HostColumn("env_id"),
            "players": players,
            **obs,
        }
        state |= result_trees.envpools_names(config, result_trees.info_tree(config))
        if config.keeps_last:
            state["final_obs"] = result_trees.obs_tree(parts, final=True)
        if config.arguments.nan_action == "truncate":
            state["error"] = result_tree.Errors(absent="")
        make_state = maker_of("State", state)
        state |= result_trees.last_obs_mask(config)

        def time_step(result: Any) -> dm_env.TimeStep:
            step_type, reward, discount, columns = result
            # A tensor has no astype.
            narrow = (
                discount.astype(np.float32) if hasattr(discount, "astype") else discount.float()
            )
            return dm_env.TimeStep(step_type, reward, narrow, make_state(columns))

        self._time_step = time_step
        return state

    def reset(
        self, env_id: Any = None, *, seed: Any = None, options: ResetOptions = None
    ) -> dm_env.TimeStep:
        """See `DmPool.reset`; an empty env_id: see `recv`, but nothing pending is a TimeStep without rows."""
        if names_none(env_id):
            return self._resulting()
        return DmPool.reset(self, env_id, seed=seed, options=options)

    def step(self, action: Any, env_id: Any = None) -> dm_env.TimeStep:
        """Steps the environments `env_id` (None: all); an empty env_id is treated as in `reset`."""
        if names_none(env_id, action):
            return self._resulting()
        return DmPool.step(self, action, env_id)

    def _resulting(self) -> dm_env.TimeStep:
        """The result of a call that starts nothing."""
        try:
            return self.recv()
        except NothingPendingError:
            obs, info = no_obs(self.definition), no_infos(self._made_of.state_array_spec)
        first = {name: info.pop(name) for name in ("env_id", "players")}
        if not isinstance(obs, dict):
            obs = {"obs" if self.definition.pixels is None else "pixels": obs}
        number = np.zeros(0, np.float32)
        state = record_of("State", {**first, **obs, **info})
        return dm_env.TimeStep(np.zeros(0, np.int32), number, number.copy(), state)

    def recv(  # type: ignore[override]
        self, reset: bool = False, return_info: bool = True, timeout: float | None = None
    ) -> dm_env.TimeStep:
        """Waits for the next batch."""
        return DmPool.recv(self, timeout)

    def observation_spec(self) -> Any:
        """dm_env's specs of `observation`, in a namedtuple that is nested in the same way."""
        return self._made_of.observation_spec()

    def action_spec(self) -> Any:
        """dm_env's spec of one environment's action."""
        return self._made_of.action_spec()
