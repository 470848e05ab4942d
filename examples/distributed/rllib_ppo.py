"""PPO of RLlib on CartPole-v1: its runners, each with a pool, by registration alone.

python examples/distributed/rllib_ppo.py [--goal 150] [--iterations 60]
"""

from __future__ import annotations

import argparse

import ray
from parallel_pool_ray.rllib import register_env
from ray.rllib.algorithms.ppo import PPOConfig


def main() -> None:
    """Trains until the mean return reaches the goal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--goal", type=float, default=150)
    parser.add_argument("--iterations", type=int, default=60)
    parser.add_argument("--runners", type=int, default=2)
    arguments = parser.parse_args()
    ray.init("local", num_cpus=arguments.runners + 1, include_dashboard=False, log_to_driver=False)
    config = (
        PPOConfig()
        .environment(register_env("CartPole-v1", num_threads=1))
        .env_runners(
            num_env_runners=arguments.runners,
            num_envs_per_env_runner=8,
            gym_env_vectorize_mode="vector_entry_point",
        )
        .training(
            train_batch_size_per_learner=2000,
            minibatch_size=250,
            num_epochs=10,
            lr=1e-3,
            gamma=0.98,
            lambda_=0.9,
        )
        .debugging(seed=1)
    )
    algorithm = config.build_algo()
    mean = 0.0
    for iteration in range(arguments.iterations):
        mean = algorithm.train()["env_runners"]["episode_return_mean"]
        print(f"iteration {iteration}: mean return {mean:.1f}", flush=True)
        if mean >= arguments.goal:
            break
    algorithm.stop()
    ray.shutdown()
    print(f"mean return of the last episodes: {mean:.1f}")


if __name__ == "__main__":
    main()
