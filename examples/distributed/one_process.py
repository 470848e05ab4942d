"""PPO on CartPole-v1 in one process: a pool and a RolloutBuffer. A quarter of a minute.

python examples/distributed/one_process.py [--total-steps 60000] [--seed 1]
"""

from __future__ import annotations

import argparse

import parallel_pool
import torch
from parallel_pool_learning import RolloutBuffer
from policy import Policy, collect, learn, schedule


def main() -> None:
    """Trains, and tells what the likeliest actions come to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--total-steps", type=int, default=60_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(1)
    policy = Policy(4, 2)
    optimizer = torch.optim.Adam(policy.parameters(), eps=1e-5)
    with parallel_pool.make("CartPole-v1", num_envs=8, autoreset_mode="SameStep") as envs:
        buffer = RolloutBuffer(envs, 64, gamma=0.98, gae_lambda=0.9)
        buffer.reset(seed=arguments.seed)
        for done in range(0, arguments.total_steps, 8 * 64):
            schedule(optimizer, done / arguments.total_steps)
            learn(policy, optimizer, [collect(policy, buffer)])
    mean = parallel_pool.evaluate("CartPole-v1", policy.likeliest).mean
    print(f"likeliest actions, 100 episodes: {mean:.1f}")


if __name__ == "__main__":
    main()
