"""A chunk of 16 actions for each of 64 CartPoles, compared with a call of a pool of 1,024 without chunks.

That call makes as many steps of the kernel. Each call follows a reset that is not timed, and its actions push
to and fro, so no episode ends in it. One thread each.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from statistics import median
from typing import Any

import numpy as np
import parallel_pool
from figures import Row, hundredths, table, tenths, whole
from study import Study, run

ID = "CartPole-v1"


def timed(pool: Any, actions: Any) -> float:
    """Microseconds of one call."""
    pool.reset()
    began = time.perf_counter()
    pool.step(actions)
    return 1e6 * (time.perf_counter() - began)


def measure(case: str, args: argparse.Namespace) -> Iterator[Row]:
    """A row; both are timed in turn."""
    num_envs, chunk = map(int, case.split("x"))
    steps = num_envs * chunk
    actions = np.tile(np.arange(chunk) % 2, (num_envs, 1))
    with (
        parallel_pool.make(
            ID, num_envs=num_envs, num_threads=1, seed=0, action_chunk=chunk
        ) as chunked,
        parallel_pool.make(ID, num_envs=steps, num_threads=1, seed=0) as wide,
    ):
        taken: dict[str, list[float]] = {"chunk": [], "wide call": []}
        until = time.perf_counter() + args.rounds * args.slice
        while time.perf_counter() < until:
            taken["chunk"].append(timed(chunked, actions))
            taken["wide call"].append(timed(wide, actions.ravel()))
    took = {name: median(each) for name, each in taken.items()}
    ratio = took["chunk"] / took["wide call"]
    yield {"environments": num_envs, "actions": chunk, **took, "ratio": ratio}


def text(rows: Sequence[Row]) -> str:
    columns = {"environments": whole, "actions": whole, "chunk": tenths, "wide call": tenths}
    return table({**columns, "ratio": hundredths}, rows)


if __name__ == "__main__":
    run(Study(("64x16",), measure, text, rounds=15, seconds=0.2), __doc__)
