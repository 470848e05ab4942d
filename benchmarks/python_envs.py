"""Environments written in Python: this pool's workers against Gymnasium's vector environments.

In turn, a short slice each, in one process: Gymnasium's AsyncVectorEnv (a process per environment, shared
memory) and SyncVectorEnv (no processes), this pool in lockstep and with asynchronous batches, with a
worker per environment, and with workers of the other kind: threads where processes are the default, or the
other way round on a free-threaded Python. A ratio is the median over the rounds, each
round against AsyncVectorEnv in the same round; the least of them is in the table too.

    python benchmarks/python_envs.py --page docs/python-environments.md
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium
import harness
import numpy as np
import parallel_pool
from gymnasium import spaces
from parallel_pool.benchmarking.baselines import Task, drive
from parallel_pool.benchmarking.drivers import Driver
from parallel_pool.benchmarking.interleave import Timing
from parallel_pool.threads.cpu_budget import gil_is_on

SIZES = (2, 8, 32)
RIVAL = "AsyncVectorEnv"
EACH = "a worker each"
GIL = gil_is_on()


class Busy(gymnasium.Env[Any, Any]):
    """Computes for a millisecond, by the clock of its own thread."""

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012
    observation_space = spaces.Box(0, 1, (4,), np.float32)
    action_space = spaces.Discrete(2)

    def __init__(self, seconds: float = 1e-3) -> None:
        self.seconds = seconds

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        return np.zeros(4, np.float32), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        end = time.thread_time() + self.seconds
        while time.thread_time() < end:
            pass
        return np.zeros(4, np.float32), 0.0, False, False, {}


class Waiting(Busy):
    """Waits for a millisecond, as for a simulator in another process."""

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        time.sleep(self.seconds)
        return np.zeros(4, np.float32), 0.0, False, False, {}


class Screen(Busy):
    """Shows a new picture of 100,800 bytes at once."""

    observation_space = spaces.Box(0, 255, (210, 160, 3), np.uint8)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        return np.zeros((210, 160, 3), np.uint8), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        return np.zeros((210, 160, 3), np.uint8), 0.0, False, False, {}


class Informative(Busy):
    """Has an info of three entries in every step."""

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        info = {"speed": 1.5, "lives": 3, "position": np.zeros(2)}
        return np.zeros(4, np.float32), 0.0, False, False, info


OWN = {
    "computes for 1 ms": Busy,
    "waits for 1 ms": Waiting,
    "pictures of 100,800 bytes": Screen,
    "an info of three entries": Informative,
}
GYMNASIUM = ("CartPole-v1", "Acrobot-v1", "Pendulum-v1")
if importlib.util.find_spec("Box2D") is not None:  # pip install gymnasium[box2d]
    GYMNASIUM = (*GYMNASIUM, "LunarLander-v3")
CASES = (*GYMNASIUM, *OWN)


def main() -> None:
    """Prints the table."""
    parser = harness.timed_arguments(__doc__ or "", sizes=SIZES)
    parser.add_argument("--cases", nargs="+", default=list(CASES), choices=CASES, metavar="CASE")
    parser.add_argument(
        "--threads", type=int, default=None, help="workers of the pool (its default)"
    )
    parser.add_argument("--table", action="store_true", help="ratios only")
    parser.add_argument("--page", type=Path, help="put them into a page, between its marks")
    parser.set_defaults(rounds=9, slice=0.15)
    args = parser.parse_args()
    facts = harness.environment()
    harness.print_environment(facts)
    for number, kind in enumerate(OWN.values()):
        gymnasium.register(f"Own{number}-v0", kind, disable_env_checker=True)
    rows: list[harness.Row] = []
    for case in args.cases:
        for num_envs in args.sizes:
            rows += measure(case, num_envs, args)
            (line,) = summary(rows)[-1:]
            harness.say(f"{case}, {num_envs} environments: {line['ratio']:.2f} x")
    if args.table:
        harness.print_table(
            {
                "environment": str,
                "environments": str,
                "AsyncVectorEnv": harness.whole,
                "here": harness.whole,
                "ratio": harness.times,
                "least": harness.times,
                "asynchronous": harness.times,
                EACH: harness.times,
                "the other kind": harness.times,
                "SyncVectorEnv": harness.times,
            },
            summary(rows),
        )
    else:
        harness.print_table(
            {
                "environment": str,
                "environments": str,
                "case": str,
                "steps/s": harness.whole,
                "us/step of all": harness.whole,
                "ratio": harness.times,
                "least": harness.times,
            },
            rows,
        )
    if args.page:
        kind = "processes" if GIL else "threads"
        harness.put_between(
            args.page,
            f"<!-- {kind}: python_envs.py -->\n",
            f"<!-- {kind}: end -->\n",
            page_table(rows),
        )
    harness.store(args.json, facts, rows)
    for row in rows:
        row["line"] = f"{row['environment']}: {row['case']}"
    harness.plot(args.plot, rows, title="Python", x="environments", y="steps/s", label="line")


def measure(case: str, num_envs: int, args: Any) -> list[harness.Row]:
    """The rows of one environment and size."""
    bare_id = bare_id_of(case)
    # First those that fork: before any pool has threads.
    builds: list[harness.Build] = [
        partial(rival, bare_id, num_envs, RIVAL),
        partial(rival, bare_id, num_envs, "SyncVectorEnv"),
        partial(ours, bare_id, num_envs, "here", num_threads=args.threads),
        partial(
            ours,
            bare_id,
            num_envs,
            "asynchronous",
            num_threads=args.threads,
            batch_size=max(1, num_envs // 2),
        ),
        partial(ours, bare_id, num_envs, EACH, num_threads=num_envs),
        partial(
            ours, bare_id, num_envs, "the other kind", isolation="thread" if GIL else "process"
        ),
    ]
    timings = harness.side_by_side(builds, rounds=args.rounds, seconds=args.slice)
    reference = next(each for each in timings if each.name == RIVAL)
    return [
        {
            "environment": case,
            "environments": num_envs,
            "case": timing.name,
            "steps/s": timing.median,
            "us/step of all": 1e6 * num_envs / timing.median,
            "ratio": timing.ratio_to(reference),
            "least": least(timing, reference),
        }
        for timing in timings
    ]


def bare_id_of(case: str) -> str:
    """The id in Gymnasium's registry; `main` registers those that are made here."""
    return case if case in GYMNASIUM else f"Own{list(OWN).index(case)}-v0"


def least(timing: Timing, reference: Timing) -> float:
    """The ratio in the round that was worst."""
    return min(
        mine.rate / theirs.rate
        for mine, theirs in zip(timing.slices, reference.slices, strict=True)
    )


def rival(bare_id: str, num_envs: int, kind: str) -> Driver:
    """One of Gymnasium's."""
    make: Callable[[], Any] = partial(gymnasium.make, bare_id)
    vector: Any = {
        # The start method that it has by default up to Python 3.13.
        RIVAL: partial(gymnasium.vector.AsyncVectorEnv, context="fork"),
        "SyncVectorEnv": gymnasium.vector.SyncVectorEnv,
    }[kind]
    return drive(kind, vector([make] * num_envs), Task(bare_id, num_envs))


def ours(bare_id: str, num_envs: int, name: str, **arguments: Any) -> Driver:
    """This pool."""
    task = Task(f"gym:{bare_id}", num_envs, arguments.get("batch_size"))
    pool = parallel_pool.make(task.task_id, num_envs=num_envs, **arguments)
    return drive(name, pool, task)


def summary(rows: Sequence[harness.Row]) -> list[harness.Row]:
    """A line per environment and size: microseconds of a step of all, and ratios to AsyncVectorEnv."""
    lines: dict[tuple[str, int], harness.Row] = {}
    for row in rows:
        key = (row["environment"], row["environments"])
        line = lines.setdefault(key, {"environment": key[0], "environments": key[1]})
        if row["case"] == RIVAL:
            line[RIVAL] = row["us/step of all"]
        elif row["case"] == "here":
            line |= {name: row[name] for name in ("ratio", "least")}
            line["here"] = row["us/step of all"]
        else:
            line[row["case"]] = row["ratio"]
    return list(lines.values())


def page_table(rows: Sequence[harness.Row]) -> str:
    """A line per environment: ratios to AsyncVectorEnv by their number, and those of a worker each."""
    lines: dict[str, harness.Row] = {}
    columns: dict[str, Callable[[Any], str]] = {"environment": str}
    for each in summary(rows):
        line = lines.setdefault(each["environment"], {"environment": each["environment"]})
        for key, ratio in (("", each["ratio"]), (f", {EACH}", each[EACH])):
            name = f"{each['environments']}{key}"
            line[name] = ratio
            columns.setdefault(name, "{:.1f} x".format)
    return harness.table(columns, list(lines.values()))


if __name__ == "__main__":
    main()
