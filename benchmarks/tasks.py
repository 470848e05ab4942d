"""Tasks in Python, stepped by the machine, beside the same in C++: by CPU time, in turn, one thread each.

The tasks are examples of `parallel-pool-tasks`, whose tests compare them with their originals.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import parallel_pool
from figures import Row, table, times, whole
from measuring.drivers import ByCpu
from parallel_pool_tasks.examples.cheetah import Cheetah
from parallel_pool_tasks.examples.control_suite import CheetahRun
from parallel_pool_tasks.examples.gymnasium_v5 import Ant
from study import Study, compare, run

NUM_ENVS = 64
TASKS: dict[str, Any] = {
    "mujoco/HalfCheetah-v5": Cheetah,
    "mujoco/Ant-v5": Ant,
    "dmc/cheetah-run-v1": CheetahRun,
}


def measure(case: str, args: argparse.Namespace) -> Iterator[Row]:
    """A row. Raises AssertionError if the two do not do the same."""
    pools = {
        name: parallel_pool.make(task, num_envs=NUM_ENVS, num_threads=1, seed=0)
        for name, task in (("Python", TASKS[case]), ("C++", case))
    }
    first = pools["C++"]
    first.action_space.seed(0)
    actions = [first.action_space.sample() for _ in range(64)]
    results: list[Any] = []
    for pool in pools.values():
        pool.reset()
        results.append([pool.step(each)[1] for each in actions])
    np.testing.assert_array_equal(*results)

    def step(pool: Any, turn: Iterator[Any]) -> None:
        pool.step(next(turn))

    builds = {
        name: partial(ByCpu, name, NUM_ENVS, partial(step, pool, _endless(actions)))
        for name, pool in pools.items()
    }
    yield {"task": case, **compare(builds, args)}
    for pool in pools.values():
        pool.close()


def _endless(actions: Sequence[Any]) -> Iterator[Any]:
    while True:
        yield from actions


def text(rows: Sequence[Row]) -> str:
    columns = {"task": str, "Python": whole, "C++": whole}
    return table({**columns, "to C++": times, "to C++, quartiles": str}, rows)


if __name__ == "__main__":
    study = Study(tuple(TASKS), measure, text, rounds=40, seconds=0.1, packages=["mujoco"])
    run(study, __doc__)
