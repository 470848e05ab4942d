"""The default number of threads compared with one thread, and with processes that share nothing.

Eight environments, from a step of nanoseconds to one of a fraction of a millisecond, and two light tasks of the
Control Suite, in lockstep, and in batches of a quarter. The processes have a pool of one thread each and wait
for nobody: what the machine can do. So do the threads of a bare C++ loop of the same work, where there is one.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from functools import cache, partial
from pathlib import Path

from bare import BareLoopThreads, BareSuite, plugin_library
from figures import Row, hundredths, table, times, whole
from measuring.apart import Apart
from measuring.baselines import Task, parallel_pool
from parallel_pool import EnvSpec, _core, register
from study import Build, Study, id_and_size, ratio, run, side_by_side, sized, spread

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
LIGHT = ("dmc/cartpole-swingup", "dmc/cheetah-run")
LOOPS = {
    GRIDWORLD: partial(BareLoopThreads, "bare loop", "gridworld"),
    "classic/CartPole-v1": partial(BareLoopThreads, "bare loop", "cartpole"),
    **{name: partial(BareSuite, "bare loop", name.partition("/")[2]) for name in LIGHT},
}


@cache
def gridworld() -> Path:
    """gridworld.cpp as a plugin's library, registered."""
    library = plugin_library(Path(__file__).with_name("gridworld.cpp"))
    register(EnvSpec(GRIDWORLD), library=library)
    return library


def measure(case: str, args: argparse.Namespace) -> Iterator[Row]:
    """A row."""
    env, num_envs = id_and_size(case)
    library = gridworld() if env == GRIDWORLD else None
    task = partial(Task, env, num_envs)
    builds: list[Build] = [
        partial(Apart, "apart", task(), library),
        partial(parallel_pool, task(), name="default"),
        partial(parallel_pool, task(num_threads=1), name="one thread"),
        partial(parallel_pool, task(batch_size=num_envs // 4), name="quarters"),
    ]
    if env in LOOPS:
        threads = min(_core.usable_cpus(), num_envs)
        builds.append(partial(LOOPS[env], num_envs, threads))
    timings = side_by_side(builds, args)
    default, one, apart = (timings.get(name) for name in ("default", "one thread", "apart"))
    quarters, bare = timings["quarters"], timings.get("bare loop")
    assert default and one
    yield {
        **{"environment": env, "envs": num_envs},
        **{name: timing.median for name, timing in timings.items()},
        "to one thread": ratio(default, one),
        "to one thread, quartiles": spread(default, one),
        "to apart": ratio(default, apart),
        "quarters to apart": ratio(quarters, apart),
        "to bare loop": ratio(default, bare),
        "quarters to bare loop": ratio(quarters, bare),
    }


def text(rows: Sequence[Row]) -> str:
    columns = {"environment": str, "envs": whole, "one thread": whole, "default": whole}
    columns |= {"to one thread": times, "to one thread, quartiles": str}
    columns |= {"apart": whole, "to apart": hundredths, "quarters to apart": hundredths}
    columns |= {"bare loop": whole, "to bare loop": hundredths, "quarters to bare loop": hundredths}
    return table(columns, rows)


if __name__ == "__main__":
    cases = [*sized(IDS, (16, 100, 400, 4096)), *sized(LIGHT, (8, 32))]
    run(Study(cases, measure, text, "docs/threads.md", rounds=15, seconds=0.1), __doc__)
