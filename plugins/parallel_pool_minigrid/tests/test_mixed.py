"""Several levels in one pool."""

from __future__ import annotations

from typing import Any

import numpy as np
import parallel_pool
import pytest

TASKS = ["BabyAI-GoToLocal-v0", "BabyAI-Open-v0", "BabyAI-PutNextLocal-v0", "BabyAI-BossLevel-v0"]


def shown(obs: Any, envs: slice) -> list[Any]:
    return [
        obs["image"][envs].tolist(),
        obs["direction"][envs].tolist(),
        list(obs["mission"][envs]),
    ]


@pytest.mark.parametrize("in_turns", [False, True])
def test_each_level_plays_as_in_a_pool_of_its_own(in_turns: bool) -> None:
    ids = TASKS * 4 if in_turns else sorted(TASKS * 4)
    draw = np.random.default_rng(0)
    actions = draw.integers(0, 7, (100, len(ids)))
    with parallel_pool.make(ids, seed=0, num_threads=2, render_mode="rgb_array") as pool:
        alone = [
            parallel_pool.make(each, num_envs=1, seed=seed, render_mode="rgb_array")
            for seed, each in enumerate(ids)
        ]
        obs, _ = pool.reset()
        others = [each.reset() for each in alone]
        for action in actions:
            for env, other in enumerate(others):
                assert shown(obs, slice(env, env + 1)) == shown(other[0], slice(0, 1))
            obs, reward, *_ = pool.step(action)
            others = [each.step(action[env : env + 1]) for env, each in enumerate(alone)]
            assert reward.tolist() == [other[1][0] for other in others]
        frames = pool.render()
        for env, each in enumerate(alone):
            assert np.array_equal(frames[env], each.render()[0])
            each.close()


def test_spaces_that_differ() -> None:
    with pytest.raises(parallel_pool.OptionError, match=r"environments 0 .*and 1 .*'mission'"):
        parallel_pool.make(["BabyAI-GoToLocal-v0", "MiniGrid-DoorKey-8x8-v0"])
    with pytest.raises(parallel_pool.OptionError, match="action"):
        parallel_pool.make(["MiniGrid-Empty-8x8-v0", "MiniGrid-Dynamic-Obstacles-8x8-v0"])
