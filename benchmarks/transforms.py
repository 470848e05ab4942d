"""What `transform` costs, compared with Gymnasium's wrappers around the same pool.

Only what comes after a step is timed: actions are sent, and when all environments have long been done, `recv`
is timed in a pool with and in one without; and the wrapper's `step` around an answer that is already there.
Microseconds for a batch, medians of the rounds, which alternate.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from statistics import median
from typing import Any

import parallel_pool
from figures import Row, table, tenths, times
from gymnasium.wrappers.vector import NormalizeObservation, NormalizeReward
from study import Study, id_and_size, run, sized

KINDS: dict[str, Callable[[Any], Any]] = {
    "normalize_obs": NormalizeObservation,
    "normalize_reward": NormalizeReward,
}


def microseconds(work: Callable[[], Any]) -> tuple[float, Any]:
    """How long it takes, and its result."""
    begin = time.perf_counter()
    result = work()
    return (time.perf_counter() - begin) * 1e6, result


def measure(case: str, args: argparse.Namespace) -> Iterator[Row]:
    """A row for each kind."""
    task_id, num_envs = id_and_size(case)
    for kind in KINDS:
        ours, wrapper = costs(task_id, num_envs, kind, args.rounds)
        yield {
            "environments": f"{num_envs} {task_id}",
            "transform": f"`{kind}`",
            "ours": ours,
            "wrapper": wrapper,
            "ratio": wrapper / ours,
        }


def costs(task_id: str, num_envs: int, kind: str, rounds: int) -> tuple[float, float]:
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


def text(rows: Sequence[Row]) -> str:
    columns = {"environments": str, "transform": str, "ours": tenths, "wrapper": tenths}
    return table({**columns, "ratio": times}, rows)


if __name__ == "__main__":
    cases = sized(("CartPole-v1", "HalfCheetah-v5"), (64, 1024))
    run(Study(cases, measure, text, "docs/transforms.md", rounds=40), __doc__)
