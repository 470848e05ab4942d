"""DQN on asynchronous batches: whoever is ready acts, while the network learns from what others have
brought.

python examples/training/dqn_async.py             # CartPole-v1, 32 environments, batches of 8
python examples/training/dqn_async.py --seed 2    # the same, another curve in the same picture

Rows come in the order in which environments finish, so everything is kept by `info["env_id"]`: what an
environment saw last, what it did then, and whether its episode had ended.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import parallel_pool
import torch
from command_line import from_command_line
from continuing import until_ctrl_c
from parallel_pool_learning import TimeShares
from report import Report, draw_curves, film
from torch import nn
from training import trained


@dataclass
class Config:
    """DQN with two networks on asynchronous batches."""

    env: str = "CartPole-v1"
    total_steps: int = 100_000
    num_envs: int = 32
    batch_size: int = 8
    """environments in an answer of the pool: fewer than there are makes it asynchronous"""
    learning_rate: float = 5e-4
    """falls to a tenth of it over the run"""
    gamma: float = 0.99
    replay_size: int = 50_000
    minibatch: int = 128
    updates: int = 2
    """minibatches for each answer of the pool"""
    learn_after: int = 2_000
    explore_until: int = 20_000
    """steps until which the share of random actions falls from 1 to `explore_at_last`"""
    explore_at_last: float = 0.04
    target_every: int = 100
    """updates after which the target network is a copy of the other one again"""
    hidden: int = 256
    device: str = "cpu"
    """where networks compute: cpu, or cuda for a GPU"""
    shares: bool = False
    """say at the end where the time went"""
    torch_threads: int = 1
    num_threads: int | None = None
    """threads that step environments; none: as many as there are CPUs"""
    seed: int = 1
    goal: float = 475
    """a line in the picture"""
    track: str = ""
    """also log to "tensorboard" or "wandb", or to both, with a comma between"""
    out: Path = Path("results/dqn_async")
    """folder for log, checkpoint, picture and film"""
    film_frames: int = 500
    """length of the film; 0: none"""


class Replay:
    """The last transitions, one column each; the oldest is written over."""

    def __init__(self, size: int, shape: tuple[int, ...], dtype: Any) -> None:
        self.obs, self.next_obs = (np.zeros((size, *shape), dtype) for _ in range(2))
        self.action = np.zeros(size, np.int64)
        self.reward = np.zeros(size, np.float32)
        self.terminated = np.zeros(size, np.float32)
        self.size, self.written = size, 0

    def add(self, **columns: np.ndarray) -> None:
        """Rows that belong together."""
        rows = len(columns["action"])
        places = (self.written + np.arange(rows)) % self.size
        for name, column in columns.items():
            getattr(self, name)[places] = column
        self.written += rows

    def sample(self, rows: int, rng: np.random.Generator) -> list[torch.Tensor]:
        """obs, action, reward, next_obs, terminated."""
        places = rng.integers(min(self.written, self.size), size=rows)
        columns = (self.obs, self.action, self.reward, self.next_obs, self.terminated)
        return [torch.from_numpy(column[places]) for column in columns]


class DQN:
    """Two networks, the replay, and what each environment saw and did last."""

    def __init__(self, config: Config, envs: Any) -> None:
        self.config, self.envs = config, envs
        space = envs.single_observation_space
        self.num_actions = int(envs.single_action_space.n)
        size = int(np.prod(space.shape))
        self.network, self.target = (self.make_network(size).to(config.device) for _ in range(2))
        self.target.load_state_dict(self.network.state_dict())
        self.optimizer = torch.optim.Adam(
            self.network.parameters(), config.learning_rate, fused=True
        )
        self.replay = Replay(config.replay_size, space.shape, space.dtype)
        self.rng = np.random.default_rng(config.seed)
        self.shares = TimeShares(config.device if config.shares else None)
        self.last_obs = np.zeros((config.num_envs, *space.shape), space.dtype)
        self.last_action = np.zeros(config.num_envs, np.int64)
        # The row after an end is the reset: it is no transition (NEXT_STEP). So is each first row.
        self.at_start = np.ones(config.num_envs, bool)
        self.steps = self.updates = 0

    def make_network(self, inputs: int) -> nn.Module:
        hidden = self.config.hidden
        return nn.Sequential(
            nn.Linear(inputs, hidden),
            nn.ReLU(),
            nn.Linear(hidden, hidden),
            nn.ReLU(),
            nn.Linear(hidden, self.num_actions),
        )

    def act(self, obs: np.ndarray) -> np.ndarray:
        """The actions that are thought to be best."""
        with torch.inference_mode():
            obs = torch.as_tensor(obs, device=self.config.device)
            return self.network(obs).argmax(1).cpu().numpy()

    def explore(self, obs: np.ndarray) -> np.ndarray:
        """The same, some of them random."""
        config = self.config
        done = min(1, self.steps / config.explore_until)
        share = 1 + done * (config.explore_at_last - 1)
        random = self.rng.random(len(obs)) < share
        return np.where(random, self.rng.integers(self.num_actions, size=len(obs)), self.act(obs))

    def turn(self) -> list[float]:
        """Receives what is ready, sends it on, learns meanwhile; gives the returns of episodes that ended."""
        part = self.shares.part
        with part("waiting"):
            obs, reward, terminated, truncated, info = self.envs.recv()
        ids = info["env_id"]
        with part("policy", gpu=True):
            action = self.explore(obs)
        with part("steps"):
            self.envs.send(action, ids)
        with part("copies"):
            real = ~self.at_start[ids]
            self.replay.add(
                obs=self.last_obs[ids][real],
                action=self.last_action[ids][real],
                reward=reward[real],
                # A true last observation where the episode ended: a truncated one bootstraps from it.
                next_obs=obs[real],
                terminated=terminated[real],
            )
            self.last_obs[ids], self.last_action[ids] = obs, action
            self.at_start[ids] = terminated | truncated
        self.steps += len(ids)
        if self.steps > self.config.learn_after:
            with part("update", gpu=True):
                for _ in range(self.config.updates):
                    self.learn()
        return info["episode"]["r"][info["_episode"]].tolist() if "episode" in info else []

    def learn(self) -> None:
        """One minibatch. The network chooses the next action, the target network says its value."""
        config = self.config
        left = 1 - min(1, self.steps / config.total_steps)
        self.optimizer.param_groups[0]["lr"] = config.learning_rate * (0.1 + 0.9 * left)
        sample = self.replay.sample(config.minibatch, self.rng)
        obs, action, reward, next_obs, terminated = (each.to(config.device) for each in sample)
        with torch.no_grad():
            best = self.network(next_obs).argmax(1, keepdim=True)
            following = self.target(next_obs).gather(1, best).squeeze(1)
            goal = reward + config.gamma * (1 - terminated) * following
        value = self.network(obs).gather(1, action[:, None]).squeeze(1)
        loss = nn.functional.smooth_l1_loss(value, goal)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.updates += 1
        if self.updates % config.target_every == 0:
            self.target.load_state_dict(self.network.state_dict())

    def load(self, state: dict[str, Any]) -> None:
        """The network of a checkpoint, to act and not to learn on."""
        self.network.load_state_dict(state["network"])


def train(config: Config) -> DQN:
    """Trains to the end of the budget, with log, checkpoint, picture and film in `config.out`."""
    torch.set_num_threads(config.torch_threads)
    torch.manual_seed(config.seed)
    report = Report(config)
    with (
        parallel_pool.make(
            config.env,
            num_envs=config.num_envs,
            batch_size=config.batch_size,
            num_threads=config.num_threads,
            seed=config.seed * 1000,
            episode_statistics=True,
            infos="minimal",
        ) as envs,
        until_ctrl_c() as stopped,
    ):
        dqn = DQN(config, envs)
        envs.async_reset()
        returns: list[float] = []
        logged_at = time.monotonic()
        while dqn.steps < config.total_steps and not stopped():
            returns += dqn.turn()
            if time.monotonic() - logged_at > 0.2:
                report.log(dqn.steps, returns)
                returns, logged_at = [], time.monotonic()
        report.log(dqn.steps, returns)
        report.save(network=dqn.network.state_dict(), config=asdict(config))
        report.close()
        if config.shares:
            print(dqn.shares)
        if stopped():
            print(f"stopped after {dqn.steps:,} steps; the network is in {report.checkpoint_file}")
            sys.exit(130)
    draw_curves(config.out, f"{config.env}, asynchronous DQN", config.goal)
    if config.film_frames:
        with parallel_pool.make(config.env, render_mode="rgb_array") as envs:
            film(envs, dqn.act, config.out / f"seed{config.seed}.mp4", config.film_frames)
    return dqn


def policy(checkpoint: str) -> Callable[[np.ndarray], np.ndarray]:
    """The best actions, for `parallel-pool watch --policy dqn_async.py:policy --checkpoint FILE`."""
    return trained(
        checkpoint, Config, lambda config, n: parallel_pool.make(config.env, num_envs=n), DQN
    )


def main() -> None:
    """Trains as the command line says, and tells the return without random actions over 100 episodes."""
    config = from_command_line(default=Config())
    dqn = train(config)
    mean = parallel_pool.evaluate(config.env, dqn.act).mean
    print(f"without random actions, 100 episodes: {mean:.1f}")


if __name__ == "__main__":
    main()
