"""MiniGrid and BabyAI: ParallelPool, EnvPool and minigrid in Gymnasium's SyncVectorEnv, stepped in turn.

Then images as pictures, and how long single calls take when levels are made in some of them. A file minigrid.py
would hide the package.
"""

from __future__ import annotations

import contextlib
import io
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import gymnasium
import harness
import minigrid  # noqa: F401 (registers its environments)
import numpy as np
from minigrid.wrappers import RGBImgObsWrapper, RGBImgPartialObsWrapper
from parallel_pool.benchmarking.baselines import Task, gymnasium_vector, parallel_pool
from parallel_pool.benchmarking.envpool import envpool
from parallel_pool.benchmarking.interleave import Timing

IDS = (
    "MiniGrid-Empty-8x8-v0",
    "MiniGrid-DoorKey-8x8-v0",
    "MiniGrid-MultiRoom-N6-v0",
    "MiniGrid-KeyCorridorS6R3-v0",
    "BabyAI-GoToLocal-v0",
    "BabyAI-BossLevel-v0",
)
THREADS = (1, 2)
OF_MINIGRID = 32
"""Environments of minigrid, whose rate is the same for any number."""
PICTURES: dict[str, Callable[[Any], Any]] = {
    "rgb": RGBImgObsWrapper,
    "rgb_partial": RGBImgPartialObsWrapper,
}
OF_PICTURES = 64
"""Environments with pictures, of which a batch of 1,024 does not fit into any cache."""
PARTS = ("levels", "pictures", "calls")


def main() -> None:
    """Measures the parts that are asked for, and prints a table of each."""
    description = (__doc__ or "").replace("%", "%%")
    parser = harness.timed_arguments(description, sizes=[1024], rounds=5, seconds=0.3)
    parser.add_argument("--ids", nargs="+", choices=IDS, default=list(IDS), metavar="ID")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS), metavar="PART")
    args = parser.parse_args()
    facts, rows = harness.environment(), []
    harness.print_environment(facts)
    for env_id in args.ids:
        for size in args.sizes:
            if "levels" in args.parts:
                rows += levels(env_id, size, args.rounds, args.slice)
            if "calls" in args.parts:
                rows += calls(env_id, size, 10 * args.slice)
        if "pictures" in args.parts:
            rows += pictures(env_id, args.rounds, args.slice)
        harness.store(args.json, facts, rows)
    columns = {
        "levels": {
            "id": str,
            "envs": harness.whole,
            "case": str,
            "steps/s": harness.whole,
            "to EnvPool": harness.times,
            "to minigrid": harness.times,
        },
        "pictures": {
            "id": str,
            "image": str,
            "case": str,
            "steps/s": harness.whole,
            "to minigrid": harness.times,
        },
        "calls": {
            "id": str,
            "threads": harness.whole,
            "median us": harness.whole,
            "99% us": harness.whole,
            "99.9% us": harness.whole,
            "longest us": harness.whole,
        },
    }
    for part in args.parts:
        print(f"\n### {part}\n")
        harness.print_table(columns[part], [row for row in rows if row["part"] == part])


def original(env_id: str, wrap: Callable[[Any], Any] = lambda env: env) -> Any:
    """minigrid's environment."""
    return wrap(gymnasium.make(env_id, disable_env_checker=True))


def measured(builds: Sequence[harness.Build], rounds: int, seconds: float) -> list[Timing]:
    """In turn; what minigrid prints when it rejects a level goes nowhere."""
    with contextlib.redirect_stdout(io.StringIO()):
        return harness.side_by_side(builds, rounds=rounds, seconds=seconds)


def levels(env_id: str, num_envs: int, rounds: int, seconds: float) -> list[harness.Row]:
    """All with their default observations. EnvPool's is the faster of its thread counts."""
    theirs = Task(env_id, OF_MINIGRID)
    factory = partial(original, env_id)
    builds: list[harness.Build] = [
        partial(gymnasium_vector, theirs, "sync", name="minigrid", factory=factory)
    ]
    for count in THREADS:
        task = Task(f"minigrid/{env_id}", num_envs, num_threads=count)
        suffix = f"{count} thread{'s' * (count > 1)}"
        builds.append(partial(envpool, task, name=f"EnvPool, {suffix}"))
        builds.append(partial(parallel_pool, task, name=f"ParallelPool, {suffix}"))
    timings = measured(builds, rounds, seconds)
    rival = harness.fastest(each for each in timings if each.name.startswith("EnvPool"))
    return [
        {
            "part": "levels",
            "id": env_id,
            "envs": OF_MINIGRID if timing is timings[0] else num_envs,
            "case": timing.name,
            "steps/s": timing.median,
            "to EnvPool": harness.ratio(timing, rival),
            "to minigrid": harness.ratio(timing, timings[0]),
        }
        for timing in timings
    ]


def pictures(env_id: str, rounds: int, seconds: float) -> list[harness.Row]:
    """Images as pictures, with tiles of eight pixels."""
    rows = []
    for image, wrap in PICTURES.items():
        theirs = Task(env_id, OF_MINIGRID)
        factory = partial(original, env_id, wrap)
        builds: list[harness.Build] = [
            partial(gymnasium_vector, theirs, "sync", name="minigrid", factory=factory)
        ]
        for count in THREADS:
            task = Task(
                f"minigrid/{env_id}", OF_PICTURES, num_threads=count, options={"image": image}
            )
            name = f"ParallelPool, {count} thread{'s' * (count > 1)}"
            builds.append(partial(parallel_pool, task, name=name))
        timings = measured(builds, rounds, seconds)
        rows += [
            {
                "part": "pictures",
                "id": env_id,
                "image": image,
                "case": timing.name,
                "steps/s": timing.median,
                "to minigrid": harness.ratio(timing, timings[0]),
            }
            for timing in timings
        ]
    return rows


def calls(env_id: str, num_envs: int, seconds: float) -> list[harness.Row]:
    """How long single calls of `step` take; episodes of all environments have come apart before."""
    rows = []
    for count in THREADS:
        task = Task(f"minigrid/{env_id}", num_envs, num_threads=count)
        driver = parallel_pool(task)
        try:
            driver.run(seconds)
            times = []
            end = time.perf_counter() + seconds
            while (begin := time.perf_counter()) < end:
                driver.advance(1)
                times.append(time.perf_counter() - begin)
        finally:
            driver.close()
        shares = np.quantile(times, [0.5, 0.99, 0.999, 1.0]) * 1e6
        names = ("median us", "99% us", "99.9% us", "longest us")
        figures = {name: float(share) for name, share in zip(names, shares, strict=True)}
        rows.append({"part": "calls", "id": env_id, "threads": count, **figures})
    return rows


if __name__ == "__main__":
    main()
