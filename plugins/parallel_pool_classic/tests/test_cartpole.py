"""CartPole is Gymnasium's, bit for bit: observations, rewards, flags, for the same seeds and actions."""

import gymnasium
import numpy as np
import parallel_pool
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv


def lockstep(task_id: str, num_envs: int, steps: int, seed: int, **options: object) -> int:
    """Steps the pool and Gymnasium's vector environment together; gives the episodes that ended."""
    draw = np.random.default_rng(seed)
    ours = parallel_pool.make(task_id, num_envs=num_envs, **options)
    theirs = SyncVectorEnv(
        [lambda: gymnasium.make(task_id, **options)] * num_envs,
        autoreset_mode=AutoresetMode.NEXT_STEP,
    )
    # Numbers beyond 32 bits too: numpy takes them apart into words.
    first = int(draw.integers(0, 2**60))
    obs, _ = ours.reset(seed=first)
    expected, _ = theirs.reset(seed=first)
    np.testing.assert_array_equal(obs, expected)
    ended = 0
    for _ in range(steps):
        actions = draw.integers(0, 2, num_envs)
        result = ours.step(actions)
        reference = theirs.step(actions)
        for got, wanted in zip(result[:4], reference[:4], strict=True):
            np.testing.assert_array_equal(got, wanted)
            assert got.dtype == wanted.dtype
        ended += int((result[2] | result[3]).sum())
    ours.close()
    theirs.close()
    return ended


@pytest.mark.parametrize("seed", range(8))
def test_equals_gymnasium_over_many_episodes(seed: int) -> None:
    assert lockstep("CartPole-v1", num_envs=32, steps=400, seed=seed) > 300


@pytest.mark.parametrize("task_id", ["CartPole-v0", "CartPole-v1"])
@pytest.mark.filterwarnings("ignore:.*out of date.*")
def test_equals_gymnasium_with_options(task_id: str) -> None:
    assert lockstep(task_id, num_envs=4, steps=300, seed=1, sutton_barto_reward=True) > 20


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
