"""What estimators of a mean return say where episodes take 10 or 1,000 steps, and what they step for it.

python benchmarks/evaluation_bias.py

Half of the seeds give a short episode with return 0, half a long one with return 1, so the truth is 0.5. Prints
the table of docs/evaluate.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import parallel_pool

Estimate = tuple[float, int, int]
"""The mean, the steps of the episodes that it is of, and all steps."""
WANTED, NUM_ENVS = 100, 50


class TwoLengths(gymnasium.Env[Any, Any]):
    """Its generator decides whether an episode is short or long."""

    observation_space = gymnasium.spaces.Box(0, 1, (1,), np.float32)
    action_space = gymnasium.spaces.Discrete(2)

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        self.long = self.np_random.random() < 0.5
        self.left = 1000 if self.long else 10
        return np.zeros(1, np.float32), {}

    def step(self, action: Any) -> Any:
        self.left -= 1
        over = self.left == 0
        return np.zeros(1, np.float32), float(over and self.long), over, False, {}


def pool(seed: int) -> Any:
    return parallel_pool.make(
        "own/TwoLengths-v0",
        num_envs=NUM_ENVS,
        seed=10_000 * seed,
        isolation="thread",
        num_threads=1,
        autoreset_mode="SameStep",
    )


def stepped(envs: Any, enough: Callable[[list[tuple[int, float, int]]], bool]) -> Any:
    """(environment, return, length) of episodes as they end in a pool that resets itself; all steps."""
    ended: list[tuple[int, float, int]] = []
    lengths, steps = np.zeros(NUM_ENVS, int), 0
    envs.reset()
    actions = np.zeros(NUM_ENVS, int)
    while not enough(ended):
        _, reward, terminated, _, _ = envs.step(actions)
        lengths += 1
        steps += NUM_ENVS
        for env in np.flatnonzero(terminated).tolist():
            ended.append((env, float(reward[env]), int(lengths[env])))
            lengths[env] = 0
    return ended, steps


def of(used: list[tuple[int, float, int]], steps: int) -> Estimate:
    return float(np.mean([each[1] for each in used])), sum(each[2] for each in used), steps


def first_to_end(seed: int) -> Estimate:
    """The first 100 that end."""
    with pool(seed) as envs:
        ended, steps = stepped(envs, lambda ended: len(ended) >= WANTED)
    return of(ended[:WANTED], steps)


def shares(seed: int) -> Estimate:
    """As many of each environment; all are stepped until the last has its share, as SB3 does."""
    share = WANTED // NUM_ENVS

    def firsts(ended: list[tuple[int, float, int]]) -> list[tuple[int, float, int]]:
        counts = [0] * NUM_ENVS
        used = []
        for each in ended:
            counts[each[0]] += 1
            if counts[each[0]] <= share:
                used.append(each)
        return used

    with pool(seed) as envs:
        ended, steps = stepped(envs, lambda ended: len(firsts(ended)) == WANTED)
    return of(firsts(ended), steps)


def batches(seed: int) -> Estimate:
    """One of each environment at a time; all are stepped until the last ends, as LeRobot does."""
    used, steps = [], 0
    with pool(seed) as envs:
        for _ in range(WANTED // NUM_ENVS):
            ended, some = stepped(envs, lambda ended: len({each[0] for each in ended}) == NUM_ENVS)
            first = {each[0]: each for each in reversed(ended)}
            used += list(first.values())
            steps += some
    return of(used, steps)


def episodes(seed: int) -> Estimate:
    """`envs.episodes`."""
    with pool(seed) as envs:
        seeds = range(10_000 * seed, 10_000 * seed + WANTED)
        found = list(envs.episodes(lambda obs: np.zeros(len(obs), int), seeds))
    steps = sum(each.length for each in found)
    return float(np.mean([each.return_ for each in found])), steps, steps


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeats", type=int, default=10)
    args = parser.parse_args()
    parallel_pool.register(
        parallel_pool.EnvSpec("own/TwoLengths-v0", backend="python"),
        factory=lambda spec, options: TwoLengths,
    )
    print("| estimator | mean of the means | steps for each step of an episode that counts |")
    print("|---|--:|--:|")
    for estimator in (first_to_end, shares, batches, episodes):
        found = np.array([estimator(seed) for seed in range(args.repeats)])
        means, used, steps = found.T
        error = means.std(ddof=1) / len(means) ** 0.5
        title = (estimator.__doc__ or "").split(";")[0].rstrip(".")
        print(f"| {title} | {means.mean():.3f} ± {error:.3f} | {steps.sum() / used.sum():.2f} |")


if __name__ == "__main__":
    main()
