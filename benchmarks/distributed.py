"""Pools on Ray, a plain pool, Tianshou's RayVectorEnv and RLlib's own vector environments, and a model.

uv run --isolated --group libraries --group training python benchmarks/distributed.py --page \
    --plot docs/images/scaling.png

One cluster on this machine; all cases of an environment are alive and take turns. Actions are random, drawn
before. Then what calls with nothing but bytes cost, from which distributed_model.py says what more actors give.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from distributed_model import ACTORS, Model, broken_at, draw, of_figures
from figures import Columns, Row, hundredths, percent, table, tenths, times, whole
from parallel_pool._core import usable_cpus
from parallel_pool.benchmarking.drivers import Driver
from study import Study, ratio, run, side_by_side

IDS = ("CartPole-v1", "HalfCheetah-v5", "Pong-v5")
COMPARED = ("CartPole-v1", "Pong-v5")
"""Those that the others step as well."""
CALLS = "calls"
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


def measure(case: str, args: argparse.Namespace) -> Iterator[Row]:
    """The speeds with one environment and the bytes of its calls; or what calls cost."""
    start_ray()
    import distributed_costs as costs

    if case != CALLS:
        yield from speeds(case, args)
        yield from ({"kind": "size", **row} for row in costs.sizes(case))
        return
    giver = costs.Costs()
    for size in costs.SIZES:
        yield {"kind": "cost", "bytes": size, **giver.of(size, 20)}
    giver.close()


def speeds(task_id: str, args: argparse.Namespace) -> Iterator[Row]:
    """A row for each case."""
    import distributed_cases as cases

    cpus = usable_cpus()
    drivers: list[Driver] = []
    if task_id in COMPARED:
        drivers += [*cases.rllib(task_id), *cases.tianshou(task_id)]
    for form in (cases.Streamed, cases.Stepped):
        drivers += [form(task_id, actors) for actors in ACTORS]
    drivers += [cases.Plain(task_id, PLAIN[0], 1), cases.Plain(task_id, PLAIN[1], cpus)]
    by_name = side_by_side([lambda each=each: each for each in drivers], args)
    busy = {each.name: each.busy for each in drivers if isinstance(each, cases.OnRay)}
    for name, timing in by_name.items():
        what, _, actors = name.rpartition(", ")
        told = {"pool": what, "actors": int(actors)} if actors.isdigit() else {"pool": name}
        yield {
            "kind": "rate",
            "env": task_id,
            "cpus": cpus,
            **told,
            "steps/s": timing.median,
            "driver": busy.get(name),
            "to a plain pool": ratio(timing, by_name[PLAIN[0]]),
            **{
                f"{ours} to it": ratio(by_name[f"{ours}, {actors}"], timing)
                for ours in OURS
                if f"{ours}, {actors}" in by_name
            },
        }


def models(rows: Sequence[Row]) -> dict[str, Model]:
    """Of each environment in each form, on the machine that was measured."""
    envs = {row["env"]: row["cpus"] for row in rows if row["kind"] == "rate"}
    return {
        f"{env}, {pool}": of_figures(rows, env, pool, PLAIN[0], cpus)
        for env, cpus in envs.items()
        for pool in OURS
    }


def lines_of(rows: Sequence[Row], of: dict[str, Model]) -> Iterator[Row]:
    """Steps per second, a line for each case, and what the model says in its place."""
    rates = [row for row in rows if row["kind"] == "rate"]
    for env, case in dict.fromkeys((row["env"], row["pool"]) for row in rates):
        mine = [row for row in rates if (row["env"], row["pool"]) == (env, case)]
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
        if case in OURS:
            model = of[f"{env}, {case}"]
            expected = {_actors(row["actors"]): model.rate(row["actors"]) for row in mine}
            yield line | {"pool": f"{case}, the model"} | expected


def _actors(count: int) -> str:
    return f"{count} actor{'s' * (count > 1)}"


SPEEDS: Columns = {
    "environment": str,
    "pool": str,
    **{_actors(count): whole for count in ACTORS},
    "of a plain pool": percent,
    **{f"{ours} to it": times for ours in OURS},
}
BYTES: Columns = {
    "environment": str,
    "a call": str,
    "steps": whole,
    "bytes there": whole,
    "bytes back": whole,
    "for each step": tenths,
}
COSTS: Columns = {
    "bytes": whole,
    "the actor, ms": hundredths,
    "the driver, ms": hundredths,
    "there and back, ms": hundredths,
}
BROKEN: Columns = {
    "a call": str,
    "its actor, ms": hundredths,
    "driver, ms": hundredths,
    **dict.fromkeys(("actors until full", "100 actors", "1,000 actors", "10,000 actors"), whole),
    "full is": str,
}


def text(rows: Sequence[Row]) -> str:
    """In Markdown."""
    found = models(rows)
    sizes = [
        {
            "environment": row["env"],
            "a call": f"{row['fragments']} fragments" if "fragments" in row else "a step of a lane",
            "steps": row["steps"],
            "bytes there": row["there"],
            "bytes back": row["back"],
            "for each step": (row["there"] + row["back"]) / row["steps"],
        }
        for row in rows
        if row["kind"] == "size"
    ]
    costs = [
        {
            "bytes": row["bytes"],
            "the actor, ms": row["giving"] * 1e3,
            "the driver, ms": row["taking"] * 1e3,
            "there and back, ms": row["round trip"] * 1e3,
        }
        for row in rows
        if row["kind"] == "cost"
    ]
    broken = broken_at({name: model.on_a_cluster() for name, model in found.items()})
    parts = (
        table(SPEEDS, list(lines_of(rows, found))),
        table(BYTES, sizes),
        table(COSTS, costs),
        table(BROKEN, list(broken)),
    )
    return "\n".join(parts)


def plot(path: Path, rows: Sequence[Row]) -> None:
    """What the model expects of a cluster."""
    draw({name: model.on_a_cluster() for name, model in models(rows).items()}, path)


if __name__ == "__main__":
    study = Study(
        [*IDS, CALLS],
        measure,
        text,
        "docs/scaling.md",
        rounds=3,
        seconds=0.6,
        plot=plot,
        packages=("ray", "tianshou", "torch"),
    )
    run(study, __doc__)
