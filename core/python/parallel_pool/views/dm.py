"""The pool as a batched dm_env environment: specs of one environment, batched TimeSteps."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import Any

import dm_env
import numpy as np
from dm_env import specs

from parallel_pool.config.pool_config import (
    Columns,
    PoolConfig,
    in_envpools_layout,
    with_reset_info,
)
from parallel_pool.schema.dm_specs import specs_of
from parallel_pool.schema.players import is_multi_player
from parallel_pool.schema.result_tree import Errors, HostColumn, Node, Tree
from parallel_pool.views.base import PoolView, stacked
from parallel_pool.views.reset_arguments import ResetOptions
from parallel_pool.views.result_trees import (
    PoolParts,
    chunk_part,
    envpools_names,
    info_tree,
    last_obs_mask,
    obs_tree,
    player_tree,
    reward_column,
)


class DmPool(PoolView, dm_env.Environment):  # type: ignore[misc]
    """A pool as a `dm_env.Environment`; every part of a TimeStep has one row per environment.

    `observation` is a namedtuple: `obs` (`pixels`, if pictures are all that is observed), `env_id`,
    `players` (with `env_id`), `elapsed_step` and the environment's own info, as EnvPool has it. On a FIRST
    row the reward is 0 and the discount 1, because a batch has no None.

    Environments with several players: arrays per player, rewards and discounts too, are flat, one row for
    each player of each environment, and `players` identifies them; see docs/multi-player.md.

    In SAME_STEP mode a LAST row already has the first observation of the next episode; `final_obs` has
    the last one of the episode that ended, in rows that are LAST.
    """

    _reward32 = False
    """Whether rewards are float32."""
    _step_begins = False
    """Whether the first step of an environment that was never reset resets it."""
    _time_step: Callable[[Any], dm_env.TimeStep]
    """From a native result to a TimeStep. Not bound to this object."""

    def __init__(self, config: PoolConfig) -> None:
        config = with_reset_info(in_envpools_layout(config))
        parts = PoolParts.of(config)
        reward = self._reward(parts)
        state = self._state_tree(parts)
        tree = (HostColumn("step_type"), reward, HostColumn("discount"), state)
        self._build(
            parts,
            step_tree=tree,
            reset_tree=tree,
            columns=Columns(
                reward32=self._reward32,
                dm=True,
                flat_players=True,
                step_begins=self._step_begins,
            ),
            read_failed=self._time_step,
        )

    def _reward(self, parts: PoolParts) -> Node:
        """The column of rewards, float64."""
        return reward_column(parts)

    def _state_tree(self, parts: PoolParts) -> Tree:
        """The tree of the observation. Sets `_time_step`, which makes TimeSteps of its results."""
        config = parts.config
        pictures = config.pixels is not None and config.pixels.alone
        obs_name = "pixels" if pictures else "obs"  # EnvPool's names
        info: dict[str, Tree] = {**chunk_part(parts), **envpools_names(config, info_tree(config))}
        if config.keeps_last:
            info["final_obs"] = obs_tree(parts, final=True)
        if config.arguments.nan_action == "truncate":
            info["error"] = Errors(absent="")
        self._state = state = _record(
            "State", [obs_name, "env_id", "players", "elapsed_step", *info]
        )
        env_id = HostColumn("env_id")
        players: dict[str, Tree] = {"env_id": env_id}
        if is_multi_player(config.fields):
            players = player_tree(config, named=True, final=True)
        self._players = _record("Players", list(players))
        make_players = self._players._make
        mask = last_obs_mask(config)

        def time_step(result: Any) -> dm_env.TimeStep:
            step_type, reward, discount, (obs, env_id, players, *rest) = result
            if mask:
                rest[1:] = map(rest[1].get, info)
            observation = state(obs, env_id, make_players(players), *rest)
            return dm_env.TimeStep(step_type, reward, discount, observation)

        self._time_step = time_step
        obs, elapsed = obs_tree(parts), HostColumn("elapsed_step")
        rest = [info | mask] if mask else info.values()
        return (obs, env_id, tuple(players.values()), elapsed, *rest)

    @property
    def spec(self) -> Any:
        """Spaces, specs and configuration."""
        return self._spec

    def _assemblers(self) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
        return self._time_step, self._time_step

    def reset(
        self, env_id: Any = None, *, seed: Any = None, options: ResetOptions = None
    ) -> dm_env.TimeStep:
        """Resets the environments `env_id` (None: all).

        seed: as of `async_reset`. options: `{"reset_mask": mask}`, a bool array of shape (num_envs,), may
        replace env_id; other entries are arguments of this one reset, for environments that accept them.
        """
        return self._reset_by(self.reset_handle, env_id, seed, options).map(self._time_step).result

    def step(self, action: Any, env_id: Any = None) -> dm_env.TimeStep:
        """Steps the environments `env_id` (None: all)."""
        return self.step_handle(action, env_id).map(self._time_step).result

    def recv(
        self, timeout: float | None = None, *, device: Any = None, non_blocking: bool = False
    ) -> dm_env.TimeStep:
        """Waits for the next batch.

        timeout, device, non_blocking: as of `GymnasiumPool.recv`.
        """
        return self._received(timeout, device, non_blocking).map(self._time_step).result

    def observation_spec(self) -> Any:
        """The specs of one environment's `observation`, in a namedtuple of the same names."""
        env_id = specs.BoundedArray((), np.int32, 0, len(self) - 1, name="env_id")
        elapsed = specs.BoundedArray((), np.int32, 0, np.iinfo(np.int32).max, name="elapsed_step")
        named = specs_of(self._config.fields, "info", per_player=False)
        info = envpools_names(self._config, named) if self._config.has_infos else {}
        chunk = self._config.arguments.action_chunk
        if chunk is not None:
            steps = specs.BoundedArray((), np.int32, 0, chunk, name="chunk_steps")
            rewards = specs.Array((chunk,), np.float64, name="chunk_rewards")
            known = {"chunk_steps": steps, "chunk_rewards": rewards}
            info = {
                name: each for name, each in known.items() if name in self._state._fields
            } | info
        obs = specs_of(self._config.fields, "obs")
        if self._config.keeps_last:
            info["final_obs"] = obs
        if self._config.arguments.nan_action == "truncate":
            info["error"] = specs.StringArray((), name="error")
        return self._state(obs, env_id, self._player_specs(env_id), elapsed, *info.values())

    def _player_specs(self, env_id: specs.Array) -> Any:
        if not is_multi_player(self._config.fields):
            return self._players(env_id)
        own = specs_of(self._config.fields, "info", per_player=True)
        number = specs.BoundedArray((), np.int32, 0, self._config.max_players - 1, name="id")
        known = {"env_id": env_id, "id": number, **own, "final_info": own}
        return self._players(
            *(
                known.get(name, specs.Array((), np.bool_, name=name))
                for name in self._players._fields
            )
        )

    def action_spec(self) -> Any:
        """The spec of one environment's action; of one player's if there are several."""
        return specs_of(self._config.fields, "action")

    def render(self, env_ids: Any = None, camera_id: Any = None) -> Any:
        """Pictures of the environments `env_ids`: as `GymPool.render`."""
        ids = self._config.arguments.render_env_id if env_ids is None else env_ids
        return stacked(self.frames(ids, camera_id))


def _record(name: str, fields: list[str]) -> Any:
    """A namedtuple class. Names that are not valid, as infos may have, are replaced by their place."""
    return namedtuple(name, fields, rename=True)  # noqa: PYI024
