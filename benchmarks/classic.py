"""Classic control and toy text: ParallelPool, EnvPool, Gymnasium and bare loops, stepped in turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import harness
from bare import BareLoop
from parallel_pool.benchmarking.contestants import (
    Task,
    envpool,
    gymnasium_vector,
    parallel_pool,
)

SIZES = (1, 8, 64, 1024, 16384, 131072)
THREADS = (1, 2)
SYNC_AT_MOST = 64
ASYNC_AT = 8
NUMPY = "Gymnasium numpy vector"
BARE = "bare loop, 1 thread"


@dataclass(frozen=True)
class Env:
    """One environment as everybody knows it."""

    id: str
    loop: str
    """The file in bare_loops/."""
    options: tuple[tuple[str, Any], ...] = ()
    envpool_id: str | None = None
    """Where EnvPool's differs; its rules are the same."""
    numpy_vector: bool = False
    """Whether Gymnasium has it as a vector environment written with numpy."""


ENVS = (
    Env("CartPole-v1", "cartpole", numpy_vector=True),
    Env("Pendulum-v1", "pendulum"),
    Env("MountainCar-v0", "mountain_car"),
    Env("MountainCarContinuous-v0", "mountain_car_continuous"),
    Env("Acrobot-v1", "acrobot"),
    Env("Catch-v0", "catch"),
    # EnvPool has to be told.
    Env("FrozenLake-v1", "frozen_lake", options=(("size", 4),)),
    Env("Taxi-v4", "taxi", envpool_id="Taxi-v3"),
    Env("NChain-v0", "n_chain"),
    Env("CliffWalking-v1", "cliff_walking"),
    Env("CliffWalkingSlippery-v1", "cliff_walking_slippery"),
    Env("Blackjack-v1", "blackjack"),
)


def main() -> None:
    """Prints a table."""
    parser = harness.timed_arguments(__doc__ or "", sizes=SIZES)
    known = {env.id: env for env in ENVS}
    parser.add_argument("--envs", nargs="+", choices=known, default=list(known), metavar="ID")
    parser.add_argument("--threads", type=int, nargs="+", default=list(THREADS), metavar="N")
    args = parser.parse_args()
    facts = harness.environment()
    harness.print_environment(facts)
    rows: list[harness.Row] = []
    for name in args.envs:
        for num_envs in args.sizes:
            harness.say(f"{name}: {num_envs} environments ...")
            rows += measure(known[name], num_envs, args.threads, args.rounds, args.slice)
    harness.print_table(
        {
            "environment": str,
            "envs": str,
            "case": str,
            "best steps/s": harness.whole,
            "median steps/s": harness.whole,
            "µs per call": lambda value: f"{value:,.2f}",
            "to EnvPool": harness.times,
            "to numpy": harness.times,
            "of bare loop": harness.percent,
        },
        rows,
    )
    harness.store(args.json, facts, rows)
    plot(args.plot, rows)


def measure(
    env: Env, num_envs: int, threads: Sequence[int], rounds: int, seconds: float
) -> list[harness.Row]:
    """The rows of one number of environments. EnvPool's is the faster of its thread counts."""
    task = Task(f"classic/{env.id}", num_envs)
    builds: list[harness.Build] = []
    if num_envs == ASYNC_AT:
        builds.append(partial(gymnasium_vector, task, "async"))
    if num_envs <= SYNC_AT_MOST:
        builds.append(partial(gymnasium_vector, task, "sync"))
    if env.numpy_vector:
        builds.append(partial(gymnasium_vector, task, "vector_entry_point", name=NUMPY))
    for count in threads:
        if count > num_envs:
            continue
        task = Task(f"classic/{env.id}", num_envs, num_threads=count, options=dict(env.options))
        theirs = Task(
            f"classic/{env.envpool_id or env.id}",
            num_envs,
            num_threads=count,
            options=dict(env.options),
        )
        suffix = f"{count} thread{'s' * (count > 1)}"
        builds.append(partial(envpool, theirs, name=f"EnvPool, {suffix}"))
        for view in ("gymnasium", "gym"):
            name = f"ParallelPool {view}, {suffix}"
            builds.append(partial(parallel_pool, task, view=view, name=name))
    builds.append(partial(BareLoop, BARE, env.loop, num_envs))
    timings = harness.side_by_side(builds, rounds=rounds, seconds=seconds)

    rival = harness.fastest(each for each in timings if each.name.startswith("EnvPool"))
    numpy = harness.fastest(each for each in timings if each.name == NUMPY)
    bare = harness.fastest(each for each in timings if each.name == BARE)
    return [
        {
            "environment": env.id,
            "envs": num_envs,
            "case": timing.name,
            "best steps/s": timing.best,
            "median steps/s": timing.median,
            "µs per call": 1e6 * num_envs / timing.median,
            "to EnvPool": harness.ratio(timing, rival),
            "to numpy": harness.ratio(timing, numpy),
            "of bare loop": harness.ratio(timing, bare),
        }
        for timing in timings
    ]


def plot(path: Path | None, rows: Sequence[harness.Row]) -> None:
    """A chart for each environment, if a file was named."""
    if path is None:
        return
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    names = list(dict.fromkeys(row["environment"] for row in rows))
    cases = list(dict.fromkeys(row["case"] for row in rows))
    columns = min(4, len(names))
    lines = -(-len(names) // columns)
    figure, grid = pyplot.subplots(
        lines, columns, figsize=(4 * columns, 3.2 * lines), squeeze=False, layout="constrained"
    )
    for axes in grid.flat[len(names) :]:
        axes.axis("off")
    drawn: dict[str, Any] = {}
    for name, axes in zip(names, grid.flat, strict=False):
        for number, case in enumerate(cases):
            mine = sorted(
                (row["envs"], row["median steps/s"])
                for row in rows
                if row["environment"] == name and row["case"] == case
            )
            if mine:
                style = "k--" if case == BARE else f"C{number % 10}o-"
                (drawn[case],) = axes.plot(*zip(*mine, strict=True), style, markersize=3)
        axes.set(xscale="log", yscale="log", title=name)
        axes.grid(alpha=0.3)
    figure.supxlabel("environments")
    figure.supylabel("steps/s")
    figure.legend(
        drawn.values(), drawn.keys(), loc="outside lower center", ncols=4, fontsize="small"
    )
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main()
