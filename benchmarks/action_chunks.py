"""A chunk of 16 actions for each of 64 CartPoles, compared with its parts: a bare loop's steps, and one call.

Each call follows a reset that is not timed, and its actions push to and fro, so no episode ends in it: all
1,024 steps are made. The loop is that of `bare_loops/cartpole.cpp`, with the flags of a plugin. "One call" is a
call of a pool without chunks less the loop's 64 steps.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from statistics import median
from typing import Any

import numpy as np
import parallel_pool
from bare import BareLoop
from figures import Row, hundredths, table, tenths, whole
from study import Study, run

ID = "CartPole-v1"
FLAGS = ("-march=x86-64",)


def timed(pool: Any, actions: Any) -> float:
    """Microseconds of one call."""
    pool.reset()
    began = time.perf_counter()
    pool.step(actions)
    return 1e6 * (time.perf_counter() - began)


def measure(case: str, args: argparse.Namespace) -> Iterator[Row]:
    """A row; all are timed in turn, in every round."""
    num_envs, chunk = map(int, case.split("x"))
    arguments = {"num_envs": num_envs, "num_threads": 1, "seed": 0}
    actions = np.tile(np.arange(chunk) % 2, (num_envs, 1))
    loops = 200
    with (
        parallel_pool.make(ID, action_chunk=chunk, **arguments) as chunked,
        parallel_pool.make(ID, **arguments) as plain,
        closing(BareLoop("loop", "cartpole", num_envs, *FLAGS)) as loop,
    ):
        taken: dict[str, list[float]] = {"chunk": [], "call": [], "loop": []}
        until = time.perf_counter() + args.rounds * args.slice
        while time.perf_counter() < until:
            taken["chunk"].append(timed(chunked, actions))
            taken["call"].append(timed(plain, actions[:, 0]))
            began = time.perf_counter()
            loop.advance(chunk * loops)
            taken["loop"].append(1e6 * (time.perf_counter() - began) / loops)
    took = {name: median(each) for name, each in taken.items()}
    parts = took["loop"] + took["call"] - took["loop"] / chunk
    yield {
        "environments": num_envs,
        "actions": chunk,
        **took,
        "to its parts": took["chunk"] / parts,
    }


def text(rows: Sequence[Row]) -> str:
    columns = {"environments": whole, "actions": whole, "chunk": tenths, "loop": tenths}
    return table({**columns, "call": tenths, "to its parts": hundredths}, rows)


if __name__ == "__main__":
    run(Study(("64x16",), measure, text, rounds=15, seconds=0.2), __doc__)
