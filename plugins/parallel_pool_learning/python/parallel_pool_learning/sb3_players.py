"""Stable-Baselines3 with several players: one policy for all of them, each in a row of its own.

from parallel_pool_learning.sb3_players import make_vec_env
from stable_baselines3 import PPO

model = PPO("MlpPolicy", make_vec_env("TwoPlayerPong-v0", num_envs=8))  # 16 rows
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from parallel_pool.pool_api import expect_arrays

from parallel_pool_learning.infos import fill_rows
from parallel_pool_learning.library import SB3, require
from parallel_pool_learning.player_rows import PlayerRows
from parallel_pool_learning.pools import close_if_refused, discard_pending, make_pool
from parallel_pool_learning.sb3_spaces import for_networks

require(SB3)

from stable_baselines3.common.monitor import Monitor  # noqa: E402
from stable_baselines3.common.vec_env import VecEnv  # noqa: E402


def make_vec_env(
    task_id: str, num_envs: int = 1, *, flatten_small: bool = True, **options: Any
) -> SB3PlayersVecEnv:
    """A pool as a `stable_baselines3` VecEnv with a row for each player, with the autoreset mode SameStep.

    options: those of `parallel_pool.make`, except batch_size. flatten_small: as of `sb3.SB3VecEnv`. Raises what
    `parallel_pool.make` and `PlayerRows` raise.
    """
    pool = make_pool(task_id, "SameStep", {"num_envs": num_envs, "infos": "minimal", **options})
    with close_if_refused(pool):
        return SB3PlayersVecEnv(PlayerRows(pool), flatten_small=flatten_small)


class SB3PlayersVecEnv(VecEnv):  # type: ignore[misc]
    """`SB3PlayersVecEnv(rows)`: the rows of `PlayerRows` as a VecEnv.

    Infos of a row are `present`, `TimeLimit.truncated`, and where its player ends `terminal_observation` and
    `episode`, of the player alone. Stable-Baselines3 learns from rows of absent players, too, as from those of
    SuperSuit's black_death; it is right for games whose players end together or play on.
    """

    def __init__(self, rows: PlayerRows, *, flatten_small: bool = True) -> None:
        owner = rows.pool.definition.env.id
        space = rows.single_observation_space
        expect_arrays(space, rows.single_action_space, owner, SB3.title)
        space, self._convert = for_networks(space, flatten_small=flatten_small)
        self.rows = rows
        self.metadata = rows.pool.definition.render_metadata
        super().__init__(rows.num_envs, space, rows.single_action_space)

    def reset(self) -> Any:
        """Resets all environments. The first row's seed of `seed` is that of the first environment."""
        discard_pending(self.rows.pool)
        seeds = self._seeds[:: self.rows.players]
        given = None if all(seed is None for seed in seeds) else seeds
        obs, info = self.rows.reset(seed=given, options=self._options[0] or None)
        self.reset_infos = [{"present": each} for each in info["present"].tolist()]
        self._reset_seeds()
        self._reset_options()
        return self._convert(obs, 1)

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Takes the actions of the next `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, npt.NDArray[np.float32], npt.NDArray[np.bool_], list[Any]]:
        """Returns (obs, reward, done, infos), one row for each player."""
        obs, reward, terminated, truncated, info = self.rows.step(self._actions)
        done = terminated | truncated
        infos: list[dict[str, Any]] = [
            {"present": present, "TimeLimit.truncated": cut}
            for present, cut in zip(info["present"].tolist(), truncated.tolist(), strict=True)
        ]
        if done.any():
            fill_rows(infos, {name: info[name] for name in ("episode", "_episode")})
        for row in np.flatnonzero(done).tolist():
            infos[row]["terminal_observation"] = self._convert(info["final_obs"][row], 0)
        return self._convert(obs, 1), reward.astype(np.float32), done, infos

    def close(self) -> None:
        """Closes the pool."""
        self.rows.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The attribute of the rows, which is the same for all. Raises AttributeError."""
        return [getattr(self.rows, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Raises AttributeError: players are no environments. `rows.pool` reaches these."""
        raise AttributeError(f"{attr_name}: rows are players; rows.pool.set_attr sets it")

    def env_method(self, method_name: str, *_: Any, **__: Any) -> list[Any]:
        """Raises AttributeError: players are no environments. `rows.pool` reaches these."""
        raise AttributeError(f"{method_name}: rows are players; rows.pool.call calls it")

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        """True for Monitor, because infos have `episode`; False for all other wrappers."""
        return [wrapper_class is Monitor for _ in self._get_indices(indices)]

    def get_images(self) -> list[Any]:
        """A picture of each environment, which its players share."""
        return list(self.rows.render())
