"""Stable-Baselines3 with several players: one policy that all of them train."""

import numpy as np
import parallel_pool
import pytest
from test_envs.checks import refused
from test_envs.libraries import needed

needed("stable_baselines3")

from parallel_pool_learning.sb3_players import make_vec_env  # noqa: E402
from stable_baselines3 import PPO  # noqa: E402
from stable_baselines3.common.evaluation import evaluate_policy  # noqa: E402
from stable_baselines3.common.monitor import Monitor  # noqa: E402


def test_players_are_rows() -> None:
    envs = make_vec_env("TwoPlayerPong-v0", 3, points=1, max_episode_steps=30)
    envs.seed(4)
    obs = envs.reset()
    assert (envs.num_envs, obs.shape) == (6, (6, 6))
    with parallel_pool.make("TwoPlayerPong-v0", num_envs=3) as pool:
        expected, _ = pool.reset(seed=[4, 6, 8])  # the library numbers seeds by row
        assert np.array_equal(obs, expected.reshape(6, 6))
    totals, ended = np.zeros(6), 0
    for _ in range(120):
        obs, reward, done, infos = envs.step(np.arange(6) % 3)
        totals += reward
        for row in np.flatnonzero(done):
            ended += 1
            episode = infos[row]["episode"]
            assert (episode["r"], 0 < episode["l"] <= 30) == (totals[row], True)
            assert infos[row]["terminal_observation"].shape == (6,)
            totals[row] = 0
    assert ended >= 12
    assert all(
        "terminal_observation" not in info
        for info, over in zip(infos, done, strict=True)
        if not over
    )
    assert envs.env_is_wrapped(Monitor) == [True] * 6
    with refused(AttributeError, "rows are players"):
        envs.set_attr("points", 3)
    envs.close()


def test_it_trains_and_is_evaluated() -> None:
    envs = make_vec_env("TwoPlayerPong-v0", 4, points=1, max_episode_steps=30)
    model = PPO("MlpPolicy", envs, n_steps=32, batch_size=64, n_epochs=1, seed=1, device="cpu")
    model.learn(512)
    assert len(model.ep_info_buffer) > 0
    assert len(evaluate_policy(model, envs, 8, return_episode_rewards=True)[0]) == 8
    envs.close()


def test_pictures_are_those_of_environments() -> None:
    pytest.importorskip("PIL")
    envs = make_vec_env("TwoPlayerPong-v0", 2, render_mode="rgb_array")
    envs.reset()
    assert len(envs.get_images()) == 2
    envs.close()
