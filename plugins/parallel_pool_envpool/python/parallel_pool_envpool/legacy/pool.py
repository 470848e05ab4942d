"""EnvPool's pool with the interface of gym before 0.26."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from parallel_pool.pool_api import result_tree

from parallel_pool_envpool.gymnasium_pool import GymnasiumEnvPool
from parallel_pool_envpool.legacy.spaces import with_users_spaces
from parallel_pool_envpool.spec import EnvSpec

_TERMINATED, _TRUNCATED = result_tree.HostColumn("terminated"), result_tree.HostColumn("truncated")


class GymEnvPool(GymnasiumEnvPool):
    """`reset` returns the observation alone, `step` and `recv` four values: (obs, reward, done, info).

    `info["TimeLimit.truncated"]` is set, as in gym, for episodes that only the time limit has ended: a learner
    may bootstrap from their last observation. EnvPool also set it if an episode ended by itself on that step.
    Spaces are those of the package gym if the program has imported it, or else Gymnasium's.
    """

    _reset_info = False
    _word = "GymEnvPool"

    def __init__(self, spec: EnvSpec) -> None:
        super().__init__(with_users_spaces(spec))
        self.observation_space = spec.observation_space
        self.action_space = spec.action_space
        self.single_observation_space = self.observation_space
        self.single_action_space = self.action_space

    def flag_columns(self) -> tuple[result_tree.Node, ...]:
        """`done`."""
        return (result_tree.HostColumn("ended"),)

    def time_limit_info(self) -> dict[str, result_tree.Tree]:
        """The entry of gym's wrapper."""
        return {
            "TimeLimit.truncated": result_tree.Computed(_cut_off, (_TERMINATED, _TRUNCATED), True)
        }


def _cut_off(terminated: npt.NDArray[np.bool_], truncated: npt.NDArray[np.bool_]) -> Any:
    return truncated & ~terminated
