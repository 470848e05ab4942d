"""A pool of the template's batch kernel compared with the same dynamics as a plain C++ loop; one thread each.

The environment is the one that `parallel-pool new NAME --kernel batch` writes. `bare_loops/lander.cpp` is the
loop: pointers that are `__restrict` and outside of the loop, the same arithmetic and generator, the flags that
CMake gives a plugin (-O3, no -march). It has no caller: rows go nowhere, and actions are not checked.
"The kernel alone" is that loop written without branches, as the template has it.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from functools import cache, partial
from pathlib import Path

from bare import BareLoop, plugin_library
from figures import Row, table, times, whole
from measuring.baselines import Task, parallel_pool
from parallel_pool import EnvSpec, register
from parallel_pool_author.cli.scaffold import write_plugin
from study import Study, compare, run

ID = "lander/Lander-v0"
FLAGS = ("-march=x86-64",)


@cache
def register_lander() -> None:
    """The template's kernel as a plugin's library, with the flags of a plugin."""
    with tempfile.TemporaryDirectory() as folder:
        answers = {"family": "lander", "kernel": "batch", "author": "nobody"}
        written = write_plugin(answers, Path(folder)) / "src" / "lander.cpp"
        register(EnvSpec(ID, max_episode_steps=500), library=plugin_library(written))


def measure(case: str, args: argparse.Namespace) -> Iterator[Row]:
    """A row."""
    register_lander()
    num_envs = int(case)
    builds = {
        "pool": partial(parallel_pool, Task(ID, num_envs, num_threads=1), name="pool"),
        "loop": partial(BareLoop, "loop", "lander", num_envs, *FLAGS),
        "kernel": partial(BareLoop, "kernel", "lander", num_envs, *FLAGS, "-DAS_THE_KERNEL"),
    }
    yield {"environments": num_envs, **compare(builds, args)}


def text(rows: Sequence[Row]) -> str:
    columns = {"environments": whole, "to loop": times, "to loop, quartiles": str}
    return table({**columns, "to kernel": times}, rows)


if __name__ == "__main__":
    cases = ("256", "1024", "4096", "16384")
    run(
        Study(cases, measure, text, "docs/writing-a-plugin.md", rounds=15, seconds=0.1),
        __doc__,
    )
