"""Pools on Ray, a plain pool, Tianshou's RayVectorEnv and RLlib's own vector environments.

uv run --isolated --group libraries --group training python benchmarks/distributed.py --page

One cluster on this machine; all cases of an environment are alive and take turns. Actions are random, drawn
before.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from functools import cache

from figures import Columns, Row, percent, table, times, whole
from measuring.drivers import Driver
from parallel_pool._core import usable_cpus
from study import Study, ratio, run, side_by_side

IDS = ("CartPole-v1", "HalfCheetah-v5", "Pong-v5")
COMPARED = ("CartPole-v1", "Pong-v5")
"""Those that the others step as well."""
ACTORS = 1, 2, 4
"""Those of distributed_cases.py, which imports Ray."""
OTHERS = ("Tianshou RayVectorEnv", "RLlib's vector env")
OURS = ("RolloutPool", "RayPool")
PLAIN = ("plain pool, 1 thread", "plain pool, all CPUs")


@cache
def start_ray() -> None:
    """A cluster of our own, which all cases share: `ray.init` alone would join one that is there already."""
    # Ray's processes give way to all others (nice 15), and do not even begin beside programs that compute.
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112
    import ray

    ray.init(
        address="local",
        num_cpus=4,
        include_dashboard=False,
        log_to_driver=False,
        logging_level="ERROR",
    )


def measure(task_id: str, args: argparse.Namespace) -> Iterator[Row]:
    """A row for each case."""
    start_ray()
    import distributed_cases as cases

    cpus = usable_cpus()
    drivers: list[Driver] = []
    if task_id in COMPARED:
        drivers += [*cases.rllib(task_id), *cases.tianshou(task_id)]
    for form in (cases.Streamed, cases.Stepped):
        drivers += [form(task_id, actors) for actors in ACTORS]
    drivers += [cases.Plain(task_id, PLAIN[0], 1), cases.Plain(task_id, PLAIN[1], cpus)]
    by_name = side_by_side([lambda each=each: each for each in drivers], args)
    for name, timing in by_name.items():
        what, _, actors = name.rpartition(", ")
        told = {"pool": what, "actors": int(actors)} if actors.isdigit() else {"pool": name}
        yield {
            "env": task_id,
            **told,
            "steps/s": timing.median,
            "to a plain pool": ratio(timing, by_name[PLAIN[0]]),
            **{
                f"{ours} to it": ratio(by_name[f"{ours}, {actors}"], timing)
                for ours in OURS
                if f"{ours}, {actors}" in by_name
            },
        }


def lines_of(rows: Sequence[Row]) -> Iterator[Row]:
    """Steps per second, a line for each case."""
    for env, case in dict.fromkeys((row["env"], row["pool"]) for row in rows):
        mine = [row for row in rows if (row["env"], row["pool"]) == (env, case)]
        line = {"environment": env, "pool": case}
        if case in PLAIN:
            yield line | {"1 actor": mine[0]["steps/s"]}
            continue
        names = [_actors(row["actors"]) for row in mine]
        least = {
            f"{ours} to it": min(row[f"{ours} to it"] for row in mine)
            for ours in OURS
            if case in OTHERS
        }
        share = {"of a plain pool": mine[0]["to a plain pool"]}
        yield line | dict(zip(names, (row["steps/s"] for row in mine), strict=True)) | least | share


def _actors(count: int) -> str:
    return f"{count} actor{'s' * (count > 1)}"


SPEEDS: Columns = {
    "environment": str,
    "pool": str,
    **{_actors(count): whole for count in ACTORS},
    "of a plain pool": percent,
    **{f"{ours} to it": times for ours in OURS},
}


def text(rows: Sequence[Row]) -> str:
    """In Markdown."""
    return table(SPEEDS, list(lines_of(rows)))


if __name__ == "__main__":
    study = Study(
        IDS,
        measure,
        text,
        "docs/scaling.md",
        rounds=3,
        seconds=0.6,
        packages=("ray", "tianshou", "torch"),
    )
    run(study, __doc__)
