"""`parallel-pool watch` takes models that Stable-Baselines3 has saved."""

from pathlib import Path

import numpy as np
import pytest
from parallel_pool.watching.policies import find_policy
from test_envs.libraries import needed

needed("stable_baselines3")

import stable_baselines3 as sb3  # noqa: E402
from parallel_pool.integrations.sb3 import make_vec_env  # noqa: E402


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
