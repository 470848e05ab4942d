"""Tianshou's DQN on a pool.

uv run --group training --group libraries python examples/training/tianshou_dqn.py

`make_vector_env` of parallel_pool_learning.tianshou is a pool as Tianshou's vector environment;
collector, buffer and algorithm are Tianshou's. More is in docs/libraries.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import parallel_pool
import torch
from command_line import from_command_line
from parallel_pool_learning.tianshou import make_vector_env
from report import Report, draw_curves, film
from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.utils.net.common import Net
from tianshou.utils.torch_utils import policy_within_training_step, torch_train_mode


@dataclass
class Config:
    """Tianshou's DQN on CartPole."""

    env: str = "CartPole-v1"
    total_steps: int = 100_000
    num_envs: int = 16
    num_steps: int = 16
    """steps of all environments together between updates"""
    learning_rate: float = 1e-3
    gamma: float = 0.99
    returns_over: int = 3
    """steps of reward in a target"""
    replay_size: int = 50_000
    minibatch: int = 128
    updates: int = 2
    """minibatches after each collection"""
    learn_after: int = 2_000
    explore_until: int = 20_000
    """steps until which the share of random actions falls from 1 to `explore_at_last`"""
    explore_at_last: float = 0.04
    target_every: int = 100
    """updates after which the target network is a copy of the other one again"""
    device: str = "cpu"
    """where networks compute: cpu, or cuda for a GPU"""
    torch_threads: int = 1
    seed: int = 1
    goal: float = 475
    """a line in the picture"""
    track: str = ""
    """also log to "tensorboard" or "wandb", or to both, with a comma between"""
    out: Path = Path("results/tianshou")
    """folder for log, checkpoint, picture and film"""
    film_frames: int = 500
    """length of the film; 0: none"""


def main() -> None:
    """Trains as the command line says, and tells the return without random actions over 100 episodes."""
    config = from_command_line(default=Config())
    torch.set_num_threads(config.torch_threads)
    torch.manual_seed(config.seed)
    np.random.seed(config.seed)
    envs = make_vector_env(config.env, num_envs=config.num_envs)
    envs.seed(config.seed)
    space = envs.pool.single_observation_space
    actions = envs.pool.single_action_space
    network = Net(state_shape=space.shape, action_shape=actions.n, hidden_sizes=(128, 128))
    network.to(config.device)
    policy = DiscreteQLearningPolicy(model=network, action_space=actions)
    algorithm = DQN(
        policy=policy,
        optim=AdamOptimizerFactory(lr=config.learning_rate),
        gamma=config.gamma,
        n_step_return_horizon=config.returns_over,
        target_update_freq=config.target_every,
    )
    buffer = VectorReplayBuffer(config.replay_size, config.num_envs)
    collector = Collector(algorithm, envs, buffer, exploration_noise=True)
    collector.reset()

    report = Report(config)
    steps = 0
    returns: list[float] = []
    with policy_within_training_step(policy):
        while steps < config.total_steps:
            done = min(1, steps / config.explore_until)
            policy.set_eps_training(1 + done * (config.explore_at_last - 1))
            collected = collector.collect(n_step=config.num_steps)
            steps += collected.n_collected_steps
            returns += collected.returns.tolist()
            if steps > config.learn_after:
                with torch_train_mode(policy):
                    for _ in range(config.updates):
                        algorithm.update(buffer, config.minibatch)
            if steps % 512 < config.num_steps:
                report.log(steps, returns)
                returns = []
    report.log(steps, returns)
    report.save(network=network.state_dict())
    report.close()
    envs.close()
    draw_curves(config.out, f"{config.env}, Tianshou", config.goal)

    def act(obs: np.ndarray) -> np.ndarray:
        return network(obs)[0].argmax(1).cpu().numpy()

    with torch.inference_mode():
        if config.film_frames:
            with parallel_pool.make(config.env, render_mode="rgb_array") as one:
                film(one, act, config.out / f"seed{config.seed}.mp4", config.film_frames)
        mean = parallel_pool.evaluate(config.env, act).mean
    print(f"without random actions, 100 episodes: {mean:.1f}")


if __name__ == "__main__":
    main()
