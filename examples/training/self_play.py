"""Self-play on TwoPlayerPong-v0: one policy plays both sides and learns from both.

python examples/training/self_play.py

A pool of N games is a batch of 2N rows, one for each player. Each player sees the field as if it stood
on the left, so one policy fits both, and PPO (ppo_discrete.py) need not know that there are games.
Among themselves the players win as much as they lose; the curve is therefore what they win against
a player that follows the ball, against which they never train.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import parallel_pool
from command_line import from_command_line
from gymnasium.spaces import Box
from gymnasium.vector import AutoresetMode, VectorEnv
from ppo_discrete import PPO, Config
from training import train

DEFAULT = Config(
    env="TwoPlayerPong-v0",
    total_steps=1_500_000,
    num_envs=64,
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


class Players(VectorEnv):
    """Two rows per game, observations between -1 and 1."""

    def __init__(self, config: Config, games: int, **more: Any) -> None:
        self.pool = parallel_pool.make(
            config.env,
            "gym",
            num_envs=games,
            num_threads=config.num_threads,
            **config.env_options,
            **more,
        )
        self.num_envs = 2 * games
        space = self.pool.observation_space
        self.single_observation_space = Box(-1, 1, space.shape, np.float32)
        self.single_action_space = self.pool.action_space
        self.scale = 1 / space.high
        self.metadata = {**self.pool.metadata, "autoreset_mode": AutoresetMode.NEXT_STEP}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        return self.pool.reset(seed=seed) * self.scale, {}

    def step(self, actions: np.ndarray) -> Any:
        """A game ends for both."""
        obs, reward, terminated, truncated, _ = self.pool.step(actions)
        return obs * self.scale, reward, terminated.repeat(2), truncated.repeat(2), {}

    def get_state(self) -> list[bytes]:
        return self.pool.get_state()

    def set_state(self, env_ids: Any, states: list[bytes]) -> None:
        self.pool.set_state(env_ids, states)

    def render(self) -> Any:
        return self.pool.render()

    def close_extras(self, **kwargs: Any) -> None:
        self.pool.close()


def follow(obs: np.ndarray) -> np.ndarray:
    """Actions of a player that keeps the paddle at the ball's height: 0 stays, 1 goes up, 2 down."""
    off = obs[:, 3] - obs[:, 0] * 0.8
    return np.where(off > 0.03, 1, np.where(off < -0.03, 2, 0))


def against_follower(config: Config, ppo: PPO) -> list[float]:
    """By how many points the policy wins each of `GAMES` games; it stands on the left in all of them."""
    with parallel_pool.make(config.env, num_envs=GAMES, **config.env_options) as games:
        scale = 1 / games.single_observation_space.high[0]

        def both(obs: np.ndarray) -> np.ndarray:
            left, right = (obs * scale).swapaxes(0, 1)
            return np.stack([ppo.act(left), follow(right)], axis=1)

        returns = parallel_pool.evaluate(games, both, episodes=GAMES).returns
    return returns[:, 0].tolist()


def main() -> None:
    """Trains as the command line says, and tells how the policy does against a player that follows it."""
    config = from_command_line(default=DEFAULT)
    title = "points ahead of a player that follows the ball"
    ppo = train(config, Players, PPO, against_follower, title)
    lead = np.array(against_follower(config, ppo))
    print(f"points ahead, {GAMES} episodes: {lead.mean():.1f}, won {(lead > 0).mean():.0%}")


if __name__ == "__main__":
    main()
