"""PPO for continuous actions (HalfCheetah-v5, Ant-v5), observations and rewards normalised, in one file.

python examples/training/ppo_continuous.py halfcheetah    # HalfCheetah-v5
python examples/training/ppo_continuous.py ant            # Ant-v5
python examples/training/ppo_continuous.py ant --seed 2   # the same, another curve in the same picture

Everything is a matter of the config below; `--help` lists it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import parallel_pool
import torch
from command_line import from_command_line
from gae import advantages
from report import Report, draw_curves, evaluate, film
from torch import nn


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
    torch_threads: int = 1
    num_threads: int | None = None
    """threads that step environments; none: as many as there are CPUs"""
    seed: int = 1
    goal: float = 2500
    """a line in the picture"""
    stop_at_goal: bool = False
    """end when the last 100 episodes reach the goal"""
    out: Path = Path("results/halfcheetah")
    """folder for log, checkpoint, picture and film"""
    resume: bool = False
    """go on from the checkpoint in `out`"""
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
        """Of actions, one number per row, without the constant that cancels out."""
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
        envs: a vector environment with NEXT_STEP autoreset; gae.py says what that is good for.
    """

    def __init__(self, config: Config, envs: Any) -> None:
        self.config, self.envs = config, envs
        (size,), (actions,) = envs.single_observation_space.shape, envs.single_action_space.shape
        self.policy = Policy(size, actions, config)
        self.optimizer = torch.optim.Adam(
            self.policy.parameters(), config.learning_rate, eps=1e-5, fused=True
        )
        shape = (config.num_steps, config.num_envs)
        self.obs = np.zeros((shape[0] + 1, shape[1], size), np.float32)
        self.action = torch.zeros((*shape, actions))
        self.log_prob = torch.zeros(shape)
        self.value = np.zeros((shape[0] + 1, shape[1]), np.float32)
        self.reward = np.zeros(shape, np.float32)
        self.terminated, self.ended, self.valid = (np.zeros(shape, bool) for _ in range(3))
        # Observations are brought to mean 0 and variance 1, rewards to variance 1 of the discounted return.
        self.statistics = self.of_obs, self.of_return = Statistics((size,)), Statistics(())
        self.discounted = np.zeros(config.num_envs)
        first = envs.reset(seed=config.seed * 1000)[0]
        self.of_obs.update(first)
        self.next_obs = self.normalized(first)
        self.just_ended = np.zeros(config.num_envs, bool)
        self.steps = 0
        self.env_seconds = 0.0

    def normalized(self, obs: np.ndarray) -> np.ndarray:
        """Of observations, by what was seen so far."""
        scale = 1 / np.sqrt(self.of_obs.var + 1e-8)
        return ((obs - self.of_obs.mean) * scale).clip(-10, 10).astype(np.float32)

    def act(self, obs: np.ndarray) -> np.ndarray:
        """The actions in the middle of the distribution."""
        with torch.inference_mode():
            return self.policy.actor(torch.from_numpy(self.normalized(obs))).numpy()

    @torch.inference_mode()
    def collect(self) -> list[float]:
        """Fills the rollout; gives the returns of the episodes that ended."""
        returns: list[float] = []
        std = self.policy.log_std.exp()
        for t in range(self.config.num_steps):
            self.obs[t] = self.next_obs
            obs = torch.from_numpy(self.obs[t])
            mean = self.policy.actor(obs)
            self.action[t] = action = mean + std * torch.randn_like(mean)
            self.log_prob[t] = self.policy.log_prob(mean, action)
            self.value[t] = self.policy.value(obs).numpy()
            before = time.perf_counter()
            raw, reward, terminated, truncated, info = self.envs.step(action.numpy())
            self.env_seconds += time.perf_counter() - before
            self.of_obs.update(raw)
            self.next_obs = self.normalized(raw)
            self.discounted = self.discounted * self.config.gamma * ~self.just_ended + reward
            self.of_return.update(self.discounted)
            self.reward[t] = (reward / np.sqrt(self.of_return.var + 1e-8)).clip(-10, 10)
            self.terminated[t], self.ended[t] = terminated, terminated | truncated
            self.valid[t] = ~self.just_ended
            self.just_ended = self.ended[t].copy()
            if "episode" in info:
                returns += info["episode"]["r"][info["_episode"]].tolist()
        self.obs[-1] = self.next_obs
        self.value[-1] = self.policy.value(torch.from_numpy(self.obs[-1])).numpy()
        self.steps += self.reward.size
        return returns

    def learn(self) -> None:
        """Several epochs of clipped policy gradient over the rollout."""
        config, policy = self.config, self.policy
        advantage = advantages(
            self.reward, self.value, self.terminated, self.ended, config.gamma, config.gae_lambda
        )
        target = torch.from_numpy((advantage + self.value[:-1]).ravel())
        advantage = torch.from_numpy(advantage.ravel())
        obs = torch.from_numpy(self.obs[:-1]).flatten(0, 1)
        action, old_log_prob = self.action.flatten(0, 1), self.log_prob.flatten()
        valid = torch.from_numpy(np.flatnonzero(self.valid))
        for _ in range(config.epochs):
            shuffled = valid[torch.randperm(len(valid))]
            for rows in shuffled.tensor_split(max(1, round(len(valid) / config.minibatch))):
                x = obs[rows]
                log_prob = policy.log_prob(policy.actor(x), action[rows])
                ratio = (log_prob - old_log_prob[rows]).exp()
                a = advantage[rows]
                a = (a - a.mean()) / (a.std() + 1e-8)
                clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
                policy_loss = -torch.minimum(ratio * a, clipped * a).mean()
                value_loss = (policy.value(x) - target[rows]).square().mean() / 2
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
        returns = self.collect()
        self.learn()
        return returns


def train(config: Config, make: Callable[..., Any] = make_envs) -> PPO:
    """Trains to the end of the budget, with log, checkpoint, picture and film in `config.out`."""
    torch.set_num_threads(config.torch_threads)
    torch.manual_seed(config.seed)
    report = Report(config.out, config.seed, config.total_steps, config.resume)
    with make(config, config.num_envs, episode_statistics=True) as envs:
        ppo = PPO(config, envs)
        if report.saved:
            ppo.policy.load_state_dict(report.saved["policy"])
            ppo.optimizer.load_state_dict(report.saved["optimizer"])
            for statistics, saved in zip(ppo.statistics, report.saved["statistics"], strict=True):
                vars(statistics).update(saved)
            ppo.steps = report.steps

        def save() -> None:
            report.save(
                policy=ppo.policy.state_dict(),
                optimizer=ppo.optimizer.state_dict(),
                statistics=[vars(x) for x in ppo.statistics],
                config=asdict(config),
            )

        saved_at = time.monotonic()
        while ppo.steps + config.num_envs * config.num_steps <= config.total_steps:
            returns = ppo.iteration()
            report.log(ppo.steps, returns, env_seconds=ppo.env_seconds)
            if time.monotonic() - saved_at > 60:
                save()
                saved_at = time.monotonic()
            at_goal = len(report.returns) == 100 and report.mean_return >= config.goal
            if at_goal and config.stop_at_goal:
                break
        save()
        report.bar.close()
    draw_curves(config.out, config.env, config.goal)
    if config.film_frames:
        with make(config, 1, render_mode="rgb_array") as envs:
            film(envs, ppo.act, config.out / f"seed{config.seed}.mp4", config.film_frames)
    return ppo


def main() -> None:
    """Trains as the command line says, and tells the return without noise over 20 episodes."""
    config = from_command_line(**CONFIGS)
    ppo = train(config)
    with make_envs(config, 20) as envs:
        print(f"without noise, 20 episodes: {evaluate(envs, ppo.act, 12345).mean():.1f}")


if __name__ == "__main__":
    main()
