"""The same with a learner on every rank, which share their gradients.

torchrun --nproc-per-node 2 examples/distributed/torchrun_ppo.py [--total-steps 60000] [--seed 1]
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
    parser.add_argument("--total-steps", type=int, default=60_000, help="of all ranks")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    torch.distributed.init_process_group("gloo")
    rank, ranks = torch.distributed.get_rank(), torch.distributed.get_world_size()
    torch.set_num_threads(1)
    torch.manual_seed(arguments.seed)  # the same weights everywhere
    policy = Policy(4, 2)
    optimizer = torch.optim.Adam(policy.parameters(), eps=1e-5)
    torch.manual_seed(arguments.seed * 1000 + rank)  # and other actions
    num_envs = max(1, 8 // ranks)
    with parallel_pool.make(
        "CartPole-v1", num_envs=num_envs, autoreset_mode="SameStep", rank="torchrun"
    ) as envs:
        buffer = RolloutBuffer(envs, 64, gamma=0.98, gae_lambda=0.9)
        buffer.reset(seed=arguments.seed)
        for done in range(0, arguments.total_steps, ranks * num_envs * 64):
            schedule(optimizer, done / arguments.total_steps)
            rollout = collect(policy, buffer)
            # As many minibatches on every rank: all steps of a SameStep pool are valid.
            learn(policy, optimizer, [rollout], minibatch=max(1, 128 // ranks))
    if rank == 0:
        mean = parallel_pool.evaluate("CartPole-v1", policy.likeliest).mean
        print(f"likeliest actions, 100 episodes: {mean:.1f}")
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()
