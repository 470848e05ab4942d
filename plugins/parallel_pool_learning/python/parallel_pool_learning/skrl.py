"""skrl: a pool in its wrapper for Gymnasium's vector environments, in the mode that has no rows of resets.

from parallel_pool_learning.skrl import make_env

env = make_env("CartPole-v1", num_envs=8)
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from gymnasium.vector import VectorEnv

from parallel_pool_learning.library import SKRL, require
from parallel_pool_learning.pools import close_if_refused, expect_pool, make_pool

require(SKRL)

import torch  # noqa: E402
from skrl.envs.wrappers import torch as wrappers  # noqa: E402
from skrl.utils.spaces.torch import flatten_tensorized_space, tensorize_space  # noqa: E402

_REASON = "because it learns from every row and never resets: rows of resets, with NextStep, too"


def make_env(task_id: str | Sequence[str], num_envs: int = 1, **options: Any) -> wrappers.Wrapper:
    """A pool as an environment of skrl, with the autoreset mode SameStep.

    options: those of `parallel_pool.make`, except batch_size. Raises what `parallel_pool.make` and `wrap_env`
    raise.
    """
    options = {"num_envs": num_envs, "infos": "minimal", **options}
    pool = make_pool(task_id, "SameStep", options)
    with close_if_refused(pool):
        return wrap_env(pool)


def wrap_env(envs: VectorEnv[Any, Any, Any]) -> wrappers.Wrapper:
    """As skrl's function of this name, for a pool, or Gymnasium's vector wrappers around one.

    Raises TypeError if there is no pool; OptionError for another autoreset mode, a batch_size or several
    players.
    """
    expect_pool(envs, SKRL.title, ["SameStep"], _REASON)
    return wrappers.wrap_env(envs, wrapper="gymnasium", verbose=False)


def bootstrap_from_final_obs(agent: Any, env: wrappers.Wrapper) -> None:
    """Gives an agent the last observation where a time limit ended an episode; skrl has the next one's first.

    With `time_limit_bootstrap=True` in its configuration, PPO and A2C add the value of that observation then.
    """
    record = agent.record_transition

    @functools.wraps(record)
    def record_transition(
        *, next_observations: Any, truncated: Any, infos: dict[str, Any], **rest: Any
    ) -> None:
        if truncated.any():
            final = tensorize_space(
                env.observation_space, infos["final_obs_dense"], device=env.device
            )
            next_observations = torch.where(
                truncated, flatten_tensorized_space(final), next_observations
            )
        record(next_observations=next_observations, truncated=truncated, infos=infos, **rest)

    agent.record_transition = record_transition
