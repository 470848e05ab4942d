"""What an actor of a RolloutPool does, here: an environment that fails does not end its rollouts."""

from __future__ import annotations

from typing import Any

import numpy as np
from test_envs.faulty_pools import FINE, THROWS, faulty
from test_envs.libraries import needed

needed("ray")

from parallel_pool.distributed.rollout_actor import HowToRoll, RolloutActor  # noqa: E402


class ThrowsOnce:
    """In the second step of the second environment."""

    def __init__(self) -> None:
        self.steps = 0

    def __call__(self, obs: Any) -> Any:
        self.steps += 1
        return np.array([FINE, THROWS if self.steps == 2 else FINE, FINE]), np.zeros(len(obs))


def test_an_environment_that_fails(faulty_library: str) -> None:
    faulty().close()  # now its id is known
    arguments = {"num_envs": 3, "num_threads": 1, "autoreset_mode": "SameStep"}
    how = HowToRoll(ThrowsOnce(), False, num_steps=3, gamma=0.99, gae_lambda=0.95)
    actor = RolloutActor("faulty/Scripted-v0", arguments, [1, 2, 3], how, (2, 1), policy_seed=5)
    fragment = actor.roll(0, [])
    assert fragment["rewards"].tolist() == [[1, 1, 1], [1, 0, 1], [1, 1, 1]]
    assert fragment["truncated"].tolist() == [[False] * 3, [False, True, False], [False] * 3]
    assert list(fragment["failures"]) == [7]
    assert fragment["env_id"].tolist() == [6, 7, 8]
    assert fragment["episodes"]["env_id"].tolist() == [7]
    assert (fragment["pool_id"], fragment["generation"], fragment["policy_version"]) == (2, 1, 0)
    assert not actor.roll(0, [])["failures"]
    actor._pool.close()
