"""PPO that teaches the Go2 of go2.py to follow commands, on CPUs, and says how well it does.

python examples/quadruped/train.py --xml go2.xml             # one seed
python examples/quadruped/train.py --xml go2.xml --seed 2    # another curve in the same picture
python examples/quadruped/train.py --xml go2.xml --resume    # judged and filmed again

Log, picture, checkpoint and film lie in --out, as those of examples/training. Learnt from are cheap contacts
(QuickGo2); judged is with these and with those of the robot's file.
"""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from go2 import Go2, QuickGo2
from gymnasium.wrappers.vector import TransformReward
from parallel_pool_learning import Rollout, RolloutBuffer, TimeShares
from parallel_pool_tasks import register
from torch import nn

sys.path.append(str(Path(__file__).parents[1] / "training"))
import ppo_continuous
from command_line import from_command_line
from minibatches import even_minibatches
from ppo_continuous import Config, Statistics
from training import train
from watched import Watched


@dataclass
class Walk(Config):
    """PPO for a robot that is told where to go."""

    env: str = QuickGo2.id
    xml: str = ""
    """the robot's file; none: that of the package mujoco-menagerie"""
    total_steps: int = 2_500_000
    num_envs: int = 256
    num_steps: int = 32
    learning_rate: float = 1e-3
    """at the start; then as `kl` says"""
    kl: float = 0.015
    """how far one epoch should move the policy"""
    minibatch: int = 2048
    epochs: int = 4
    entropy: float = 0.002
    first_log_std: float = -1.2
    max_grad_norm: float = 1.0
    hidden: int = 128
    reward_scale: float = 0.05
    goal: float = 1200
    out: Path = Path("results/go2")
    film_frames: int = 600
    judged: int = 256
    """episodes that the policy is judged by"""


def tower(inputs: int, hidden: int, outputs: int) -> nn.Sequential:
    """Two hidden layers; what comes out is near zero at first."""
    last = nn.Linear(hidden, outputs)
    nn.init.orthogonal_(last.weight, 0.01)
    nn.init.zeros_(last.bias)
    first = (nn.Linear(inputs, hidden), nn.ELU(), nn.Linear(hidden, hidden), nn.ELU())
    return nn.Sequential(*first, last)


class Policy(ppo_continuous.Policy):
    """A normal distribution of actions by what the robot measures, and a value by all that is known."""

    def __init__(self, envs: Any, config: Walk) -> None:
        nn.Module.__init__(self)  # with other networks
        sizes = {name: each.shape[0] for name, each in envs.single_observation_space.items()}
        (actions,) = envs.single_action_space.shape
        self.actor = tower(sizes["policy"], config.hidden, actions)
        self.critic = tower(sizes["critic"], config.hidden, 1)
        self.log_std = nn.Parameter(torch.full((actions,), config.first_log_std))


def make_envs(config: Walk, num_envs: int, **more: Any) -> Any:
    """A pool, which is drawn by a camera that follows the robot."""
    if "render_mode" in more:
        more["render_camera_name"] = "track"
    return ppo_continuous.make_envs(config, num_envs, **more)


class PPO:
    """Collects rollouts, and learns from them; `train` says what of it is called."""

    def __init__(self, config: Walk, envs: Any) -> None:
        self.config = config
        self.policy = Policy(envs, config)
        self.rate = config.learning_rate
        self.optimizer = torch.optim.Adam(self.policy.parameters(), self.rate, fused=True)
        self.rng = np.random.default_rng(config.seed)
        self.shares = TimeShares("cpu" if config.shares else None)
        self.watched = Watched(envs, self.shares)
        self.statistics = {
            name: Statistics(each.shape) for name, each in envs.single_observation_space.items()
        }
        scale = config.reward_scale  # and a robot that is thrown away costs no more than a fall
        self.buffer = RolloutBuffer(
            TransformReward(self.watched, lambda reward: (scale * reward).clip(-1, 1)),
            config.num_steps,
            gamma=config.gamma,
            gae_lambda=config.gae_lambda,
            output="torch",
        )
        self.buffer.reset(seed=config.seed * 1000)
        self.steps, self.steps_at_once = 0, config.num_steps * envs.num_envs
        self.moved = 0.0

    def seen(self, obs: Any, group: str) -> torch.Tensor:
        """A group of observations, each number with mean 0 and variance 1 over all that were seen so far."""
        known, rows = self.statistics[group], torch.as_tensor(obs[group])
        mean, scale = known.mean.astype(np.float32), (known.var + 1e-4).astype(np.float32) ** -0.5
        return ((rows - torch.from_numpy(mean)) * torch.from_numpy(scale)).clamp_(-10, 10)

    def act(self, obs: Any) -> np.ndarray:
        """The likeliest actions."""
        with torch.inference_mode():
            return self.policy.actor(self.seen(obs, "policy")).numpy()

    def value(self, obs: Any) -> torch.Tensor:
        return self.policy.value(self.seen(obs, "critic"))

    @torch.inference_mode()
    def collect(self) -> Rollout:
        """Steps the environments until the buffer is full. What it saw counts from the next rollout on."""
        std = self.policy.log_std.exp()
        while not self.buffer.full:
            with self.shares.part("policy"):
                mean = self.policy.actor(self.seen(self.buffer.obs, "policy"))
                action = mean + std * torch.randn_like(mean)
                log_prob, value = self.policy.log_prob(mean, action), self.value(self.buffer.obs)
            with self.shares.part("copies"):
                self.buffer.step(action, value, log_prob=log_prob)
        self.steps += self.steps_at_once
        return self.buffer.finish(self.value)

    def learn(self, rollout: Rollout) -> None:
        """Epochs of clipped policy gradient, at a rate that falls where they move the policy too far."""
        config, policy = self.config, self.policy
        for _ in range(config.epochs):
            moved = []
            for batch in even_minibatches(rollout, config.minibatch, self.rng):
                mean = policy.actor(self.seen(batch["obs"], "policy"))
                log_ratio = policy.log_prob(mean, batch["actions"]) - batch["log_prob"]
                ratio = log_ratio.exp()
                moved.append((ratio - 1 - log_ratio).mean().item())
                a = batch["advantages"]
                a = (a - a.mean()) / (a.std() + 1e-8)
                clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
                missed = self.value(batch["obs"]) - batch["returns"]
                loss = (
                    config.value_weight * missed.square().mean()
                    - torch.minimum(ratio * a, clipped * a).mean()
                    - config.entropy * policy.log_std.sum()
                )
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(policy.parameters(), config.max_grad_norm)
                self.optimizer.step()
            self.moved = float(np.mean(moved))
            if self.moved > 2 * config.kl:
                self.rate = max(self.rate / 1.5, 1e-5)
            elif self.moved < config.kl / 2:
                self.rate = min(self.rate * 1.5, 3e-3)
            self.optimizer.param_groups[0]["lr"] = self.rate

    def iteration(self) -> list[float]:
        """A rollout and what is learnt from it; gives the returns of the episodes that ended."""
        rollout = self.collect()
        with self.shares.part("update"):
            self.learn(rollout)
            for name, known in self.statistics.items():
                known.update(rollout.obs[name].reshape(-1, *known.mean.shape).numpy())
        return self.watched.take_returns()

    def facts(self) -> dict[str, float]:
        """For the log."""
        spread = self.policy.log_std.exp().mean().item()
        return {"rate": 1e3 * self.rate, "moved": self.moved, "spread": spread}

    def state(self) -> dict[str, Any]:
        """For a checkpoint."""
        return {
            "policy": self.policy.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "rate": self.rate,
            "statistics": {name: vars(each) for name, each in self.statistics.items()},
        }

    def load(self, state: dict[str, Any]) -> None:
        """From a checkpoint."""
        self.policy.load_state_dict(state["policy"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.rate = state["rate"]
        for name, each in self.statistics.items():
            vars(each).update(state["statistics"][name])


def judged(config: Walk, ppo: PPO, task: type[Go2]) -> str:
    """How well the likeliest actions follow commands, in episodes with noise, pushes and other robots."""
    count, limit = config.judged, Go2.max_episode_steps
    first_end = np.full(count, limit)
    missed = np.zeros((limit, count, 3))
    with make_envs(replace(config, env=task.id), count) as envs:
        obs, _ = envs.reset(seed=1_000_000 + 1000 * config.seed)
        for step in range(limit):
            command = obs["critic"][:, 33:36].copy()
            obs, _, terminated, *_ = envs.step(ppo.act(obs))
            first_end[terminated & (first_end == limit)] = step
            velocity = obs["critic"][:, [0, 1, 5]]
            missed[step] = velocity - command
    played = np.arange(limit)[:, None] < first_end
    along = np.linalg.norm(missed[..., :2], axis=-1)[played].mean()
    turn = np.abs(missed[..., 2])[played].mean()
    stood = (first_end == limit).mean()
    return (
        f"{task.id}: {stood:.1%} of {count} episodes without a fall; velocity misses the command by "
        f"{along:.3f} m/s and {turn:.3f} rad/s"
    )


def main() -> None:
    config = from_command_line(go2=Walk())
    if config.xml:
        os.environ["GO2_XML"] = config.xml
    for task in (Go2, QuickGo2):
        register(task)
    began, cpu = time.perf_counter(), time.process_time()
    ppo = train(config, make_envs, PPO)
    wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    print(f"{ppo.steps:,} steps; this sitting took {wall:.0f} seconds, {cpu:.0f} of CPU")
    for task in (QuickGo2, Go2):
        print(judged(config, ppo, task))


if __name__ == "__main__":
    main()
