"""Stable-Baselines3's PPO on a pool.

uv run --group training --group libraries python examples/training/sb3_ppo.py

`make_vec_env` of parallel_pool_learning.sb3 is a pool as a VecEnv; everything else is Stable-
Baselines3 as ever. More is in docs/libraries.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import parallel_pool
import torch
from command_line import from_command_line
from parallel_pool_learning.sb3 import make_vec_env
from report import Report, draw_curves, film
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback


@dataclass
class Config:
    """Stable-Baselines3's PPO, by default with the settings for CartPole of its zoo."""

    env: str = "CartPole-v1"
    total_steps: int = 60_000
    num_envs: int = 8
    num_steps: int = 32
    learning_rate: float = 1e-3
    """falls to 0 over the run, as the clip does"""
    clip: float = 0.2
    gamma: float = 0.98
    gae_lambda: float = 0.8
    epochs: int = 20
    minibatch: int = 256
    device: str = "cpu"
    """where networks compute: cpu, or cuda for a GPU"""
    torch_threads: int = 1
    seed: int = 1
    goal: float = 475
    """a line in the picture"""
    track: str = ""
    """also log to "tensorboard" or "wandb", or to both, with a comma between"""
    out: Path = Path("results/sb3")
    """folder for log, model, picture and film"""
    film_frames: int = 500
    """length of the film; 0: none"""


class Log(BaseCallback):
    """Tells the report about the episodes that ended."""

    def __init__(self, report: Report) -> None:
        super().__init__()
        self.report = report
        self.returns: list[float] = []

    def _on_step(self) -> bool:
        self.returns += [x["episode"]["r"] for x in self.locals["infos"] if "episode" in x]
        return True

    def _on_rollout_end(self) -> None:
        self.report.log(self.num_timesteps, self.returns)
        self.returns = []


def main() -> None:
    """Trains as the command line says, and tells how well the likeliest actions do in 100 episodes."""
    config = from_command_line(default=Config())
    torch.set_num_threads(config.torch_threads)
    report = Report(config)
    model = PPO(
        "MlpPolicy",
        make_vec_env(config.env, num_envs=config.num_envs, infos="minimal"),
        n_steps=config.num_steps,
        batch_size=config.minibatch,
        n_epochs=config.epochs,
        learning_rate=lambda left: left * config.learning_rate,
        clip_range=lambda left: left * config.clip,
        gamma=config.gamma,
        gae_lambda=config.gae_lambda,
        seed=config.seed,
        device=config.device,
    )
    # It trains in whole rollouts, and would go beyond the budget to end the last one.
    whole = config.num_envs * config.num_steps
    model.learn(config.total_steps // whole * whole, callback=Log(report))
    report.close()
    model.save(config.out / f"seed{config.seed}.zip")
    model.env.close()
    draw_curves(config.out, f"{config.env}, Stable-Baselines3", config.goal)

    def act(obs: np.ndarray) -> np.ndarray:
        return model.predict(obs, deterministic=True)[0]

    if config.film_frames:
        with parallel_pool.make(config.env, render_mode="rgb_array") as envs:
            film(envs, act, config.out / f"seed{config.seed}.mp4", config.film_frames)
    print(f"likeliest actions, 100 episodes: {parallel_pool.evaluate(config.env, model).mean:.1f}")


if __name__ == "__main__":
    main()
