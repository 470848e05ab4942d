"""The pool in EnvPool's shapes: spaces of one environment, `reset` returns the observation alone, `step` five
values, float32 rewards. `parallel_pool.envpool` builds EnvPool's own interface on it.
"""

from __future__ import annotations

from typing import Any

import gymnasium

from parallel_pool.config.pool_config import (
    Columns,
    PoolConfig,
    in_envpools_layout,
    returning_info,
)
from parallel_pool.schema.players import is_multi_player
from parallel_pool.schema.result_tree import Dict, HostColumn, Node, Tree
from parallel_pool.views.base import PoolView, stacked
from parallel_pool.views.reset_arguments import ResetOptions
from parallel_pool.views.result_trees import (
    PoolParts,
    chunk_part,
    elapsed_part,
    envpools_names,
    episode_part,
    error_part,
    info_tree,
    obs_tree,
    player_tree,
    ready_reward,
    score_part,
    seed_part,
)


class GymPool(PoolView, gymnasium.Env[Any, Any]):  # type: ignore[misc]
    """A pool with the spaces of one environment and plain infos: `make(..., env_type="gym")`.

    `reset` returns the observation only, or with `gym_reset_return_info=True` (obs, info); `step` returns five
    values. No version of EnvPool combines the two: EnvPool's interfaces are `parallel_pool.envpool` and
    `parallel_pool.envpool.legacy`.

    `info`: a plain dict of batched arrays without masks: `env_id`, `players` (with `env_id`),
    `elapsed_step`, `TimeLimit.truncated` and the environment's own. When an episode ends, `episode`: its
    return `r`, length `l` and seconds `t`, with the mask `_episode`. In SAME_STEP mode `final_obs` and
    `final_info`: one row per environment, valid where the masks `_final_obs` and `_final_info` say so.

    Environments with several players: arrays per player are flat, one row for each player of each
    environment, and `info["players"]` identifies them; see docs/multi-player.md.

    Attributes such as `num_envs` and `single_action_space` can be set, as CleanRL does.
    """

    _statistics = True
    """The default of `episode_statistics`."""
    _reset_info = False
    """The default of `gym_reset_return_info`; where it is on, `recv(reset=True)` always returns infos."""
    _step_begins = False
    """Whether the first step of an environment that was never reset resets it."""

    def __init__(self, config: PoolConfig) -> None:
        given = config.arguments.gym_reset_return_info
        reset_info = self._reset_info if given is None else bool(given)
        config = returning_info(in_envpools_layout(config), reset_info)
        parts = PoolParts.of(config)
        obs, reward = obs_tree(parts), ready_reward(parts, HostColumn("reward32"))
        statistics = config.arguments.episode_statistics
        statistics = self._statistics if statistics is None else bool(statistics)
        players: Tree = {"env_id": HostColumn("env_id")}
        if is_multi_player(config.fields):
            players = player_tree(config, named=True, statistics=statistics, final=True)
        info: dict[str, Tree] = {
            "env_id": HostColumn("env_id"),
            "players": players,
            **elapsed_part(config),
            **seed_part(config),
            **chunk_part(parts),
            **self.time_limit_info(),
            **envpools_names(config, info_tree(config)),
            **score_part(config, statistics=statistics),
        }
        ends: dict[str, Tree] = {}
        if config.keeps_last:
            ends = {
                "final_obs": obs_tree(parts, final=True),
                "final_info": {
                    **seed_part(config, final=True),
                    **envpools_names(config, info_tree(config, final=True)),
                },
                "_final_obs": HostColumn("ended"),
                "_final_info": HostColumn("ended"),
            }
        episode = episode_part(config, statistics=statistics)
        infos = Dict((info, episode, ends, error_part()))
        self._build(
            parts,
            step_tree=(obs, reward, *self.flag_columns(), infos),
            reset_tree=(obs, info) if reset_info else obs,
            columns=Columns(
                reward32=True,
                statistics=statistics,
                flat_players=True,
                step_begins=self._step_begins,
            ),
        )
        self.spec: Any = self._spec
        self.num_envs = config.arguments.num_envs
        self.is_vector_env = True
        self.render_mode = config.arguments.render_mode
        self.metadata = config.render_metadata
        self.observation_space = self._spec.observation_space
        self.action_space = self._spec.action_space
        self.single_observation_space = self.observation_space
        self.single_action_space = self.action_space

    def time_limit_info(self) -> dict[str, Tree]:
        """The part of the info about time limits."""
        return {"TimeLimit.truncated": HostColumn("truncated")}

    def flag_columns(self) -> tuple[Node, ...]:
        """The parts of a step's result between reward and info."""
        return HostColumn("terminated"), HostColumn("truncated")

    def reset(self, env_id: Any = None, *, seed: Any = None, options: ResetOptions = None) -> Any:
        """Resets the environments `env_id` (None: all) and returns their observations, or (obs, info).

        An asynchronous pool resets all of them and returns the first batch_size; `recv` returns the others.
        seed: as of `async_reset`. options: `{"reset_mask": mask}`, a bool array of shape (num_envs,), may
        replace env_id; other entries are arguments of this one reset, for environments that accept them.
        """
        return self._reset_by(self.reset_handle, env_id, seed, options).result

    def step(self, action: Any, env_id: Any = None) -> Any:
        """Returns (obs, reward, terminated, truncated, info), one row per environment."""
        return self.step_handle(action, env_id).result

    def recv(
        self,
        reset: bool = False,
        return_info: bool = True,
        timeout: float | None = None,
        *,
        device: Any = None,
        non_blocking: bool = False,
    ) -> Any:
        """Waits for the next batch and returns it in the form of `step`.

        reset: return (obs, info) instead; return_info=False: the observations only.
        timeout, device, non_blocking: as of `GymnasiumPool.recv`.
        """
        result = self._received(timeout, device, non_blocking).result
        if not reset:
            return result
        return (result[0], result[-1]) if return_info or self._reset_info else result[0]

    def render(self, env_ids: Any = None, camera_id: Any = None) -> Any:
        """Pictures of the environments `env_ids`, uint8 of shape (n, height, width, 3), or texts.

        env_ids: None: the environment of the argument `render_env_id`. camera_id: an id or a name, for
        environments with several cameras. Raises the errors of `GymnasiumPool.render`.
        """
        ids = self._config.arguments.render_env_id if env_ids is None else env_ids
        return stacked(self.frames(ids, camera_id))
