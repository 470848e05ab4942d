"""Stable-Baselines3's SAC with hindsight replay on a task with goals, which pays only where a goal is reached.

uv run --group training --group libraries python examples/goals/reach.py [--steps 30000]

The task is `parallel_pool_tasks.examples.Reach`, 40 lines of Python that C++ steps; its `compute_reward` tells
the buffer what another goal would have paid. Says how often the tip is at the goal when an episode ends.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import parallel_pool
import torch
from parallel_pool_learning.sb3 import make_vec_env
from parallel_pool_tasks.examples import Reach
from stable_baselines3 import SAC, HerReplayBuffer


def main() -> None:
    """Trains as the command line says, and plays 100 episodes of other seeds."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--steps", type=int, default=30_000)
    parser.add_argument("--num-envs", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(1)  # the networks are small
    model = SAC(
        "MultiInputPolicy",
        make_vec_env(Reach, num_envs=args.num_envs, seed=args.seed),
        replay_buffer_class=HerReplayBuffer,
        replay_buffer_kwargs={"n_sampled_goal": 4, "goal_selection_strategy": "future"},
        policy_kwargs={"net_arch": [128, 128]},
        learning_starts=2_000,
        gradient_steps=args.num_envs,
        gamma=0.95,
        learning_rate=1e-3,
        batch_size=256,
        seed=args.seed,
    )
    began = time.monotonic()
    model.learn(args.steps, progress_bar=False)
    print(f"{args.steps:,} steps in {time.monotonic() - began:.0f} seconds")
    model.env.close()
    played = parallel_pool.evaluate(Reach, model, episodes=100, infos=["is_success"])
    reached = np.mean([episode.infos["is_success"] for episode in played.episodes])
    print(f"at the goal at the end of 100 episodes: {reached:.0%}; return {played.mean:.1f}")


if __name__ == "__main__":
    main()
