"""What `infos="minimal"` saves: pools with and without, stepped in turn."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from functools import partial

from figures import Row, table, times, whole
from measuring.baselines import Task, parallel_pool
from study import Study, compare, id_and_size, run, sized

IDS = ("CartPole-v1", "Taxi-v4", "Pong-v5", "HalfCheetah-v5", "Ant-v5", "gym:Taxi-v4")


def measure(case: str, args: argparse.Namespace) -> Iterator[Row]:
    """A row."""
    task_id, num_envs = id_and_size(case)
    builds = {
        infos: partial(
            parallel_pool,
            Task(task_id, num_envs, num_threads=2, options={"infos": infos}),
            name=infos,
        )
        for infos in ("minimal", "all")
    }
    yield {"steps/s": f"{num_envs} {task_id}", **compare(builds, args)}


def text(rows: Sequence[Row]) -> str:
    return table({"steps/s": str, "all": whole, "minimal": whole, "to all": times}, rows)


if __name__ == "__main__":
    run(Study(sized(IDS, (1, 8, 64)), measure, text, "docs/pool.md"), __doc__)
