"""Stable-Baselines3's algorithms on pools: they train, are saved and evaluated."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_envs.code_blocks import DOCS, blocks
from test_envs.libraries import needed, training

needed("stable_baselines3")

from parallel_pool_learning.sb3 import make_vec_env  # noqa: E402
from stable_baselines3 import DQN, PPO, SAC  # noqa: E402
from stable_baselines3.common.evaluation import evaluate_policy  # noqa: E402
from stable_baselines3.common.vec_env import VecNormalize  # noqa: E402


def test_a_model_is_saved_and_goes_on(tmp_path: Path) -> None:
    envs = VecNormalize(make_vec_env("CartPole-v1", 4))
    model = PPO("MlpPolicy", envs, n_steps=32, batch_size=64, n_epochs=1, seed=1, device="cpu")
    model.learn(256)
    assert len(model.ep_info_buffer) > 0
    model.save(tmp_path / "model")
    envs.save(str(tmp_path / "statistics"))
    again = VecNormalize.load(str(tmp_path / "statistics"), make_vec_env("CartPole-v1", 4))
    assert np.array_equal(again.obs_rms.mean, envs.obs_rms.mean)
    loaded = PPO.load(tmp_path / "model", env=again, device="cpu")
    obs = again.reset()
    assert np.array_equal(
        model.predict(obs, deterministic=True)[0], loaded.predict(obs, deterministic=True)[0]
    )
    loaded.learn(128)


def test_evaluation_needs_no_monitor() -> None:
    model = PPO("MlpPolicy", make_vec_env("CartPole-v1", 2), seed=1, device="cpu")
    with warnings.catch_warnings(action="error"):
        returns, lengths = evaluate_policy(
            model, make_vec_env("CartPole-v1", 2), n_eval_episodes=4, return_episode_rewards=True
        )
    assert returns == lengths


def test_the_page_on_atari(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its other programs run as they stand; here the training is of one rollout."""
    monkeypatch.chdir(tmp_path)
    for program in blocks(DOCS / "atari-training.md"):
        exec(program.replace("model.learn(1_000_000)", "model.learn(1)"), {"__name__": "__main__"})
    said = capsys.readouterr().out
    assert " points in a game\n" in said
    assert "worst.mp4: 1 episode ended, return " in said
    assert Path("breakout.monitor.csv").read_text().count("\n") > 2


@pytest.mark.parametrize(
    ("algorithm", "policy", "task_id", "options"),
    [
        (DQN, "MlpPolicy", "CartPole-v1", {"learning_starts": 50, "buffer_size": 500}),
        (DQN, "MlpPolicy", "FrozenLake-v1", {"learning_starts": 50, "buffer_size": 500}),
        (SAC, "MlpPolicy", "HalfCheetah-v5", {"learning_starts": 50, "buffer_size": 500}),
        (PPO, "MultiInputPolicy", "dmc/cartpole-balance-v1", {"n_steps": 32, "n_epochs": 1}),
        (PPO, "CnnPolicy", "Pong-v5", {"n_steps": 8, "n_epochs": 1, "batch_size": 16}),
        (PPO, "MultiInputPolicy", "BabyAI-GoToLocal-v0", {"n_steps": 32, "n_epochs": 1}),
        (
            DQN,
            "MultiInputPolicy",
            "BabyAI-GoToLocal-v0",
            {"learning_starts": 32, "buffer_size": 500},
        ),
    ],
)
def test_algorithms_train(
    algorithm: Any, policy: str, task_id: str, options: dict[str, Any]
) -> None:
    model = algorithm(policy, make_vec_env(task_id, 2), seed=1, device="cpu", **options)
    with training(model.policy):
        model.learn(100)


def test_ppo_of_sbx_trains() -> None:
    """The same algorithms in JAX."""
    sbx = needed("sbx")
    envs = make_vec_env("CartPole-v1", 8)
    model = sbx.PPO("MlpPolicy", envs, n_steps=64, n_epochs=2, seed=1)
    model.learn(2_000)
    assert len(model.ep_info_buffer) > 20
