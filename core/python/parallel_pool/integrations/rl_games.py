"""rl_games: a pool as its vector environment, by its own register hooks.

from parallel_pool.integrations.rl_games import register_env

register_env("CartPole-v1")  # params.config.env_name in the configuration of a run
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from parallel_pool.errors import OptionError
from parallel_pool.integrations.library import RL_GAMES, require
from parallel_pool.integrations.pools import close_if_refused, expect_mode, expect_pool, make_pool
from parallel_pool.making import make_spec
from parallel_pool.views.gymnasium import GymnasiumPool

require(RL_GAMES)

from rl_games.common import env_configurations, vecenv  # noqa: E402
from rl_games.common.ivecenv import IVecEnv  # noqa: E402

VECENV_TYPE = "PARALLEL_POOL"
MODE = "SameStep"
_REASON = "because the step after an end would be trained on with NextStep"

Result = tuple[Any, npt.NDArray[np.float32], npt.NDArray[np.bool_], dict[str, Any]]


def register_env(task_id: str, name: str | None = None, **options: Any) -> str:
    """Lets `env_name: NAME` in a configuration mean this environment. Gives the name.

    name: None: task_id. options: all that `parallel_pool.make` takes but num_envs, which is rl_games'
    num_actors; `env_config` of the configuration goes before them. Raises what `parallel_pool.make` raises;
    OptionError for another autoreset mode.
    """
    if "num_envs" in options:
        raise OptionError(f"{task_id}: rl_games decides num_envs: num_actors of the configuration")
    spec = make_spec(task_id, **{"autoreset_mode": MODE, **options})
    expect_mode(spec._config, RL_GAMES.title, [MODE], _REASON)
    name = task_id if name is None else name
    create = partial(make_vec_env, task_id, **options)
    vecenv.register(VECENV_TYPE, _create)
    env_configurations.register(name, {"vecenv_type": VECENV_TYPE, "env_creator": create})
    return name


def make_vec_env(
    task_id: str | Sequence[str], num_actors: int = 1, **options: Any
) -> RLGamesVecEnv:
    """A pool as an IVecEnv; options: all that `parallel_pool.make` takes, but batch_size."""
    options = {"num_envs": num_actors, "infos": "minimal", **options}
    pool = make_pool(task_id, MODE, options)
    with close_if_refused(pool):
        return RLGamesVecEnv(pool)


def _create(name: str, num_actors: int, **env_config: Any) -> RLGamesVecEnv:
    """What rl_games calls for a vecenv of our type."""
    creator = env_configurations.configurations[name]["env_creator"]
    made: RLGamesVecEnv = creator(num_actors=num_actors, **env_config)
    return made


class RLGamesVecEnv(IVecEnv):  # type: ignore[misc]
    """`RLGamesVecEnv(pool)`: a pool of env_type "gymnasium" and autoreset SameStep as an IVecEnv.

    `step` gives (obs, reward float32, done, infos), observations of float64 as float32; infos have
    `time_outs`: truncated and not terminated. Raises TypeError if there is no such pool; OptionError for
    another autoreset mode, a batch_size, several players, or an observation that is a Tuple.
    """

    def __init__(self, envs: GymnasiumPool) -> None:
        self.pool = expect_pool(envs, RL_GAMES.title, [MODE], _REASON, bare=True)
        space = self.pool.single_observation_space
        if isinstance(space, spaces.Tuple):
            raise OptionError(
                f"{RL_GAMES.title} takes no observations in a Tuple, as {self.pool.spec.id!r} has: {space}"
            )
        self.observation_space = _narrow(space)
        self.action_space = self.pool.single_action_space
        self._seed: int | None = None

    def reset(self) -> Any:
        """The first observations of all environments."""
        obs, _ = self.pool.reset(seed=self._seed)
        self._seed = None
        return _floats(obs)

    def step(self, actions: npt.NDArray[Any]) -> Result:
        """(obs, reward, done, infos), one row per environment."""
        obs, reward, terminated, truncated, _ = self.pool.step(actions)
        infos = {"time_outs": truncated & ~terminated}
        return _floats(obs), reward.astype(np.float32), terminated | truncated, infos

    def seed(self, seed: int | None) -> None:
        """The next reset begins with it: environment i has seed + i."""
        self._seed = seed

    def get_env_info(self) -> dict[str, Any]:
        """The spaces of one environment."""
        return {"observation_space": self.observation_space, "action_space": self.action_space}

    def render(self, mode: str = "rgb_array") -> tuple[Any, ...]:
        """A picture of each environment."""
        return self.pool.render()

    def close(self) -> None:
        """Closes the pool. Doing it twice is fine."""
        self.pool.close()


def _floats(obs: Any) -> Any:
    """float64 as float32, which is what its networks are of."""
    if isinstance(obs, dict):
        return {name: _floats(each) for name, each in obs.items()}
    return obs.astype(np.float32) if obs.dtype == np.float64 else obs


def _narrow(space: spaces.Space[Any]) -> spaces.Space[Any]:
    """The space of what `_floats` gives."""
    if isinstance(space, spaces.Dict):
        return spaces.Dict({name: _narrow(each) for name, each in space.items()})
    if isinstance(space, spaces.Box) and space.dtype == np.float64:
        low, high = space.low.astype(np.float32), space.high.astype(np.float32)
        return spaces.Box(low, high, space.shape, np.float32)
    return space
