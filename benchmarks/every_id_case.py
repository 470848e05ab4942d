"""One id of every_id.py: its pools, EnvPool's and Gymnasium's, stepped in turn in a process of its own.

The process is forked from one that has imported this module and the peers: EnvPool alone takes seconds to
import, more than an id takes to measure.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any

import harness
from bare import BareMujoco, BareSuite
from baselines import gymnasium_vector
from parallel_pool._core import usable_cpus
from parallel_pool.benchmarking.baselines import Absent, Task
from parallel_pool.benchmarking.baselines import parallel_pool as pool_of
from parallel_pool.benchmarking.drivers import Driver
from parallel_pool.benchmarking.envpool import envpool
from parallel_pool.benchmarking.interleave import interleave
from parallel_pool.benchmarking.memory import resident_bytes

PACKAGES = "PARALLEL_POOL_PEERS"
"""The variable with a folder of peers, which is searched last. The first process has no other arguments."""
sys.path.extend(filter(None, [os.environ.get(PACKAGES)]))
with warnings.catch_warnings(), suppress(ImportError):
    warnings.simplefilter("ignore")
    import_module("envpool")

Spec = dict[str, Any]
Mode = tuple[int, str]
"""Environments, and "sync" or "async": batches of a quarter."""


def serve(pipe: Connection, spec: Spec) -> None:
    """In the process of an id: answers each mode with its row, or with a text that says why there is none.

    spec: "id", "rounds", "slice" in seconds, "peers": whether there are others than ParallelPool.
    """
    os.setsid()  # what it starts is of its session, so that nothing stays behind
    os.dup2(2, 1)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # where engines leave files
        with suppress(EOFError):
            while True:
                num_envs, mode = pipe.recv()
                try:
                    pipe.send(row_of(spec, num_envs, mode))
                except Exception as error:
                    pipe.send(f"{type(error).__name__}: {error}")
        os.chdir("/")


def row_of(spec: Spec, num_envs: int, mode: str) -> dict[str, Any]:
    """Builds the pools, steps them in turn, closes them."""
    drivers: list[Driver] = []
    pools: dict[str, dict[str, float]] = {}
    absent: list[str] = []

    def add(name: str, build: Any) -> None:
        before, begin = resident_bytes() or 0, time.perf_counter()
        try:
            drivers.append(build())
        except Absent as reason:
            absent.append(f"{name}: {reason}")
            return
        except Exception as error:
            if not drivers:  # ours
                raise
            absent.append(harness.without_folders(f"{name}: {type(error).__name__}: {error}"))
            return
        seconds = time.perf_counter() - begin
        grown = (resident_bytes() or 0) - before
        pools[name] = {"start s": seconds, "grown MB": grown / 1e6}

    task = Task(spec["id"], num_envs, num_envs // 4 if mode == "async" else None)
    theirs = replace(task, task_id=name_elsewhere(spec["id"]))
    add("ParallelPool", partial(pool_of, task))
    try:
        if spec["peers"]:
            for threads in threads_of(num_envs, mode):
                name = f"EnvPool, {threads} thr"
                add(name, partial(envpool, replace(theirs, num_threads=threads), name=name))
            if not task.is_async:
                add("Gymnasium sync", partial(gymnasium_vector, task, "sync"))
            if limit := bare_loop(task):
                add("bare loop", limit)
        timings = interleave(drivers, rounds=spec["rounds"], slice_seconds=spec["slice"])
    finally:
        for driver in drivers:
            driver.close()
    ours, *others = timings
    for timing in timings:
        pools[timing.name]["steps/s"] = timing.median
    best = harness.fastest(each for each in others if each.name.startswith("EnvPool"))
    original = harness.fastest(each for each in others if each.name.startswith("Gymnasium"))
    return {
        "pools": pools,
        "absent": absent,
        "to EnvPool": harness.ratio(ours, best),
        "to Gymnasium": harness.ratio(ours, original),
        "of bare loop": harness.ratio(
            ours, next((each for each in others if each.name == "bare loop"), None)
        ),
    }


def bare_loop(task: Task) -> Callable[[], Driver] | None:
    """The engine without a pool, for some of the ids whose steps are nearly all the engine's."""
    family, _, name = task.task_id.partition("/")
    if task.is_async:
        return None
    threads = min(task.num_envs, usable_cpus())
    if family == "mujoco" and name in BareMujoco.TASKS:
        return partial(BareMujoco, "bare loop", name, task.num_envs, threads)
    if family == "dmc" and (stem := name.removesuffix("-v1")) in BareSuite.TASKS:
        return partial(BareSuite, "bare loop", stem, task.num_envs, threads)
    return None


def threads_of(num_envs: int, mode: str) -> tuple[int, ...]:
    """Of EnvPool: in lockstep its faster number counts, and one environment has work for one."""
    if num_envs == 1:
        return (1,)
    return (2,) if mode == "async" else (1, 2)


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
