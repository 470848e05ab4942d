"""MPPI swings up a pole: 64 futures of the present state decide each force. dmc/cartpole-swingup, no learning.

python examples/planning/mppi.py [--steps 1000] [--seed 0]

Model predictive path integral control: plans are the last plan with noise, each is simulated, and the next
plan is their mean, weighted by the exponential of their returns (Williams et al. 2017).
"""

from __future__ import annotations

import argparse

import numpy as np
import parallel_pool

SEQUENCES, HORIZON, NOISE, TEMPERATURE = 64, 40, 0.6, 0.3


def episode_return(steps: int, seed: int, *, plans: bool = True) -> float:
    """The return of an episode of so many steps; without plans that of uniform actions."""
    rng = np.random.default_rng(seed)
    with parallel_pool.make("dmc/cartpole-swingup-v1", num_envs=1, seed=seed) as envs:
        envs.reset()
        plan, total = np.zeros((HORIZON, 1)), 0.0
        for _ in range(steps):
            if plans:
                tried = rng.normal(plan, NOISE, (SEQUENCES, HORIZON, 1)).clip(-1, 1)
                returns = envs.simulate(envs.get_state()[0], tried).rewards.sum(axis=1)
                weights = np.exp((returns - returns.max()) / TEMPERATURE)
                plan = np.tensordot(weights / weights.sum(), tried, axes=1)
                action, plan = plan[:1], np.append(plan[1:], [[0.0]], axis=0)
            else:
                action = rng.uniform(-1, 1, (1, 1))
            total += envs.step(action)[1][0]
        return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--steps", type=int, default=1000, help="steps of the episode")
    parser.add_argument("--seed", type=int, default=0, help="seed of the episode and of the noise")
    given = parser.parse_args()
    planned = episode_return(given.steps, given.seed)
    uniform = episode_return(given.steps, given.seed, plans=False)
    print(
        f"return of {given.steps} steps: {planned:.0f} with plans, {uniform:.0f} with uniform actions"
    )


if __name__ == "__main__":
    main()
