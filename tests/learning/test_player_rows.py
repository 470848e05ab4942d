"""Players as rows: each row is what its player saw, got and did, whatever ends when."""

from typing import Any

import numpy as np
import parallel_pool
from gymnasium.vector import AutoresetMode
from parallel_pool_learning import PlayerRows, RolloutBuffer
from test_envs.checks import refused
from test_envs.pools import make

PONG: dict[str, Any] = {"points": 1, "max_episode_steps": 40, "autoreset_mode": "SameStep"}
PAIR = {"num_envs": 3, "seed": 2}


def test_rows_are_those_of_the_padded_layout() -> None:
    pool = parallel_pool.make("TwoPlayerPong-v0", **PAIR, **PONG)
    with parallel_pool.make("TwoPlayerPong-v0", **PAIR, **PONG) as padded:
        rows = PlayerRows(pool)
        assert (rows.num_envs, rows.players) == (6, 2)
        assert rows.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
        assert rows.single_observation_space.shape == (6,)
        assert rows.observation_space.shape == (6, 6)
        obs, info = rows.reset()
        expected, _ = padded.reset()
        assert np.array_equal(obs, expected.reshape(6, 6))
        assert info["present"].all()
        assert info["acting"].all()
        rng = np.random.default_rng(0)
        returns, ended = np.zeros(6), 0
        for _ in range(300):
            actions = rng.integers(0, 3, 6)
            obs, reward, terminated, truncated, info = rows.step(actions)
            expected, wanted, over, cut, told = padded.step(actions.reshape(3, 2))
            assert np.array_equal(obs, expected.reshape(6, 6))
            assert np.array_equal(reward, wanted.reshape(6))
            assert np.array_equal(info["acting"], told["players"]["acting"].reshape(6))
            assert terminated.tolist() == np.repeat(over, 2).tolist()
            assert truncated.tolist() == np.repeat(cut & ~over, 2).tolist()
            returns += reward
            done = terminated | truncated
            assert ("final_obs" in info) == done.any()
            for row in np.flatnonzero(done):
                ended += 1
                assert np.array_equal(
                    info["final_obs"][row], told["final_obs_dense"][row // 2, row % 2]
                )
                assert info["episode"]["r"][row] == returns[row]
                returns[row] = 0
        assert ended > 20
        rows.close()


def test_a_rollout_buffer_takes_them() -> None:
    with parallel_pool.make("TwoPlayerPong-v0", **PAIR, **PONG) as pool:
        buffer = RolloutBuffer(PlayerRows(pool), num_steps=64)
        buffer.reset(seed=1)
        while not buffer.full:
            buffer.step(np.zeros(6, np.int64), np.zeros(6))
        rollout = buffer.finish(lambda obs: np.zeros(len(obs)))
        assert rollout.obs.shape == (64, 6, 6)
        assert len(rollout.episodes["return"]) >= 6


def test_one_that_plays_on_begins_anew_in_its_row(test_envs: None) -> None:
    rows = PlayerRows(make("Crowd", num_envs=1, autoreset_mode="SameStep"))
    rows.reset()
    rows.step(np.array([5, 5, 0, 0]))
    obs, _, terminated, truncated, info = rows.step(np.array([6, 7, 0, 0]))
    assert terminated.tolist() == [True, False, False, False]
    assert truncated.tolist() == [False, True, False, False]
    assert info["acting"].tolist() == [True, True, False, False]
    assert info["episode"]["r"].tolist() == [5 + 6, 15 + 17, 0, 0]
    assert obs["own"][:, 1].tolist() == [0, 0, 0, 0]  # their ages
    episode = rows.step(np.array([1, 1, 0, 0]))[-1]["episode"]
    assert (episode["r"].tolist(), episode["l"].tolist()) == ([1, 11, 0, 0], [1, 1, 0, 0])
    rows.close()


def test_other_pools_are_refused() -> None:
    error = parallel_pool.OptionError
    with parallel_pool.make("CartPole-v1") as pool, refused(error, "has one player"):
        PlayerRows(pool)
    for more in ({}, {"batch_size": 1, "autoreset_mode": "SameStep"}):
        with (
            parallel_pool.make("TwoPlayerPong-v0", num_envs=2, **more) as pool,
            refused(error, "autoreset_mode='SameStep' and without batch_size"),
        ):
            PlayerRows(pool)
    with (
        parallel_pool.make("TwoPlayerPong-v0", "gym") as pool,
        refused(TypeError, "GymPool, expected one of env_type='gymnasium'"),
    ):
        PlayerRows(pool)
