"""PPO for continuous actions (HalfCheetah-v5, Ant-v5), observations and rewards normalised, in one file.

python examples/training/ppo_continuous.py halfcheetah    # HalfCheetah-v5
python examples/training/ppo_continuous.py ant            # Ant-v5
python examples/training/ppo_continuous.py ant --seed 2   # the same, another curve in the same picture

Everything is a matter of the config below; `--help` lists it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import parallel_pool
import torch
from command_line import from_command_line
from gymnasium.spaces import Box
from gymnasium.vector import VectorEnv, VectorWrapper
from minibatches import even_minibatches
from parallel_pool_learning import Rollout, RolloutBuffer, TimeShares
from torch import nn
from training import train, trained
from watched import Watched


@dataclass
class Config:
    """PPO for continuous actions."""

    env: str = "HalfCheetah-v5"
    env_options: dict[str, Any] = field(default_factory=dict)
    """options of the environment"""
    total_steps: int = 2_000_000
    num_envs: int = 32
    num_steps: int = 64
    """steps of each environment between two updates"""
    learning_rate: float = 1e-3
    """falls to a tenth of it over the run"""
    gamma: float = 0.99
    gae_lambda: float = 0.95
    epochs: int = 5
    minibatch: int = 256
    clip: float = 0.2
    entropy: float = 0.0
    value_weight: float = 0.5
    max_grad_norm: float = 0.5
    first_log_std: float = -0.7
    """logarithm of the actions' spread at the start"""
    hidden: int = 64
    device: str = "cpu"
    """where networks compute and observations are kept: cpu, or cuda for a GPU"""
    shares: bool = False
    """say at the end where the time went"""
    torch_threads: int = 1
    num_threads: int | None = None
    """threads that step environments; none: as many as there are CPUs"""
    seed: int = 1
    goal: float = 2500
    """a line in the picture"""
    stop_at_goal: bool = False
    """end when the last 100 episodes reach the goal"""
    track: str = ""
    """also log to "tensorboard" or "wandb", or to both, with a comma between"""
    out: Path = Path("results/halfcheetah")
    """folder for log, checkpoint, picture and film"""
    resume: bool = False
    """go on from the checkpoint in `out`, as if nothing had stopped it"""
    save_every: float = 60.0
    """seconds between checkpoints"""
    film_frames: int = 300
    """length of the film; 0: none"""


CONFIGS = {
    "halfcheetah": Config(),
    "ant": Config(env="Ant-v5", total_steps=4_000_000, goal=2000, out=Path("results/ant")),
}


class Statistics:
    """Running mean and variance of rows, after Chan et al."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.mean, self.var, self.count = np.zeros(shape), np.ones(shape), 1e-4

    def update(self, rows: np.ndarray) -> None:
        mean, var, n = rows.mean(0), rows.var(0), len(rows)
        delta, total = mean - self.mean, self.count + n
        self.var = (self.var * self.count + var * n + delta**2 * self.count * n / total) / total
        self.mean = self.mean + delta * n / total
        self.count = total


class Normalized(VectorWrapper):
    """Observations are brought to mean 0 and variance 1, rewards to variance 1 of the discounted return.

    Args:
        envs: a vector environment with NEXT_STEP autoreset: the last observation of an episode comes as all do.
    """

    def __init__(self, envs: VectorEnv[Any, Any, Any], gamma: float) -> None:
        super().__init__(envs)
        self.gamma = gamma
        shape = envs.single_observation_space.shape
        self.single_observation_space = Box(-10, 10, shape, np.float32)
        self.statistics = self.of_obs, self.of_return = Statistics(shape), Statistics(())
        self.discounted = np.zeros(envs.num_envs)
        self.just_ended = np.zeros(envs.num_envs, bool)

    def normalized(self, obs: np.ndarray) -> np.ndarray:
        """Scales observations by what was seen so far."""
        scale = 1 / np.sqrt(self.of_obs.var + 1e-8)
        return ((obs - self.of_obs.mean) * scale).clip(-10, 10).astype(np.float32)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        obs, info = self.env.reset(seed=seed, options=options)
        self.of_obs.update(obs)
        self.discounted[:], self.just_ended[:] = 0, False
        return self.normalized(obs), info

    def step(self, actions: np.ndarray) -> Any:
        obs, reward, terminated, truncated, info = self.env.step(actions)
        self.of_obs.update(obs)
        self.discounted = self.discounted * self.gamma * ~self.just_ended + reward
        self.of_return.update(self.discounted)
        self.just_ended = terminated | truncated
        reward = (reward / np.sqrt(self.of_return.var + 1e-8)).clip(-10, 10)
        return self.normalized(obs), reward, terminated, truncated, info


def tower(inputs: int, hidden: int, outputs: int, gain: float) -> nn.Module:
    """Two hidden layers with orthogonal weights."""
    layers = [nn.Linear(inputs, hidden), nn.Linear(hidden, hidden), nn.Linear(hidden, outputs)]
    for linear, scale in zip(layers, (2**0.5, 2**0.5, gain), strict=True):
        nn.init.orthogonal_(linear.weight, scale)
        nn.init.zeros_(linear.bias)
    return nn.Sequential(layers[0], nn.Tanh(), layers[1], nn.Tanh(), layers[2])


class Policy(nn.Module):
    """A normal distribution of actions, whose spread does not depend on the observation, and the value."""

    def __init__(self, inputs: int, actions: int, config: Config) -> None:
        super().__init__()
        self.actor = tower(inputs, config.hidden, actions, 0.01)
        self.critic = tower(inputs, config.hidden, 1, 1)
        self.log_std = nn.Parameter(torch.full((actions,), config.first_log_std))

    def log_prob(self, mean: torch.Tensor, action: torch.Tensor) -> torch.Tensor:
        """The log-probability of actions, one number per row, without the constant that cancels out."""
        z = (action - mean) * (-self.log_std).exp()
        return -(z.square() / 2 + self.log_std).sum(1)

    def value(self, obs: torch.Tensor) -> torch.Tensor:
        return self.critic(obs).squeeze(1)


def make_envs(config: Config, num_envs: int, **more: Any) -> Any:
    """The environment layer: a pool, which is a gymnasium.vector.VectorEnv.

    Actions beyond the bounds are clipped to them.
    """
    return parallel_pool.make(
        config.env,
        num_envs=num_envs,
        num_threads=config.num_threads,
        infos="minimal",
        out_of_bounds_action="clip",
        **config.env_options,
        **more,
    )


class PPO:
    """Collects rollouts from `envs` and learns from them.

    Args:
        envs: a vector environment with NEXT_STEP autoreset.
    """

    def __init__(self, config: Config, envs: VectorEnv[Any, Any, Any]) -> None:
        self.config = config
        (size,), (actions,) = envs.single_observation_space.shape, envs.single_action_space.shape
        self.policy = Policy(size, actions, config).to(config.device)
        self.optimizer = torch.optim.Adam(
            self.policy.parameters(), config.learning_rate, eps=1e-5, fused=True
        )
        self.rng = np.random.default_rng(config.seed)
        self.shares = TimeShares(config.device if config.shares else None)
        self.watched = Watched(envs, self.shares)
        self.envs = Normalized(self.watched, config.gamma)
        self.buffer = RolloutBuffer(
            self.envs,
            config.num_steps,
            gamma=config.gamma,
            gae_lambda=config.gae_lambda,
            output="torch",
            device=None if config.device == "cpu" else config.device,
        )
        self.buffer.reset(seed=config.seed * 1000)
        self.steps = 0
        self.steps_at_once = config.num_steps * envs.num_envs

    def act(self, obs: np.ndarray) -> np.ndarray:
        """The actions in the middle of the distribution."""
        with torch.inference_mode():
            obs = torch.as_tensor(self.envs.normalized(obs), device=self.config.device)
            return self.policy.actor(obs).cpu().numpy()

    @torch.inference_mode()
    def collect(self) -> Rollout:
        """Steps the environments until the buffer is full."""
        std = self.policy.log_std.exp()
        part = self.shares.part
        while not self.buffer.full:
            with part("policy", gpu=True):
                obs = self.buffer.obs
                mean, value = self.policy.actor(obs), self.policy.value(obs)
                action = mean + std * torch.randn_like(mean)
                log_prob = self.policy.log_prob(mean, action)
            with part("waiting"):
                action = action.cpu()
            with part("copies"):
                self.buffer.step(action, value, log_prob=log_prob)
        self.steps += self.steps_at_once
        return self.buffer.finish(self.policy.value)

    def learn(self, rollout: Rollout) -> None:
        """Several epochs of clipped policy gradient over the rollout."""
        config, policy = self.config, self.policy
        for _ in range(config.epochs):
            for batch in even_minibatches(rollout, config.minibatch, self.rng):
                log_prob = policy.log_prob(policy.actor(batch["obs"]), batch["actions"])
                ratio = (log_prob - batch["log_prob"]).exp()
                a = batch["advantages"]
                a = (a - a.mean()) / (a.std() + 1e-8)
                clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
                policy_loss = -torch.minimum(ratio * a, clipped * a).mean()
                value_loss = (policy.value(batch["obs"]) - batch["returns"]).square().mean() / 2
                # The entropy of a normal distribution is the logarithm of its spread and a constant.
                loss = (
                    policy_loss
                    + config.value_weight * value_loss
                    - config.entropy * policy.log_std.sum()
                )
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(policy.parameters(), config.max_grad_norm)
                self.optimizer.step()

    def iteration(self) -> list[float]:
        """A rollout and what is learnt from it; gives the returns of the episodes that ended."""
        left = 1 - min(1, self.steps / self.config.total_steps)
        self.optimizer.param_groups[0]["lr"] = self.config.learning_rate * (0.1 + 0.9 * left)
        rollout = self.collect()
        with self.shares.part("update", gpu=True):
            self.learn(rollout)
        return self.watched.take_returns()

    def facts(self) -> dict[str, float]:
        """For the log."""
        return {"env_seconds": self.shares.seconds().get("steps", 0.0)}

    def state(self) -> dict[str, Any]:
        """For a checkpoint."""
        return {
            "policy": self.policy.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "statistics": [vars(each) for each in self.envs.statistics],
            "sums": (self.envs.discounted, self.envs.just_ended),
        }

    def load(self, state: dict[str, Any]) -> None:
        """From a checkpoint."""
        self.policy.load_state_dict(state["policy"])
        self.optimizer.load_state_dict(state["optimizer"])
        for statistics, saved in zip(self.envs.statistics, state["statistics"], strict=True):
            vars(statistics).update(saved)
        self.envs.discounted, self.envs.just_ended = state["sums"]


def policy(checkpoint: str) -> Callable[[np.ndarray], np.ndarray]:
    """The likeliest actions, for `parallel-pool watch --policy ppo_continuous.py:policy --checkpoint FILE`."""
    return trained(checkpoint, Config, make_envs, PPO)


def main() -> None:
    """Trains as the command line says, and tells the return without noise over 20 episodes."""
    config = from_command_line(**CONFIGS)
    ppo = train(config, make_envs, PPO)
    with make_envs(config, 20) as envs:
        mean = parallel_pool.evaluate(envs, ppo.act, episodes=20).mean
    print(f"without noise, 20 episodes: {mean:.1f}")


if __name__ == "__main__":
    main()
