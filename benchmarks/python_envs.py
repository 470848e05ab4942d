"""Environments written in Python: this pool's workers compared with Gymnasium's vector environments.

In turn, in one process: Gymnasium's AsyncVectorEnv (a process per environment, shared memory) and SyncVectorEnv
(no processes), this pool, and this pool with a worker per environment. Workers are processes, or threads on a
free-threaded Python. CPU time is that of all processes together, by the scheduler's account
(/proc/PID/task/*/schedstat, Linux): how long a step takes on a busy machine says more about the others there;
how much work it is hardly depends on them.
"""

from __future__ import annotations

import argparse
import glob
import importlib.util
import os
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import gymnasium
import numpy as np
import parallel_pool
from figures import Row, table
from gymnasium import spaces
from measuring.baselines import Task, drive
from measuring.drivers import Driver, Observer, Slice
from parallel_pool.threads.cpu_budget import gil_is_on
from study import Build, Study, id_and_size, ratio, run, side_by_side, sized

RIVAL = "AsyncVectorEnv"
EACH = "a worker each"


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
for number, kind in enumerate(OWN.values()):
    gymnasium.register(f"Own{number}-v0", kind, disable_env_checker=True)


class Metered(Driver):
    """A driver whose CPU time is noted, with that of its worker processes."""

    def __init__(self, inner: Driver, workers: Sequence[int]) -> None:
        super().__init__(inner.name, inner.rows)
        self.env, self._inner, self._pids = inner.env, inner, (os.getpid(), *workers)
        self.cpu: list[float] = []
        """Seconds of an environment step, by slice."""

    def run(self, seconds: float, observe: Observer | None = None) -> Slice:
        before = cpu_seconds(self._pids)
        done = self._inner.run(seconds, observe)
        self.cpu.append((cpu_seconds(self._pids) - before) / done.env_steps)
        return done

    def advance(self, calls: int) -> Any:
        return self._inner.advance(calls)

    def close(self) -> None:
        self._inner.close()


def cpu_seconds(pids: Sequence[int]) -> float:
    """The CPU time of all threads of these processes."""
    files = [file for pid in pids for file in glob.glob(f"/proc/{pid}/task/*/schedstat")]
    return sum(int(Path(file).read_text().split()[0]) for file in files) / 1e9


def theirs(bare_id: str, num_envs: int, kind: str) -> Metered:
    """One of Gymnasium's."""
    vector: Callable[..., Any] = {
        # The start method that it has by default up to Python 3.13.
        RIVAL: partial(gymnasium.vector.AsyncVectorEnv, context="fork"),
        "SyncVectorEnv": gymnasium.vector.SyncVectorEnv,
    }[kind]
    env = vector([partial(gymnasium.make, bare_id)] * num_envs)
    driver = drive(kind, env, Task(bare_id, num_envs))
    return Metered(driver, [each.pid for each in getattr(env, "processes", ())])


def ours(bare_id: str, num_envs: int, name: str, threads: int | None) -> Metered:
    """This pool."""
    pool: Any = parallel_pool.make(f"gym:{bare_id}", num_envs=num_envs, num_threads=threads)
    driver = drive(name, pool, Task(bare_id, num_envs))
    return Metered(driver, pool.stats()["worker_pids"])


def measure(case: str, args: argparse.Namespace) -> Iterator[Row]:
    """A row."""
    name, num_envs = id_and_size(case)
    bare_id = f"Own{list(OWN).index(name)}-v0" if name in OWN else name
    drivers: dict[str, Metered] = {}

    def kept(build: Callable[[], Metered]) -> Driver:
        driver = build()
        return drivers.setdefault(driver.name, driver)

    # First those that fork: before any pool has threads.
    makes: list[Callable[[], Metered]] = [
        partial(theirs, bare_id, num_envs, RIVAL),
        partial(theirs, bare_id, num_envs, "SyncVectorEnv"),
        partial(ours, bare_id, num_envs, "here", None),
        partial(ours, bare_id, num_envs, EACH, num_envs),
    ]
    builds: list[Build] = [partial(kept, make) for make in makes]
    timings = side_by_side(builds, args)
    row: Row = {"environment": name, "envs": num_envs}
    for name, timing in timings.items():
        row[name] = timing.median
        row[f"{name} to it"] = ratio(timing, timings[RIVAL])
    pairs = zip(drivers[RIVAL].cpu, drivers["here"].cpu, strict=True)
    row["by CPU time"] = median(rival / mine for rival, mine in pairs)
    yield row


def text(rows: Sequence[Row]) -> str:
    """A line per environment: ratios to AsyncVectorEnv by the number of environments."""
    lines: dict[str, Row] = {}
    columns: dict[str, Callable[[Any], str]] = {"environment": str}
    for row in rows:
        line = lines.setdefault(row["environment"], {"environment": row["environment"]})
        for key, title in (
            ("here to it", ""),
            (f"{EACH} to it", f", {EACH}"),
            ("by CPU time", ", by CPU time"),
        ):
            line[f"{row['envs']}{title}"] = row[key]
            columns.setdefault(f"{row['envs']}{title}", "{:.1f} x".format)
    return table(columns, list(lines.values()))


if __name__ == "__main__":
    study = Study(
        sized((*GYMNASIUM, *OWN), (2, 8, 32)),
        measure,
        text,
        "docs/python-environments.md",
        "processes" if gil_is_on() else "threads",
        rounds=9,
        seconds=0.15,
    )
    run(study, __doc__)
