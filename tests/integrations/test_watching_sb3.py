"""`parallel-pool watch` takes models that Stable-Baselines3 has saved."""

from pathlib import Path

import numpy as np
import pytest
from parallel_pool_watch.policies import find_policy
from test_envs.libraries import needed

needed("stable_baselines3")

import stable_baselines3 as sb3  # noqa: E402
from parallel_pool import OptionError, make  # noqa: E402
from parallel_pool_learning.sb3 import make_vec_env  # noqa: E402
from stable_baselines3.common.vec_env import VecNormalize  # noqa: E402


@pytest.mark.parametrize(
    ("kind", "task_id"),
    [
        ("PPO", "CartPole-v1"),
        ("A2C", "CartPole-v1"),
        ("DQN", "CartPole-v1"),
        ("SAC", "Pendulum-v1"),
    ],
)
def test_acts_as_the_model_does(kind: str, task_id: str, tmp_path: Path) -> None:
    envs = make_vec_env(task_id, num_envs=3, seed=1)
    model = getattr(sb3, kind)("MlpPolicy", envs, seed=1, device="cpu")
    model.save(tmp_path / "model.zip")
    policy = find_policy(str(tmp_path / "model.zip"), envs.pool.action_space, seed=0)
    obs = envs.reset()
    for step in range(3):
        actions = policy(obs, step)
        assert np.array_equal(actions, model.predict(obs, deterministic=True)[0])
        obs, *_ = envs.step(actions)
    envs.close()


def test_a_model_of_small_pictures_is_watched(tmp_path: Path) -> None:
    envs = make_vec_env("MiniGrid-Empty-5x5-v0", num_envs=3, seed=1)
    model = sb3.A2C("MultiInputPolicy", envs, seed=1, device="cpu")
    model.save(tmp_path / "model.zip")
    policy = find_policy(str(tmp_path / "model.zip"), envs.action_space, seed=0)
    with make("MiniGrid-Empty-5x5-v0", num_envs=3, seed=1, mission="words") as watched:
        actions = policy(watched.reset()[0], 0)
    assert np.array_equal(actions, model.predict(envs.reset(), deterministic=True)[0])
    envs.close()


def test_a_model_sees_what_it_was_trained_with(tmp_path: Path) -> None:
    envs = VecNormalize(make_vec_env("Pendulum-v1", num_envs=3, seed=1), training=False)
    envs.obs_rms.mean, envs.obs_rms.var = np.array([0.3, -0.2, 4.0]), np.array([0.1, 0.2, 9.0])
    model = sb3.PPO("MlpPolicy", envs, seed=1, device="cpu")
    model.save(tmp_path / "model.zip")
    word, space = str(tmp_path / "model.zip"), envs.action_space
    find_policy(word, space, seed=0)  # warns of nothing, as there are no statistics
    for name in ("vec_normalize.pkl", "rl_model_vecnormalize_1000_steps.pkl"):
        statistics = tmp_path / name
        envs.save(str(statistics))
        with pytest.warns(UserWarning, match=rf"VecNormalize, {name}: .* --vecnormalize"):
            plain = find_policy(word, space, seed=0)
        policy = find_policy(word, space, seed=0, statistics=str(statistics))
        obs = envs.reset()
        expected = model.predict(obs, deterministic=True)[0]
        assert np.array_equal(policy(envs.get_original_obs(), 0), expected)
        assert not np.allclose(plain(envs.get_original_obs(), 0), expected)
        statistics.unlink()
    envs.close()
    wrong = tmp_path / "wrong.pkl"
    for content, message in (
        (None, "there is no file"),
        (b"", "cannot be read"),
        (b"N.", "has NoneType, expected what VecNormalize.save writes"),
    ):
        if content is not None:
            wrong.write_bytes(content)
        with pytest.raises(OptionError, match=message):
            find_policy(word, space, seed=0, statistics=str(wrong))
