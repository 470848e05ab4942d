"""Self-play on TwoPlayerPong-v0: one policy plays both sides and learns from both.

python examples/training/self_play.py

A pool of N games is a batch of 2N rows, one for each player. Each player sees the field as if it stood
on the left, so one policy fits both, and PPO (ppo_discrete.py) need not know that there are games.
Among themselves the players win as much as they lose; the curve is therefore what they win against
somebody who follows the ball, whom they never train against.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import parallel_pool
import torch
from command_line import from_command_line
from ppo_discrete import PPO, Config
from report import Report, draw_curves, film

DEFAULT = Config(
    env="TwoPlayerPong-v0",
    total_steps=1_500_000,
    num_envs=128,
    num_steps=64,
    learning_rate=1e-3,
    gamma=0.99,
    gae_lambda=0.95,
    epochs=4,
    minibatch=1024,
    entropy=0.005,
    goal=0,
    out=Path("results/self_play"),
)
GAMES = 100
"""games played against the follower to see how good the policy is"""


class Players:
    """Two rows per game as a vector environment of PPO's, observations between -1 and 1.

    Args:
        config: `num_envs` counts players.
    """

    def __init__(self, config: Config, num_envs: int, **more: Any) -> None:
        self.pool = parallel_pool.make(
            config.env,
            "gym",
            num_envs=num_envs // 2,
            num_threads=config.num_threads,
            **config.env_options,
            **more,
        )
        self.num_envs = num_envs
        self.single_observation_space = self.pool.observation_space
        self.single_action_space = self.pool.action_space
        self.scale = 1 / self.pool.observation_space.high
        self.metadata, self.render = self.pool.metadata, self.pool.render

    def reset(self, seed: int) -> tuple[np.ndarray, dict[str, Any]]:
        return self.pool.reset(seed=seed) * self.scale, {}

    def step(self, action: np.ndarray) -> Any:
        """A game ends for both."""
        obs, reward, terminated, truncated, _ = self.pool.step(action)
        return obs * self.scale, reward, terminated.repeat(2), truncated.repeat(2), {}


def follow(obs: np.ndarray) -> np.ndarray:
    """Actions of somebody who keeps the paddle at the ball's height: 0 stays, 1 goes up, 2 down."""
    off = obs[:, 3] - obs[:, 0] * 0.8
    return np.where(off > 0.03, 1, np.where(off < -0.03, 2, 0))


def against_follower(config: Config, ppo: PPO) -> np.ndarray:
    """By how many points the policy wins each of `GAMES` games; it stands on the left in all of them."""
    games = Players(config, 2 * GAMES)
    obs, _ = games.reset(seed=777)
    lead, playing = np.zeros(GAMES), np.ones(GAMES, bool)
    while playing.any():
        action = follow(obs)
        action[::2] = ppo.act(obs[::2])
        obs, reward, terminated, truncated, _ = games.step(action)
        lead += reward[::2] * playing
        playing &= ~(terminated | truncated)[::2]
    games.pool.close()
    return lead


def train(config: Config) -> PPO:
    """Trains to the end of the budget, with log, checkpoint, picture and film in `config.out`."""
    torch.set_num_threads(config.torch_threads)
    torch.manual_seed(config.seed)
    report = Report(config.out, config.seed, config.total_steps, config.resume)
    players = Players(config, config.num_envs)
    ppo = PPO(config, players)
    if report.saved:
        ppo.policy.load_state_dict(report.saved["policy"])
        ppo.optimizer.load_state_dict(report.saved["optimizer"])
        ppo.steps = report.steps
    report.log(ppo.steps, against_follower(config, ppo).tolist())
    iterations = 0
    while ppo.steps + config.num_envs * config.num_steps <= config.total_steps:
        ppo.iteration()
        iterations += 1
        matches = against_follower(config, ppo).tolist() if iterations % 5 == 0 else []
        report.log(ppo.steps, matches)
    report.log(ppo.steps, against_follower(config, ppo).tolist())
    report.save(
        policy=ppo.policy.state_dict(),
        optimizer=ppo.optimizer.state_dict(),
        config=asdict(config),
    )
    report.bar.close()
    players.pool.close()
    draw_curves(config.out, "points ahead of a player who follows the ball", config.goal)
    if config.film_frames:
        envs = Players(config, 2, render_mode="rgb_array")
        film(envs, ppo.act, config.out / f"seed{config.seed}.mp4", config.film_frames)
    return ppo


def main() -> None:
    """Trains as the command line says, and tells how the policy does against who follows the ball."""
    config = from_command_line(default=DEFAULT)
    lead = against_follower(config, train(config))
    print(f"points ahead, {GAMES} episodes: {lead.mean():.1f}, won {(lead > 0).mean():.0%}")


if __name__ == "__main__":
    main()
