"""CPU time of a step of all environments: this pool's worker processes against AsyncVectorEnv.

All processes together, by the scheduler's own account (/proc/PID/task/*/schedstat, Linux). How long a step
takes on a busy machine says more about the others there; how much work it is hardly depends on them.

    python benchmarks/python_envs_cpu.py
"""

from __future__ import annotations

import glob
import os
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import gymnasium
import harness
import parallel_pool
from python_envs import CASES, OWN, RIVAL, bare_id_of

ROUNDS = 3


def main() -> None:
    """Prints the table."""
    parser = harness.arguments(__doc__ or "", sizes=(2, 8, 32))
    parser.add_argument("--cases", nargs="+", default=list(CASES), choices=CASES, metavar="CASE")
    parser.add_argument("--seconds", type=float, default=0.5, help="of a slice (0.5)")
    args = parser.parse_args()
    facts = harness.environment()
    harness.print_environment(facts)
    for number, kind in enumerate(OWN.values()):
        gymnasium.register(f"Own{number}-v0", kind, disable_env_checker=True)
    rows = []
    for case in args.cases:
        for num_envs in args.sizes:
            rows.append(measure(case, num_envs, args.seconds))
            harness.say(f"{case}, {num_envs} environments: {rows[-1]['ratio']:.2f} x")
    harness.print_table(
        {
            "environment": str,
            "environments": str,
            RIVAL: harness.whole,
            "here": harness.whole,
            "ratio": harness.times,
        },
        rows,
    )
    harness.store(args.json, facts, rows)


def measure(case: str, num_envs: int, seconds: float) -> harness.Row:
    """A row: microseconds of CPU time per step of all, the best of some slices in turn."""
    bare_id = bare_id_of(case)
    # Before the pool: it forks.
    theirs = gymnasium.vector.AsyncVectorEnv([lambda: gymnasium.make(bare_id)] * num_envs)
    here = parallel_pool.make(f"gym:{bare_id}", num_envs=num_envs)
    pools: dict[str, tuple[Any, list[int]]] = {
        RIVAL: (theirs, [each.pid for each in theirs.processes]),
        "here": (here, here.stats()["worker_pids"]),
    }
    theirs.action_space.seed(0)
    actions = [theirs.action_space.sample() for _ in range(16)]
    best = dict.fromkeys(pools, float("inf"))
    for pool, _ in pools.values():
        pool.reset(seed=0)
    for _ in range(ROUNDS):
        for name, (pool, workers) in pools.items():
            pids = [os.getpid(), *workers]
            before, steps = cpu_microseconds(pids), 0
            end = time.perf_counter() + seconds
            while time.perf_counter() < end:
                pool.step(actions[steps % len(actions)])
                steps += 1
            best[name] = min(best[name], (cpu_microseconds(pids) - before) / steps)
    for pool, _ in pools.values():
        pool.close()
    return {
        "environment": case,
        "environments": num_envs,
        **best,
        "ratio": best[RIVAL] / best["here"],
    }


def cpu_microseconds(pids: Iterable[int]) -> float:
    """The CPU time of all threads of these processes."""
    files = [file for pid in pids for file in glob.glob(f"/proc/{pid}/task/*/schedstat")]
    return sum(int(Path(file).read_text().split()[0]) for file in files) / 1e3


if __name__ == "__main__":
    main()
