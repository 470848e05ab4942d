"""The pool in EnvPool's shapes: spaces of one environment, a bare observation from `reset`, float32 rewards."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from parallel_pool.config.pool_config import PoolConfig, in_envpools_layout
from parallel_pool.rendering.pixels import painter_of
from parallel_pool.schema.players import is_multi_player
from parallel_pool.schema.result_tree import Dict, HostColumn, IfEnded, Tree
from parallel_pool.views.base import PoolView, render_metadata, stacked
from parallel_pool.views.result_trees import (
    EPISODE,
    envpools_names,
    error_part,
    info_tree,
    obs_tree,
    player_tree,
)


class GymPool(PoolView, gymnasium.Env[Any, Any]):  # type: ignore[misc]
    """EnvPool's scripts run on this after changing the import. Autoreset is NEXT_STEP, as EnvPool's,
    unless `autoreset_mode` says otherwise.

    `info`: a plain dict of batched arrays without masks: `env_id`, `players` (with `env_id`),
    `elapsed_step`, `TimeLimit.truncated` and the environment's own. When an episode ends, `episode`: its
    return `r`, length `l` and seconds `t`, with the mask `_episode`. In SAME_STEP mode `final_obs` and
    `final_info`: one row per environment, valid where the masks `_final_obs` and `_final_info` say so.

    Environments with several players: arrays per player are flat, one row for each player of each
    environment, and `info["players"]` says whose they are; see docs/multi-player.md.

    Attributes such as `num_envs` and `single_action_space` may be set, as CleanRL does.
    """

    def __init__(self, config: PoolConfig) -> None:
        config = in_envpools_layout(config)
        painter = painter_of(config)
        obs = obs_tree(config, painter)
        statistics = config.values["episode_statistics"] is not False
        players: Tree = {"env_id": HostColumn("env_id")}
        if is_multi_player(config.fields):
            players = player_tree(config, named=True, statistics=statistics, final=True)
        info: dict[str, Tree] = {
            "env_id": HostColumn("env_id"),
            "players": players,
            "elapsed_step": HostColumn("elapsed_step"),
            "TimeLimit.truncated": HostColumn("truncated"),
            **envpools_names(config, info_tree(config)),
        }
        ends: dict[str, Tree] = {}
        if config.values["autoreset_mode"] == "SameStep":
            ends = {
                "final_obs": obs_tree(config, painter, final=True),
                "final_info": envpools_names(config, info_tree(config, final=True)),
                "_final_obs": HostColumn("ended"),
                "_final_info": HostColumn("ended"),
            }
        infos = Dict((info, IfEnded(EPISODE if statistics else {}), ends, error_part()))
        terminated, truncated = HostColumn("terminated"), HostColumn("truncated")
        self._build(
            config,
            step_tree=(obs, HostColumn("reward32"), terminated, truncated, infos),
            reset_tree=obs,
            painter=painter,
            reward32=True,
            statistics=statistics,
            flat_players=True,
        )
        self.spec = self._spec
        self.num_envs = config.values["num_envs"]
        self.is_vector_env = True
        self.render_mode = config.values["render_mode"]
        self.metadata = render_metadata(config)
        self.observation_space = self._spec.observation_space
        self.action_space = self._spec.action_space
        self.single_observation_space = self.observation_space
        self.single_action_space = self.action_space

    def reset(
        self, env_id: Any = None, *, seed: Any = None, options: dict[str, Any] | None = None
    ) -> Any:
        """Resets the environments `env_id` (None: all) and gives their observations.

        An asynchronous pool resets all of them and gives the first batch_size; `recv` gives the others.
        options: `{"reset_mask": mask}`, a bool array of shape (num_envs,), is another way to say env_id;
        besides, arguments of this one reset where the environment takes some.
        """
        mask, arguments = self._reset_arguments(options, env_id)
        if mask is not None:
            env_id = np.flatnonzero(mask)
        return self._pool.reset(env_id, self._seeds(seed, env_id), arguments)

    def step(self, action: Any, env_id: Any = None) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """(obs, reward, terminated, truncated, info), one row per environment."""
        result: tuple[Any, Any, Any, Any, dict[str, Any]] = self._step(action, env_id)
        return result

    def recv(
        self, reset: bool = False, return_info: bool = True, timeout: float | None = None
    ) -> Any:
        """Waits for the next batch. reset=True gives what `reset` gives (with info: and the info).

        timeout: seconds after which TimeoutError is raised; what is on its way stays so.
        """
        result = self._pool.recv(timeout)
        if not reset:
            return result
        return (result[0], result[4]) if return_info else result[0]

    def render(self, env_ids: Any = None, camera_id: Any = None) -> Any:
        """Pictures of the environments `env_ids`, uint8 of shape (n, height, width, 3), or texts.

        env_ids: None: the one of the argument `render_env_id`. camera_id: an id or a name, for
        environments that have several points of view. See `GymnasiumPool.render` for what is raised.
        """
        ids = self._config.values["render_env_id"] if env_ids is None else env_ids
        return stacked(self._frames(ids, camera_id))

    def close(self) -> None:
        """Stops the threads and destroys the environments. Doing it twice is fine."""
        PoolView.close(self)

    def __repr__(self) -> str:
        return PoolView.__repr__(self)
