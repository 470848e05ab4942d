"""Pools on Ray beside a plain pool, Tianshou's RayVectorEnv and RLlib's own vector environments, and a model.

uv run --isolated --group libraries --group training python benchmarks/distributed.py --json distributed.json \
    --table docs/scaling.md --plot docs/images/scaling.png

One cluster on this machine; all cases of an environment are alive and take turns. Actions are random, drawn
before. Then what calls with nothing but bytes cost, from which distributed_model.py says what more actors give.
Five minutes; `--again FILE` does the tables and the picture with what was stored.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import harness
from distributed_model import ACTORS, Model, broken_at, draw, of_figures
from parallel_pool.benchmarking.drivers import Driver
from parallel_pool.benchmarking.interleave import interleave

OTHERS = ("Tianshou RayVectorEnv", "RLlib's vector env")
OURS = ("RolloutPool", "RayPool")
Columns = dict[str, Callable[[Any], str]]
PLAIN = ("plain pool, 1 thread", "plain pool, all CPUs")


def measured(task_id: str, args: Any, cpus: int) -> Iterator[harness.Row]:
    """The speeds of all cases with one environment."""
    import distributed_cases as cases

    drivers: list[Driver] = []
    try:
        if task_id in args.beside:
            drivers += [*cases.rllib(task_id), *cases.tianshou(task_id)]
        for form in (cases.Streamed, cases.Stepped):
            drivers += [form(task_id, actors) for actors in ACTORS]
        drivers += [cases.Plain(task_id, PLAIN[0], 1), cases.Plain(task_id, PLAIN[1], cpus)]
        harness.say(f"{task_id}: {len(drivers)} cases, {args.rounds} slices of {args.slice} s each")
        timings = interleave(drivers, rounds=args.rounds, slice_seconds=args.slice)
        busy = {each.name: each.busy for each in drivers if isinstance(each, cases.OnRay)}
    finally:
        for driver in drivers:
            driver.close()
    by_name = {timing.name: timing for timing in timings}
    for timing in timings:
        case, _, actors = timing.name.rpartition(", ")
        told = {"case": case, "actors": int(actors)} if actors.isdigit() else {"case": timing.name}
        yield {
            "kind": "rate",
            "env": task_id,
            **told,
            "steps/s": timing.median,
            "calls/s": timing.total.calls / timing.total.seconds,
            "driver": busy.get(timing.name),
            "to a plain pool": harness.ratio(timing, by_name[PLAIN[0]]),
            **{
                f"{ours} to it": harness.ratio(by_name[f"{ours}, {actors}"], timing)
                for ours in OURS
                if f"{ours}, {actors}" in by_name
            },
        }


def everything(args: Any, cpus: int) -> list[harness.Row]:
    """All figures."""
    from library_cases import start_ray

    start_ray(num_cpus=4)
    import distributed_costs as costs
    import ray

    rows: list[harness.Row] = []
    for task_id in args.ids:
        rows += measured(task_id, args, cpus)
        rows += [{"kind": "size", **row} for row in costs.sizes(task_id)]
    giver = costs.Costs()
    rows += [{"kind": "cost", "bytes": size, **giver.of(size, 20)} for size in costs.SIZES]
    giver.close()
    ray.shutdown()
    return rows


def models(rows: Sequence[harness.Row], cpus: float) -> dict[str, Model]:
    """Of each environment in each form, on this machine."""
    envs = dict.fromkeys(row["env"] for row in rows if row["kind"] == "rate")
    beside = PLAIN[0]
    return {
        f"{env}, {case}": of_figures(rows, env, case, beside, cpus) for env in envs for case in OURS
    }


def speeds(rows: Sequence[harness.Row], of: dict[str, Model]) -> Iterator[harness.Row]:
    """Steps per second, a line for each case, and what the model says in its place."""
    rates = [row for row in rows if row["kind"] == "rate"]
    for env, case in dict.fromkeys((row["env"], row["case"]) for row in rates):
        mine = [row for row in rates if (row["env"], row["case"]) == (env, case)]
        line = {"environment": env, "who": case}
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
            yield line | {"who": f"{case}, the model"} | expected


def _actors(count: int) -> str:
    return f"{count} actor{'s' * (count > 1)}"


SPEEDS: Columns = {
    "environment": str,
    "who": str,
    **{_actors(count): harness.whole for count in ACTORS},
    "of a plain pool": harness.percent,
    **{f"{ours} to it": harness.times for ours in OURS},
}
BYTES: Columns = {
    "environment": str,
    "a call": str,
    "steps": harness.whole,
    "bytes there": harness.whole,
    "bytes back": harness.whole,
    "for each step": "{:.1f}".format,
}
COSTS: Columns = {
    "bytes": harness.whole,
    "the actor, ms": "{:.2f}".format,
    "the driver, ms": "{:.2f}".format,
    "there and back, ms": "{:.2f}".format,
}
BROKEN: Columns = {
    "a call": str,
    "its actor, ms": "{:.2f}".format,
    "driver, ms": "{:.2f}".format,
    **dict.fromkeys(
        ("actors until full", "100 actors", "1,000 actors", "10,000 actors"), harness.whole
    ),
    "full is": str,
}


def tables(facts: dict[str, Any], rows: Sequence[harness.Row]) -> str:
    """In Markdown."""
    found = models(rows, facts["usable_cpus"])
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
        harness.table(SPEEDS, list(speeds(rows, found))),
        harness.table(BYTES, sizes),
        harness.table(COSTS, costs),
        harness.table(BROKEN, list(broken)),
    )
    return "\n".join(parts)


def main() -> None:
    parser = harness.timed_arguments(__doc__ or "", sizes=(), rounds=3, seconds=0.6)
    parser.add_argument("--ids", nargs="+", default=["CartPole-v1", "HalfCheetah-v5", "Pong-v5"])
    parser.add_argument(
        "--beside",
        nargs="*",
        default=["CartPole-v1", "Pong-v5"],
        help="those that others step, too",
    )
    parser.add_argument("--table", type=Path, metavar="PAGE", help="where the tables go, too")
    parser.add_argument("--again", type=Path, metavar="JSON", help="measure nothing, show this")
    args = parser.parse_args()
    if args.again:
        facts, rows = harness.stored(args.again)
    else:
        warnings.simplefilter("ignore")
        facts = harness.environment()
        facts["versions"] |= {name: version(name) for name in ("ray", "tianshou", "torch")}
        rows = everything(args, facts["usable_cpus"])
        harness.store(args.json, facts, rows)
    harness.print_environment(facts)
    harness.show(tables(facts, rows), args.table)
    if args.plot:
        found = models(rows, facts["usable_cpus"])
        draw({name: model.on_a_cluster() for name, model in found.items()}, args.plot)


if __name__ == "__main__":
    main()
