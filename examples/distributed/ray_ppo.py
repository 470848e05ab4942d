"""The same with four actors of Ray, each with a pool and a copy of the policy, and one learner.

python examples/distributed/ray_ppo.py [--address HOST:PORT] [--total-steps 60000] [--seed 1]

Without an address on a cluster of this machine's own.
"""

from __future__ import annotations

import argparse

import parallel_pool
import ray
import torch
from parallel_pool_ray import RolloutPool
from policy import Policy, learn, schedule

POOLS, ENVS, STEPS = 4, 8, 64


def main() -> None:
    """Trains, and tells what the likeliest actions come to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--address")
    parser.add_argument("--total-steps", type=int, default=60_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.address is None:  # more actors than a small machine has CPUs
        ray.init("local", num_cpus=POOLS, include_dashboard=False, log_to_driver=False)
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(1)
    policy = Policy(4, 2)
    # Actors on other machines have no file policy.py.
    ray.cloudpickle.register_pickle_by_value(__import__("policy"))
    optimizer = torch.optim.Adam(policy.parameters(), eps=1e-5)
    with RolloutPool(
        "CartPole-v1",
        policy,
        num_envs=ENVS,
        num_steps=STEPS,
        pools=POOLS,
        gamma=0.98,
        gae_lambda=0.9,
        seed=arguments.seed,
        address=arguments.address,
        progress=True,
    ) as rollouts:
        for done in range(0, arguments.total_steps, ENVS * STEPS):
            schedule(optimizer, done / arguments.total_steps)
            learn(policy, optimizer, rollouts.collect())
            rollouts.push(policy)
    mean = parallel_pool.evaluate("CartPole-v1", policy.likeliest).mean
    print(f"likeliest actions, 100 episodes: {mean:.1f}")


if __name__ == "__main__":
    main()
