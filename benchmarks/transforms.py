"""What `transform` costs, against Gymnasium's wrappers around the same pool.

uv run python benchmarks/transforms.py [--table docs/transforms.md]

Only what comes after a step is timed: actions are sent, and when all environments have long been done, `recv`
is timed in a pool with and in one without; and the wrapper's `step` around an answer that is already there.
Microseconds for a batch, medians of the rounds, which alternate.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import harness
import parallel_pool
from gymnasium.wrappers.vector import NormalizeObservation, NormalizeReward

CASES = ("CartPole-v1:64", "CartPole-v1:1024", "HalfCheetah-v5:64", "HalfCheetah-v5:1024")
KINDS: dict[str, Callable[[Any], Any]] = {
    "normalize_obs": NormalizeObservation,
    "normalize_reward": NormalizeReward,
}


def microseconds(work: Callable[[], Any]) -> tuple[float, Any]:
    """How long it takes, and what it gives."""
    begin = time.perf_counter()
    result = work()
    return (time.perf_counter() - begin) * 1e6, result


def measure(task_id: str, num_envs: int, kind: str, rounds: int) -> tuple[float, float]:
    """What ours adds to `recv`, and what the wrapper takes."""
    plain = parallel_pool.make(task_id, num_envs=num_envs, seed=0)
    ready = parallel_pool.make(task_id, num_envs=num_envs, seed=0, transform={kind: True})
    wrapped = KINDS[kind](plain)
    plain.reset()
    ready.reset()
    actions = plain.action_space.sample()
    step = max(microseconds(lambda: plain.step(actions))[0] for _ in range(3)) / 1e6

    def received(pool: Any) -> tuple[float, Any]:
        pool.send(actions)
        time.sleep(3 * step + 0.001)
        return microseconds(pool.recv)

    taken: dict[Any, list[float]] = {plain: [], ready: []}
    for number in range(rounds):
        # Results are dropped at once: what is kept has other pools use other memory.
        for pool in (plain, ready) if number % 2 else (ready, plain):
            taken[pool].append(received(pool)[0])
    wrapper = []
    for _ in range(rounds):
        _, answer = received(plain)
        plain.step = lambda _, answer=answer: answer
        wrapper.append(microseconds(lambda: wrapped.step(actions))[0])
        del plain.step
    plain.close()
    ready.close()
    return max(median(taken[ready]) - median(taken[plain]), 0.1), median(wrapper)


def main() -> None:
    """Prints a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", nargs="+", default=CASES, metavar="ID:ENVS")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--table", type=Path, metavar="PAGE", help="where the table goes, too")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    lines = "| environments | | ours | wrapper | |\n|---|---|--:|--:|--:|\n"
    for case in arguments.cases:
        task_id, num_envs = case.rsplit(":", 1)
        for kind in KINDS:
            ours, wrapper = measure(task_id, int(num_envs), kind, arguments.rounds)
            ratio = f"{wrapper / ours:.1f} x"
            lines += f"| {num_envs} {task_id} | `{kind}` | {ours:.1f} | {wrapper:.1f} | {ratio} |\n"
    harness.show(lines, arguments.table)


if __name__ == "__main__":
    main()
