"""Every id at its defaults, in turn with EnvPool and Gymnasium: what the pool is worth where people run it.

`measure` appends a line to a file as each case ends, and goes on where an interrupted run stopped; families
take turns, so that a run of any length is broad. A case has a process of its own: one that hangs or dies
costs its row, which says so. `report` writes a page and a picture from the file.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

import every_id_report
import harness
from baselines import envpool, gymnasium_vector
from in_turn import CaseFailedError, Worker, serve
from parallel_pool import list_all_envs
from parallel_pool.benchmarking.baselines import Absent, Task
from parallel_pool.benchmarking.baselines import parallel_pool as pool_of
from parallel_pool.benchmarking.drivers import Driver
from parallel_pool.benchmarking.interleave import interleave
from parallel_pool.benchmarking.memory import resident_bytes

FILE = Path(__file__).with_suffix(".jsonl")
MAIN = {
    "classic": 64,
    "mujoco": 64,
    "dmc": 16,
    "box2d": 16,
    "minigrid": 64,
    "vizdoom": 16,
    "atari": 32,
}
"""Families in the order in which they take turns, with the number of environments besides one."""
PATIENCE = 60.0
"""Seconds that a case may take to start, and again to be measured."""
FIRST_GUESS = 6.0
"""Seconds of a case before one was measured."""
Spec = dict[str, Any]
Key = tuple[str, int, str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="?", choices=("measure", "report"), default="measure")
    parser.add_argument("--json", type=Path, default=FILE, metavar="FILE", help="lines of JSON")
    parser.add_argument("--hours", type=float, default=2.0, help="budget of this run (2)")
    parser.add_argument("--family", nargs="+", choices=list(MAIN), default=list(MAIN))
    parser.add_argument("--ids", nargs="+", metavar="ID", help="only these")
    parser.add_argument("--quick", action="store_true", help="only the main number, synchronous")
    parser.add_argument("--rounds", type=int, default=3, help="slices of each pool (3)")
    parser.add_argument("--slice", type=float, default=0.25, help="seconds of a slice (0.25)")
    parser.add_argument("--packages", type=Path, metavar="DIR", help="searched last for peers")
    parser.add_argument("--case", type=json.loads, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.packages:
        sys.path.append(str(options.packages.resolve()))
    if options.case:
        sys.path.extend(options.case["packages"])
        serve(partial(Measured, options.case))
    elif options.what == "report":
        every_id_report.write(options.json, list_all_envs())
    else:
        measure(options)


def measure(options: argparse.Namespace) -> None:
    """The cases that the file lacks, until the budget is spent."""
    ids = [each for each in list_all_envs() if not options.ids or each in options.ids]
    left = remaining(cases(ids, options.family, options.quick), options.json)
    append(options.json, {"environment": harness.environment()})
    begin = time.monotonic()
    for done, key in enumerate(left):
        spent = time.monotonic() - begin
        if spent > 3600 * options.hours:
            harness.say(f"the budget is spent; {len(left) - done} cases are left")
            break
        each = spent / done if done else FIRST_GUESS
        minutes = min(each * (len(left) - done), 3600 * options.hours - spent) / 60
        harness.say(f"{done + 1} of {len(left)}, {minutes:.0f} min left: {key}")
        append(options.json, row_of(key, options))


def cases(ids: Iterable[str], families: Sequence[str], quick: bool) -> list[Key]:
    """(id, environments, mode): the main number of all ids first, families in turn."""
    by_family = {name: [i for i in ids if i.startswith(f"{name}/")] for name in families}
    turns = chain.from_iterable(zip_longest(*by_family.values()))
    ordered = [each for each in turns if each is not None]
    found: list[Key] = [(each, _main(each), "sync") for each in ordered]
    if not quick:
        found += [(each, _main(each), "async") for each in ordered]
        found += [(each, 1, "sync") for each in ordered]
    return found


def _main(task_id: str) -> int:
    return MAIN[task_id.partition("/")[0]]


def remaining(wanted: Iterable[Key], path: Path) -> list[Key]:
    """Those without a line in the file; a case that failed has one."""
    rows = every_id_report.read(path)[1] if path.exists() else []
    measured = {(row["id"], row["envs"], row["mode"]) for row in rows}
    return [key for key in wanted if key not in measured]


def append(path: Path, content: dict[str, Any]) -> None:
    """A line, written at once: an interrupt leaves those before."""
    with path.open("a") as file:
        file.write(json.dumps(content) + "\n")


def row_of(key: Key, options: argparse.Namespace) -> dict[str, Any]:
    """The row of a case from its process, or why there is none."""
    task_id, envs, mode = key
    row = {"id": task_id, "envs": envs, "mode": mode, "load": os.getloadavg()[0]}
    packages = [str(options.packages.resolve())] if options.packages else []
    spec = {**row, "rounds": options.rounds, "packages": packages}
    worker = Worker(str(Path(__file__).resolve()), task_id, spec)
    try:
        worker.wait(PATIENCE)
        worker.slice(options.slice, PATIENCE)
        return {**row, **worker.slices[0]}
    except CaseFailedError as error:
        return {**row, "failed": str(error)}
    finally:
        worker.close(patience=1)


class Measured:
    """The pools of a case, all in this process. `slice` measures all of them in turn."""

    def __init__(self, spec: Spec) -> None:
        self._folder = tempfile.TemporaryDirectory()
        os.chdir(self._folder.name)  # where engines leave files
        self._rounds = spec["rounds"]
        batch = spec["envs"] // 4 if spec["mode"] == "async" else None
        task = Task(spec["id"], spec["envs"], batch)
        theirs = replace(task, task_id=name_elsewhere(spec["id"]))
        self._drivers: list[Driver] = []
        self._pools: dict[str, dict[str, float]] = {}
        self._absent: list[str] = []
        self._add("ParallelPool", partial(pool_of, task))
        for threads in (1, 2):
            name = f"EnvPool, {threads} thr"
            self._add(name, partial(envpool, replace(theirs, num_threads=threads), name=name))
        if not task.is_async and task.num_envs <= 64:
            self._add("Gymnasium sync", partial(gymnasium_vector, task, "sync"))

    def _add(self, name: str, build: Any) -> None:
        before, begin = resident_bytes() or 0, time.perf_counter()
        try:
            self._drivers.append(build())
        except Absent as reason:
            self._absent.append(f"{name}: {reason}")
            return
        except Exception as error:
            if not self._drivers:  # ours
                raise
            self._absent.append(f"{name}: {type(error).__name__}: {error}")
            return
        seconds = time.perf_counter() - begin
        grown = (resident_bytes() or 0) - before
        self._pools[name] = {"start s": seconds, "grown MB": grown / 1e6}

    def slice(self, seconds: float) -> dict[str, Any]:
        """All rounds of all pools."""
        timings = interleave(self._drivers, rounds=self._rounds, slice_seconds=seconds)
        ours, *others = timings
        for timing in timings:
            self._pools[timing.name]["steps/s"] = timing.median
        best = harness.fastest(each for each in others if each.name.startswith("EnvPool"))
        original = harness.fastest(each for each in others if each.name.startswith("Gymnasium"))
        return {
            "pools": self._pools,
            "absent": self._absent,
            "to EnvPool": harness.ratio(ours, best),
            "to Gymnasium": harness.ratio(ours, original),
        }

    def close(self) -> None:
        """Frees the pools."""
        for driver in self._drivers:
            driver.close()


def name_elsewhere(task_id: str) -> str:
    """EnvPool writes dmc/ball_in_cup-catch-v1 as BallInCupCatch-v1.

    An id that is not ours takes none of our options along: ViZDoom's have other types there.
    """
    family, _, name = task_id.partition("/")
    if family == "vizdoom":
        return f"elsewhere/{name}"
    if family != "dmc":
        return task_id
    stem, _, version = name.rpartition("-")
    words = stem.replace("-", "_").split("_")
    return f"elsewhere/{''.join(word[:1].upper() + word[1:] for word in words)}-{version}"


if __name__ == "__main__":
    main()
