"""CartPole is Gymnasium's, bit for bit: observations, rewards, flags, for the same seeds and actions."""

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
