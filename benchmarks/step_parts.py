"""What each part of a pool's step costs where the environment's own costs next to nothing.

`counter.cpp` is such an environment, on one thread. Pools that differ in one part are stepped in turn, and
timed by the CPU time of the process; a step is a call from Python. Where episodes end, one in 32 does in each
step.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from bare import plugin_library
from figures import Row, table, tenths
from measuring.drivers import ByCpu
from parallel_pool import EnvSpec, make, register
from study import Study, run, side_by_side

ITSELF, RESET = "counter/Itself-v0", "counter/Reset-v0"
FEW = {"infos": "minimal", "episode_statistics": False}
LENGTH = 64
PARTS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "nothing else": (ITSELF, FEW),
    "all infos": (ITSELF, {**FEW, "infos": "all"}),
    "a limit of steps": (ITSELF, {**FEW, "max_episode_steps": 2**30}),
    "episode statistics": (ITSELF, {**FEW, "episode_statistics": True}),
    "the view `gym`, with rewards as float32": (ITSELF, FEW),
    "ends of episodes, reset by the environment": (ITSELF, {**FEW, "length": LENGTH}),
    "ends, reset by `NextStep`": (RESET, {**FEW, "length": LENGTH}),
    "ends, reset by `SameStep`": (
        RESET,
        {**FEW, "length": LENGTH, "autoreset_mode": "SameStep"},
    ),
    "all infos, a limit, statistics, `NextStep`": (
        RESET,
        {"length": LENGTH, "max_episode_steps": 2**30, "episode_statistics": True},
    ),
}
CALLS = 16
"""Steps between two looks at the clock."""


@cache
def register_counter() -> None:
    """counter.cpp as a plugin's library."""
    library = plugin_library(Path(__file__).with_name("counter.cpp"))
    for env_id in (ITSELF, RESET):
        register(EnvSpec(env_id), library=library)


def measure(case: str, args: argparse.Namespace) -> Iterator[Row]:
    """A row for each part."""
    register_counter()
    num_envs = int(case)
    actions = np.zeros(num_envs, np.int32)
    with ExitStack() as pools:

        def driver(name: str) -> ByCpu:
            env_id, options = PARTS[name]
            view = "gym" if "`gym`" in name else "gymnasium"
            pool = make(env_id, view, num_envs=num_envs, num_threads=1, **options)
            pools.enter_context(closing(pool))
            pool.reset()

            def play() -> None:
                for _ in range(CALLS):
                    pool.step(actions)

            return ByCpu(name, CALLS * num_envs, play)

        timings = side_by_side([partial(driver, name) for name in PARTS], args)
    least = timings["nothing else"]
    for name, timing in timings.items():
        nanoseconds = 1e9 / timing.median
        more = nanoseconds * (1 - timing.ratio_to(least)) if timing is not least else None
        yield {"with": name, "ns": nanoseconds, "more": more}


def text(rows: Sequence[Row]) -> str:
    """A line for each part."""
    lines: dict[str, Row] = {name: {"a step with": name} for name in PARTS}
    for row in rows:
        for key in ("ns", "more"):
            lines[row["with"]][f"{int(row['case']):,}: {key}"] = row[key]
    keys = [f"{int(size):,}: {key}" for size in SIZES for key in ("ns", "more")]
    return table({"a step with": str, **dict.fromkeys(keys, tenths)}, list(lines.values()))


SIZES = ("256", "4096")

if __name__ == "__main__":
    run(Study(SIZES, measure, text, "docs/writing-a-plugin.md", rounds=31, seconds=0.05), __doc__)
