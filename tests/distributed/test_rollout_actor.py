"""What an actor of a RolloutPool does, here: an environment that fails does not end its rollouts."""

import pickle
from functools import partial
from itertools import count
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from test_envs.faulty_pools import FINE, THROWS, faulty
from test_envs.libraries import needed

needed("ray")

from parallel_pool_ray import rollout_actor  # noqa: E402
from parallel_pool_ray.rollout_actor import RolloutActor, RolloutConfig  # noqa: E402
from parallel_pool_ray.sharding import Shard, Sharding  # noqa: E402


def shard(task_id: str) -> Shard:
    options = {"num_threads": 1, "autoreset_mode": "SameStep"}
    return Sharding("RolloutPool", task_id, 3, 1, [1, 2, 3], options).shard(0, 0)


class ThrowsOnce:
    def __init__(self) -> None:
        self.steps = 0

    def __call__(self, obs: Any) -> Any:
        self.steps += 1
        return np.array([FINE, THROWS if self.steps == 2 else FINE, FINE]), np.zeros(len(obs))


def leaning(obs: Any) -> Any:
    return (obs[:, 2] > 0).astype(np.int64), obs[:, 2]


def test_an_environment_that_fails(faulty_library: str) -> None:
    faulty().close()  # now its id is known
    config = RolloutConfig(ThrowsOnce(), False, num_steps=3, gamma=0.99, gae_lambda=0.95)
    actor = RolloutActor(shard("faulty/Scripted-v0"), config, (2, 1), policy_seed=5)
    (fragment,) = actor.roll(0, [])
    assert fragment["rewards"].tolist() == [[1, 1, 1], [1, 0, 1], [1, 1, 1]]
    assert fragment["truncated"].tolist() == [[False] * 3, [False, True, False], [False] * 3]
    assert list(fragment["failures"]) == [7]
    assert fragment["env_id"].tolist() == [6, 7, 8]
    assert fragment["episodes"]["env_id"].tolist() == [7]
    assert (fragment["pool_id"], fragment["generation"], fragment["policy_version"]) == (2, 1, 0)
    assert not actor.roll(0, [])[0]["failures"]
    actor._pool.close()


def test_short_fragments_come_together(monkeypatch: pytest.MonkeyPatch) -> None:
    config = RolloutConfig(leaning, False, num_steps=4, gamma=0.99, gae_lambda=0.95)
    clock = SimpleNamespace(perf_counter=partial(next, count()))  # a second passes with each look
    monkeypatch.setattr(rollout_actor, "time", clock)

    def rolled(*seconds: float) -> list[Any]:
        actor = RolloutActor(shard("CartPole-v1"), config, (0, 0), policy_seed=5)
        # As they travel: the next call overwrites them.
        calls = [pickle.loads(pickle.dumps(actor.roll(0, [], each))) for each in seconds]
        actor._pool.close()
        return [fragment for call in calls for fragment in call]

    for one, other in zip(rolled(8), rolled(0, 0, 0), strict=True):
        for name in ("obs", "returns", "values", "next_values"):
            assert np.array_equal(one[name], other[name])
