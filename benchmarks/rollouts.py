"""What a RolloutBuffer costs: microseconds a step without it, and what keeping and finishing add.

uv run python benchmarks/rollouts.py [--cases CartPole-v1:64 Pong-v5:32] [--rounds 7]

Without a policy, whose time comes on top: the buffer's share of a real rollout is smaller.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import parallel_pool
from parallel_pool.learning import RolloutBuffer

CASES = ("CartPole-v1:64", "CartPole-v1:1024", "HalfCheetah-v5:64", "Pong-v5:32")
STEPS = 128


def seconds(work: Callable[[], object]) -> float:
    """How long it takes."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def no_values(obs: Any) -> Any:
    """A critic that costs nothing."""
    return np.zeros(len(obs), np.float32)


def measure(task_id: str, num_envs: int, rounds: int) -> list[float]:
    """Microseconds of a step of the pool, of keeping it, and of its part in `finish`: the best rounds."""
    with parallel_pool.make(task_id, num_envs=num_envs, seed=0) as pool:
        pool.action_space.seed(0)
        actions = [pool.action_space.sample() for _ in range(STEPS)]
        values = np.zeros(num_envs, np.float32)
        buffer = RolloutBuffer(pool, STEPS)
        buffer.reset(seed=0)

        def bare() -> None:
            for each in actions:
                pool.step(each)

        def kept() -> None:
            for each in actions:
                buffer.step(each, values, log_prob=values)

        slices = [
            (seconds(bare), seconds(kept), seconds(lambda: buffer.finish(no_values)))
            for _ in range(rounds)
        ]
    step, keep, finish = (min(each) / STEPS * 1e6 for each in zip(*slices, strict=True))
    return [step, max(keep - step, 0.0), finish]


def main() -> None:
    """Prints a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", nargs="+", default=CASES, metavar="ID:ENVS")
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    print("| environments | step | keep | finish | share |\n|---|--:|--:|--:|--:|")
    for case in arguments.cases:
        task_id, num_envs = case.rsplit(":", 1)
        step, keep, finish = measure(task_id, int(num_envs), arguments.rounds)
        share = (keep + finish) / (step + keep + finish)
        print(
            f"| {num_envs} {task_id} | {step:.1f} | {keep:.1f} | {finish:.1f} | {share:.0%} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
