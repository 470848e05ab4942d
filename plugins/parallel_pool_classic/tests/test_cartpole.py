"""CartPole is Gymnasium's, bit for bit: observations, rewards, flags, for the same seeds and actions."""

import gymnasium
import numpy as np
import parallel_pool
import pytest
from test_envs.originals import Beside


@pytest.mark.parametrize("seed", range(8))
def test_equals_gymnasium_over_many_episodes(seed: int, beside: Beside) -> None:
    played = beside("CartPole-v1", "CartPole-v1", num_envs=32, steps=400, seed=1000 * seed)
    assert played.ended.sum() > 300


@pytest.mark.parametrize("task_id", ["CartPole-v0", "CartPole-v1"])
def test_equals_gymnasium_with_options(task_id: str, beside: Beside) -> None:
    played = beside(task_id, task_id, num_envs=4, steps=300, seed=1, sutton_barto_reward=True)
    assert played.ended.sum() > 20


@pytest.mark.parametrize(("task_id", "limit"), [("CartPole-v0", 200), ("CartPole-v1", 500)])
def test_time_limit_is_gymnasiums(task_id: str, limit: int) -> None:
    """A policy that balances reaches the limit: truncated, not terminated, at that very step."""
    with parallel_pool.make(task_id, num_envs=16) as envs:
        obs, _ = envs.reset(seed=3)
        for step in range(1, limit + 1):
            obs, _, terminated, truncated, info = envs.step(
                (obs[:, 2] + 0.5 * obs[:, 3] > 0).astype(np.int8)
            )
            assert not terminated.any()
            assert truncated.all() == (step == limit)
            assert (info["elapsed_step"] == step).all()
        assert gymnasium.spec("CartPole-v1").max_episode_steps == 500


def test_spaces_are_gymnasiums() -> None:
    ours = parallel_pool.make_spec("CartPole-v1")
    theirs = gymnasium.make("CartPole-v1")
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    assert ours.reward_threshold == 475.0
