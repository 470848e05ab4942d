"""What `infos="minimal"` saves: steps per second with and without, interleaved, best of some slices.

uv run python benchmarks/infos.py [--envs 1 8 64] [--ids CartPole-v1 Taxi-v4]
"""

from __future__ import annotations

import argparse
import time
import warnings
from typing import Any

import parallel_pool

IDS = ("CartPole-v1", "Taxi-v4", "Pong-v5", "HalfCheetah-v5", "Ant-v5", "gym:Taxi-v4")
SLICES, SECONDS = 6, 0.12


def steps_per_second(envs: Any, actions: Any) -> float:
    """Of one slice."""
    steps, begin = 0, time.perf_counter()
    while (passed := time.perf_counter() - begin) < SECONDS:
        for _ in range(20):
            envs.step(actions)
        steps += 20
    return steps * len(envs) / passed


def compare(task_id: str, num_envs: int) -> dict[str, float]:
    """The best slice of each."""
    pools = {
        kind: parallel_pool.make(task_id, num_envs=num_envs, num_threads=2, infos=kind)
        for kind in ("all", "minimal")
    }
    best = dict.fromkeys(pools, 0.0)
    for pool in pools.values():
        pool.reset(seed=0)
    for _ in range(SLICES):
        for kind, pool in pools.items():
            actions = pool.action_space.sample() * 0
            best[kind] = max(best[kind], steps_per_second(pool, actions))
    for pool in pools.values():
        pool.close()
    return best


def main() -> None:
    """Prints a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--envs", type=int, nargs="+", default=[1, 8, 64])
    parser.add_argument("--ids", nargs="+", default=IDS)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    print("| environments | all | minimal | |\n|---|--:|--:|--:|")
    for task_id in arguments.ids:
        for num_envs in arguments.envs:
            best = compare(task_id, num_envs)
            gain = best["minimal"] / best["all"]
            print(
                f"| {num_envs} {task_id} | {best['all']:,.0f} | {best['minimal']:,.0f} | {gain:.2f} x |",
                flush=True,
            )


if __name__ == "__main__":
    main()
