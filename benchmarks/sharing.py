"""The default number of threads compared with one thread, for small and large pools.

Eight environments, from a step of nanoseconds to one of a fraction of a millisecond, in lockstep.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from functools import cache, partial
from pathlib import Path

from bare import plugin_library
from figures import Row, table, times, whole
from measuring.baselines import Task, parallel_pool
from parallel_pool import EnvSpec, register
from study import Study, compare, id_and_size, run, sized

GRIDWORLD = "sharing/Gridworld-v0"
IDS = (
    GRIDWORLD,
    "classic/CartPole-v1",
    "classic/MountainCar-v0",
    "classic/Acrobot-v1",
    "classic/Taxi-v4",
    "classic/Blackjack-v1",
    "classic/TwoPlayerPong-v0",
    "atari/Pong-v5",
)


@cache
def register_gridworld() -> None:
    """gridworld.cpp as a plugin's library."""
    register(EnvSpec(GRIDWORLD), library=plugin_library(Path(__file__).with_name("gridworld.cpp")))


def measure(case: str, args: argparse.Namespace) -> Iterator[Row]:
    """A row."""
    env, num_envs = id_and_size(case)
    if env == GRIDWORLD:
        register_gridworld()
    builds = {
        name: partial(parallel_pool, Task(env, num_envs, num_threads=threads), name=name)
        for name, threads in (("default", None), ("one thread", 1))
    }
    yield {"environment": env, "envs": num_envs, **compare(builds, args)}


def text(rows: Sequence[Row]) -> str:
    columns = {"environment": str, "envs": whole, "one thread": whole, "default": whole}
    return table({**columns, "to one thread": times, "to one thread, quartiles": str}, rows)


if __name__ == "__main__":
    cases = sized(IDS, (16, 100, 400, 4096))
    run(Study(cases, measure, text, "docs/threads.md", rounds=15, seconds=0.1), __doc__)
