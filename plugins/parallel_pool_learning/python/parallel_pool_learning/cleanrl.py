"""CleanRL's scripts: infos at the end of an episode as Gymnasium 0.29 had them, which the scripts read.

    from parallel_pool_learning.cleanrl import make_vec_env

    envs = make_vec_env(args.env_id, num_envs=args.num_envs)

docs/libraries.md has the options that take the place of the scripts' wrappers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import VectorEnv, VectorWrapper

from parallel_pool_learning.infos import fill_rows
from parallel_pool_learning.pools import close_if_refused, expect_pool, make_pool

_REASON = "because it wants the next episode's observation from the step that ends one"
_EPISODE = {"r": np.float32, "l": np.int32, "t": np.float32}


def make_vec_env(
    task_id: str | Sequence[str], num_envs: int = 1, **options: Any
) -> FinalInfoToList:
    """A pool with the autoreset mode SameStep and episode statistics, in a `FinalInfoToList`.

    options: those of `parallel_pool.make`, except batch_size. Raises what `parallel_pool.make` and
    `FinalInfoToList` raise.
    """
    pool = make_pool(
        task_id, "SameStep", {"num_envs": num_envs, "episode_statistics": True, **options}
    )
    with close_if_refused(pool):
        return FinalInfoToList(pool)


class FinalInfoToList(VectorWrapper[Any, Any, Any, Any, Any]):
    """`FinalInfoToList(envs)`: where an episode ended, the infos of `step` are those of Gymnasium 0.29.

    `final_info` has a dict for each environment whose episode ended and None for the others, with `episode`
    in it, and `final_observation` the observations instead of `final_obs`. All other infos stay as they are.
    Gymnasium's vector wrappers may be between it and the pool.

    Raises TypeError if there is no pool; OptionError for another autoreset mode, a batch_size or several
    players.
    """

    def __init__(self, envs: VectorEnv[Any, Any, Any]) -> None:
        expect_pool(envs, "CleanRL", ["SameStep"], _REASON)
        super().__init__(envs)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Steps like the pool's `step`, with these infos."""
        obs, reward, terminated, truncated, info = self.env.step(actions)
        return obs, reward, terminated, truncated, _as_in_029(info)


def _as_in_029(info: dict[str, Any]) -> dict[str, Any]:
    if "final_info" not in info:
        return info
    old = {
        name: value
        for name, value in info.items()
        if name.lstrip("_") not in ("episode", "final_obs")
    }
    ended = info["_final_info"]
    rows: list[dict[str, Any]] = [{} for _ in ended]
    fill_rows(rows, info["final_info"])
    if "episode" in info:
        for row in np.flatnonzero(info["_episode"]).tolist():
            rows[row]["episode"] = {
                name: np.array([info["episode"][name][row]], dtype)
                for name, dtype in _EPISODE.items()
            }
    infos = np.empty(len(rows), object)
    infos[ended] = [row for row, over in zip(rows, ended, strict=True) if over]
    old["final_info"] = infos
    if "final_obs" in info:
        old["final_observation"] = info["final_obs"]
        old["_final_observation"] = info["_final_obs"]
    return old
