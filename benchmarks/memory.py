"""Start-up and memory of many environments, and whether anything grows with steps or with pools.

Every figure is measured in a process of its own, so that none inherits another's memory. The memory of an
environment is the slope over their number: what the interpreter and the libraries take cancels out.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from baselines import ale
from figures import Row, hundredths, say, table, whole
from measuring.baselines import Task, parallel_pool
from measuring.envpool import envpool
from parallel_pool.benchmarking.memory import resident_bytes
from parallel_pool.errors import ParallelPoolError
from study import Study, run

SIZES = {
    "classic/CartPole-v1": (1024, 4096, 16384, 65536),
    "atari/Pong-v5": (8, 16, 32, 64),
    "mujoco/Humanoid-v5": (64, 256, 1024),
    "HumanoidCMURun-v1": (64, 256),
    "CheetahRun-v1": (64, 256, 1024),
}
"""EnvPool has the last two by these names, as this project has."""
BASELINES = {"ParallelPool": parallel_pool, "EnvPool": envpool, "ale-py": ale}
STEPS = 1_000_000
CYCLES = 200
WARM_CYCLES = 20


def measure(case: str, args: argparse.Namespace) -> Iterator[Row]:
    """A row of growth, or one for each pool that has the environment."""
    if case in GROWTH:
        yield {"bytes": apart(GROWTH[case])}
        return
    for side in BASELINES:
        measured = [apart(footprint, side, case, size) for size in SIZES[case]]
        reason = next((each for each in measured if isinstance(each, str)), None)
        if reason is not None:
            say(f"left out: {reason}")
            continue
        seconds, cpu, resident, row_bytes = zip(*measured, strict=True)
        yield {
            "pool": side,
            "envs": SIZES[case][-1],
            "seconds": seconds[-1],
            "CPU seconds": cpu[-1],
            "bytes per env": float(np.polyfit(SIZES[case], resident, 1)[0]),
            "bytes per batch row": row_bytes[-1],
        }


def footprint(
    side: str, task_id: str, num_envs: int
) -> tuple[float, float, int, float | None] | str:
    """(seconds, CPU seconds, resident bytes, bytes of a batch's row) of a pool in use; or why there is none.

    The seconds last until all environments have been reset; what the first pool of one loads is there before.
    """
    make = BASELINES[side]
    try:
        make(Task(task_id, 1, num_threads=1)).close()
        begin, spent = time.perf_counter(), time.process_time()
        driver = make(Task(task_id, num_envs, num_threads=2))
    except ParallelPoolError as reason:
        return f"{side}: {reason}"
    taken = time.perf_counter() - begin, time.process_time() - spent
    driver.advance(20)
    used = resident() - sum(action.nbytes for action in driver.actions)
    stats = driver.env.stats() if hasattr(driver.env, "stats") else {}
    driver.close()
    return *taken, used, stats["batch_bytes"] / num_envs if stats else None


def grow_by_steps() -> int:
    """Bytes gained over STEPS environment steps, after as many to warm up."""
    driver = parallel_pool(Task("classic/CartPole-v1", 100))
    driver.advance(STEPS // 100)
    before = resident()
    driver.advance(STEPS // 100)
    grown = resident() - before
    driver.close()
    return grown


def grow_by_cycles() -> float:
    """Bytes gained per pool that was made, stepped and closed."""
    before = 0
    for cycle in range(WARM_CYCLES + CYCLES):
        if cycle == WARM_CYCLES:
            before = resident()
        driver = parallel_pool(Task("classic/CartPole-v1", 100, num_threads=2))
        driver.advance(10)
        driver.close()
    return (resident() - before) / CYCLES


GROWTH: dict[str, Callable[[], float]] = {
    f"{STEPS:,} CartPole steps": grow_by_steps,
    f"each of {CYCLES} pools made and closed": grow_by_cycles,
}


def resident() -> int:
    """Resident bytes; a system that does not tell cannot run this script."""
    used = resident_bytes()
    if used is None:
        raise SystemExit("memory.py needs /proc/self/statm")
    return used


def apart(function: Callable[..., Any], *arguments: Any) -> Any:
    """`function(*arguments)` in a fresh process."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(function, arguments)


def text(rows: Sequence[Row]) -> str:
    """The pools, then what grows."""
    columns: dict[str, Callable[[Any], str]] = {"case": str, "pool": str, "envs": whole}
    columns |= {"seconds": hundredths, "CPU seconds": hundredths}
    columns |= dict.fromkeys(("bytes per env", "bytes per batch row"), whole)
    pools = [row for row in rows if row["case"] in SIZES]
    growth = [row for row in rows if row["case"] in GROWTH]
    return f"{table(columns, pools)}\n{table({'case': str, 'bytes': whole}, growth)}"


if __name__ == "__main__":
    run(
        Study([*SIZES, *GROWTH], measure, text, packages=("ale-py", "mujoco", "dm-control")),
        __doc__,
    )
