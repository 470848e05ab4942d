"""rl_games: a pool as its vector environment, through rl_games' own registries.

from parallel_pool_learning.rl_games import register_env

register_env("CartPole-v1")  # params.config.env_name in the configuration of a run
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from gymnasium import spaces
from parallel_pool import make_spec
from parallel_pool.errors import OptionError
from parallel_pool.pool_api import GymnasiumPool, map_tree

from parallel_pool_learning.arrays import as_numpy, float32_of
from parallel_pool_learning.library import RL_GAMES, require
from parallel_pool_learning.pools import (
    close_if_refused,
    discard_pending,
    expect_mode,
    expect_pool,
    make_pool,
)

require(RL_GAMES)

from rl_games.common import env_configurations, vecenv  # noqa: E402
from rl_games.common.ivecenv import IVecEnv  # noqa: E402

VECENV_TYPE = "PARALLEL_POOL"
MODE = "SameStep"
_REASON = "because the step after an end would be trained on with NextStep"

Result = tuple[Any, Any, Any, dict[str, Any]]


def register_env(task_id: str, name: str | None = None, **options: Any) -> str:
    """Registers an environment for `env_name: NAME` in rl_games' configurations. Returns the name.

    name: None: task_id. options: those of `parallel_pool.make` except num_envs, which is rl_games'
    num_actors; the configuration's `env_config` overrides them. Raises what `parallel_pool.make` raises, and
    OptionError for another autoreset mode.
    """
    if "num_envs" in options:
        raise OptionError(f"{task_id}: rl_games decides num_envs: num_actors of the configuration")
    spec = make_spec(task_id, **{"autoreset_mode": MODE, **options})
    expect_mode(spec.definition, RL_GAMES.title, [MODE], _REASON)
    name = task_id if name is None else name
    create = partial(make_vec_env, task_id, **options)
    vecenv.register(VECENV_TYPE, _create)
    env_configurations.register(name, {"vecenv_type": VECENV_TYPE, "env_creator": create})
    return name


def make_vec_env(
    task_id: str | Sequence[str], num_actors: int = 1, **options: Any
) -> RLGamesVecEnv:
    """A pool as an IVecEnv. options: those of `parallel_pool.make`, except batch_size."""
    options = {"num_envs": num_actors, "infos": "minimal", "episode_statistics": True, **options}
    pool = make_pool(task_id, MODE, options)
    with close_if_refused(pool):
        return RLGamesVecEnv(pool)


def _create(name: str, num_actors: int, **env_config: Any) -> RLGamesVecEnv:
    """rl_games calls this for a vecenv of our type."""
    creator = env_configurations.configurations[name]["env_creator"]
    made: RLGamesVecEnv = creator(num_actors=num_actors, **env_config)
    return made


class RLGamesVecEnv(IVecEnv):  # type: ignore[misc]
    """`RLGamesVecEnv(pool)`: a pool of env_type "gymnasium" and autoreset SameStep as an IVecEnv.

    `step` returns (obs, reward, done, infos): rewards are float32, and so are observations of float64. The
    entry "time_outs" of infos is True where an episode was truncated and not terminated. Where statistics are
    of whole games, "scores" has those of games that end, and "lives" is 0 there: rl_games logs them. With
    output="torch" results are tensors on the pool's device, but for these two, and actions may be there.

    Raises TypeError if there is no such pool; OptionError for another autoreset mode, a batch_size, several
    players, or Tuple observations.
    """

    def __init__(self, envs: GymnasiumPool) -> None:
        self.pool = expect_pool(envs, RL_GAMES.title, [MODE], _REASON, bare=True, tensors=True)
        space = self.pool.single_observation_space
        if isinstance(space, spaces.Tuple):
            raise OptionError(
                f"{RL_GAMES.title} takes no observations in a Tuple, as {self.pool.spec.id!r} has: {space}"
            )
        self.observation_space = _narrow(space)
        self.action_space = self.pool.single_action_space
        self._seed: int | None = None

    def reset(self) -> Any:
        """Resets all environments and returns their observations. A step that Ctrl-C ended is discarded."""
        discard_pending(self.pool)
        obs, _ = self.pool.reset(seed=self._seed)
        self._seed = None
        return _floats(obs)

    def step(self, actions: Any) -> Result:
        """Returns (obs, reward, done, infos), one row per environment."""
        obs, reward, terminated, truncated, info = self.pool.step(actions)
        infos = {"time_outs": truncated & ~terminated}
        if self.pool.definition.reports_games:
            over, scores = np.zeros(len(reward), np.bool_), np.zeros(len(reward))
            if "episode" in info:
                over, scores = as_numpy(info["_episode"]), as_numpy(info["episode"]["r"])
            infos |= {"lives": ~over, "scores": scores.astype(np.float32)}
        return _floats(obs), float32_of(reward), terminated | truncated, infos

    def seed(self, seed: int | None) -> None:
        """Sets the seeds of the next reset: environment i gets seed + i. Raises OptionError for no seed."""
        self.pool.definition.spread(seed)
        self._seed = seed

    def get_env_info(self) -> dict[str, Any]:
        """A dict with the spaces of one environment."""
        return {"observation_space": self.observation_space, "action_space": self.action_space}

    def render(self, mode: str = "rgb_array") -> tuple[Any, ...]:
        """A picture of each environment."""
        return self.pool.render()

    def close(self) -> None:
        """Closes the pool. A second call has no effect."""
        self.pool.close()


def _floats(obs: Any) -> Any:
    """float64 as float32, the dtype of rl_games' networks."""
    return map_tree(lambda each: float32_of(each) if "float64" in str(each.dtype) else each, obs)


def _narrow(space: spaces.Space[Any]) -> spaces.Space[Any]:
    """The space of the results of `_floats`."""
    if isinstance(space, spaces.Dict):
        return spaces.Dict({name: _narrow(each) for name, each in space.items()})
    if isinstance(space, spaces.Box) and space.dtype == np.float64:
        low, high = space.low.astype(np.float32), space.high.astype(np.float32)
        return spaces.Box(low, high, space.shape, np.float32)
    return space
