"""One id of every_id.py: its pools, and its peers stepped in turn, in a process of its own.

The process is forked from one that has imported this module and the peers: EnvPool alone takes seconds to
import, more than an id takes to measure.
"""

from __future__ import annotations

import gc
import os
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any

import gymnasium
from bare import BareLoop, BareMujoco, BareSuite
from baselines import ale, quiet_ale
from every_id_report import RATIOS
from figures import Row, without_folders
from measuring.baselines import Absent, Task, gymnasium_vector
from measuring.baselines import parallel_pool as pool_of
from measuring.drivers import Driver
from measuring.envpool import envpool
from measuring.interleave import Timing, interleave
from parallel_pool._core import usable_cpus
from parallel_pool.benchmarking.memory import resident_bytes

PACKAGES = "PARALLEL_POOL_PEERS"
"""The variable with a folder of peers, which is searched last. The first process has no other arguments."""
sys.path.extend(filter(None, [os.environ.get(PACKAGES)]))
for module in ("envpool", "ale_py", "minigrid", "shimmy", "vizdoom.gymnasium_wrapper"):
    with warnings.catch_warnings(), suppress(ImportError):
        warnings.simplefilter("ignore")
        import_module(module)
gc.freeze()  # what was imported is not looked at before each slice, nor copied by a process of an id

OF_ALE = "ALE-"
"""Ids of ale-py's own environments begin with it."""
ALONE = ("vizdoom",)
"""Families whose originals are not made many times."""
SYNC_AT_MOST = 1024
"""Of Gymnasium's SyncVectorEnv, which makes some 100,000 steps a second at any size: one call of more
environments would take longer than a slice."""

Spec = dict[str, Any]
Mode = tuple[int, str]
"""Environments, and "sync" or "async": batches of a quarter."""
Builds = Iterator[tuple[str, Callable[[], Driver]]]


def serve(pipe: Connection, spec: Spec) -> None:
    """In the process of an id: answers each mode with its row, or with a text that says why there is none.

    spec: "id", "rounds", "slice" in seconds, "peers": those of RATIOS that are measured beside ParallelPool,
    "fresh": whether each slice begins with a reset, for ids whose steps cost more or less by what it draws.
    """
    os.setsid()  # what it starts is of its session, so that nothing stays behind
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what engines print is no result
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


def row_of(spec: Spec, num_envs: int, mode: str) -> Row:
    """Builds the pools, steps them in turn, closes them."""
    task = Task(spec["id"], num_envs, num_envs // 4 if mode == "async" else None)
    drivers: list[Driver] = []
    pools: dict[str, dict[str, float]] = {}
    absent: list[str] = []
    try:
        for name, build in builds(task):
            if not name.startswith(("ParallelPool", *spec["peers"])):
                continue
            before, begin = resident_bytes() or 0, time.perf_counter()
            try:
                drivers.append(build())
            except Exception as error:
                if not drivers:  # ours
                    raise
                kind = "" if isinstance(error, Absent) else f"{type(error).__name__}: "
                absent.append(without_folders(f"{name}: {kind}{error}"))
                continue
            seconds = time.perf_counter() - begin
            grown = (resident_bytes() or 0) - before
            pools[name] = {"start s": seconds, "grown MB": grown / 1e6}

        def begin_slice(driver: Driver) -> None:
            if spec["fresh"] and not task.is_async and driver.env is not None:
                driver.env.reset()

        timings = interleave(
            drivers, rounds=spec["rounds"], slice_seconds=spec["slice"], before_slice=begin_slice
        )
    finally:
        for driver in drivers:
            driver.close()
    ours, *others = timings
    for timing in timings:
        pools[timing.name]["steps/s"] = timing.median
    ratios = {name: ratio(ours, others, peer) for name, peer in RATIOS.items()}
    return {"pools": pools, "absent": absent, **ratios}


def ratio(ours: Timing, others: list[Timing], peer: str) -> float | None:
    """To the fastest of a peer's; None if it took no part."""
    mine = [each for each in others if each.name.startswith(peer)]
    return ours.ratio_to(max(mine, key=lambda each: each.median)) if mine else None


def builds(task: Task) -> Builds:
    """What steps the task: ParallelPool first, then others by name."""
    yield "ParallelPool", partial(pool_of, task)
    theirs = replace(task, task_id=name_elsewhere(task.task_id))
    for threads in threads_of(task):
        name = f"EnvPool, {threads} thr"
        yield name, partial(envpool, replace(theirs, num_threads=threads), name=name)
    family, _, name = task.task_id.partition("/")
    if family == "atari" and not name.startswith(OF_ALE):
        yield "ale-py", partial(ale, task)
    if task.is_async:
        return
    yield "original", partial(original, task)
    if name == "CartPole-v1":
        numpy = partial(gymnasium_vector, task, "vector_entry_point", name="numpy vector")
        yield "numpy vector", numpy
        yield "bare loop", partial(BareLoop, "bare loop", "cartpole", task.num_envs)
    threads = min(task.num_envs, usable_cpus())
    if family == "mujoco" and name in BareMujoco.TASKS:
        yield "bare loop", partial(BareMujoco, "bare loop", name, task.num_envs, threads)
    if family == "dmc" and (stem := name.removesuffix("-v1")) in BareSuite.TASKS:
        yield "bare loop", partial(BareSuite, "bare loop", stem, task.num_envs, threads)


def original(task: Task) -> Driver:
    """The environments that an id equals, made by their own package, in Gymnasium's SyncVectorEnv.

    EnvPool's tasks of Atari and ViZDoom have no original but EnvPool itself.
    """
    family, _, name = task.task_id.partition("/")
    if family in ALONE and task.num_envs > 1:
        raise Absent("only alone: each is an engine in a process of its own")
    if task.num_envs > SYNC_AT_MOST:
        raise Absent(f"a call of more than {SYNC_AT_MOST} environments is longer than a slice")
    if family == "atari":
        quiet_ale()
        name = name.replace(OF_ALE, "ALE/")
    if family == "dmc":
        name = f"dm_control/{name.removesuffix('-v1')}-v0"
    if name not in gymnasium.registry:
        raise Absent(f"Gymnasium's registry has no {name}")
    return gymnasium_vector(task, "sync", name="original", factory=partial(gymnasium.make, name))


def threads_of(task: Task) -> tuple[int, ...]:
    """Of EnvPool: in lockstep its faster number counts, and one environment has work for one."""
    if task.num_envs == 1:
        return (1,)
    return (2,) if task.is_async else (1, 2)


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
