"""Bytes per environment and per batch, and whether anything grows with steps or with pools.

Every figure is measured in a process of its own, so that none inherits another's memory.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from typing import Any

import harness
import numpy as np
from baselines import ale
from parallel_pool.benchmarking.baselines import Task, parallel_pool
from parallel_pool.benchmarking.envpool import envpool
from parallel_pool.benchmarking.memory import resident_bytes
from parallel_pool.errors import ParallelPoolError

SIZES = {"classic/CartPole-v1": (1024, 4096, 16384, 65536), "atari/Pong-v5": (8, 16, 32, 64)}
OPTIONS: dict[str, dict[str, Any]] = {"atari/Pong-v5": {"game": "pong"}}
BASELINES = {"ParallelPool": parallel_pool, "EnvPool": envpool, "ale-py": ale}
STEPS = 1_000_000
CYCLES = 200
WARM_CYCLES = 20


def main() -> None:
    """Prints the tables."""
    args = harness.arguments(__doc__ or "", sizes=()).parse_args()
    facts = harness.environment()
    harness.print_environment(facts)
    rows = []
    for task_id, sizes in SIZES.items():
        for side in BASELINES:
            row = slope(side, task_id, args.sizes or sizes)
            if row is not None:
                rows.append(row)
    columns = {"environment": str, "pool": str}
    numbers = dict.fromkeys(("bytes per env", "bytes per batch row", "batches"), harness.whole)
    harness.print_table({**columns, **numbers}, rows)
    print()
    growth = [
        {"what": f"{STEPS:,} CartPole steps", "bytes": apart(grow_by_steps)},
        {"what": f"each of {CYCLES} pools made and closed", "bytes": apart(grow_by_cycles)},
    ]
    harness.print_table({"what": str, "bytes": harness.whole}, growth)
    harness.store(args.json, facts, [*rows, *growth])


def slope(side: str, task_id: str, sizes: Any) -> harness.Row | None:
    """Resident bytes over the number of environments, by least squares."""
    measured = []
    for num_envs in sizes:
        answer = apart(footprint, side, task_id, num_envs)
        if isinstance(answer, str):
            harness.say(f"left out: {answer}")
            return None
        measured.append((num_envs, *answer))
    envs, resident, row_bytes, batches = zip(*measured, strict=True)
    return {
        "environment": task_id,
        "pool": side,
        "bytes per env": float(np.polyfit(envs, resident, 1)[0]),
        "bytes per batch row": row_bytes[-1],
        "batches": batches[-1],
    }


def footprint(side: str, task_id: str, num_envs: int) -> tuple[int, float | None, int | None] | str:
    """(resident bytes, of a batch's row, batches) of a pool in use; or why there is none."""
    task = Task(task_id, num_envs, num_threads=2, options=OPTIONS.get(task_id, {}))
    try:
        driver = BASELINES[side](task)
    except ParallelPoolError as reason:
        return f"{side}: {reason}"
    driver.advance(20)
    used = resident() - sum(action.nbytes for action in driver.actions)
    stats = driver.env.stats() if hasattr(driver.env, "stats") else {}
    driver.close()
    row = stats["batch_bytes"] / num_envs if stats else None
    return used, row, stats.get("batches")


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


if __name__ == "__main__":
    main()
