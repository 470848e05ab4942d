"""Which number of environments, threads and rows per batch is the fastest on this machine."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from typing import Any

from parallel_pool.benchmarking.baselines import Absent, Baselines, Task, parallel_pool
from parallel_pool.benchmarking.drivers import Driver
from parallel_pool.benchmarking.interleave import interleave
from parallel_pool.errors import OptionError

FINALISTS = 3
"""The fastest are measured again, in turn, so that a moment in which the machine was busy decides nothing."""
_FINAL_SHARE = 0.25
"""Of the time is for that."""
SLOW_BUILD = 10.0
"""Seconds; where a pool took longer to build, larger ones are left out."""
ENOUGH = 0.9
"""Of the best speed; the smallest pool that has it is told of too."""


@dataclass(frozen=True)
class Setting:
    """A pool. `batch_size` None: in lockstep."""

    num_envs: int
    num_threads: int
    batch_size: int | None = None

    @property
    def part(self) -> int:
        """The pool is about so many batches; 1: in lockstep."""
        return 1 if self.batch_size is None else round(self.num_envs / self.batch_size)

    @property
    def label(self) -> str:
        """The same for settings of different sizes that belong together."""
        return f"{self.num_threads} thr" + f" 1/{self.part}" * (self.batch_size is not None)

    @property
    def arguments(self) -> str:
        """As `make` takes them."""
        text = f"num_envs={self.num_envs}, num_threads={self.num_threads}"
        return text if self.batch_size is None else f"{text}, batch_size={self.batch_size}"


@dataclass
class Sweep:
    """What was measured, in environment steps per second."""

    task: Task
    rates: dict[Setting, float] = field(default_factory=dict)
    final_rates: dict[Setting, float] = field(default_factory=dict)
    """Of the finalists, in their last runs; they count more than those before."""
    baselines: dict[tuple[str, int], float] = field(default_factory=dict)
    """By name and number of environments."""
    left_out: list[str] = field(default_factory=list)

    @property
    def best(self) -> tuple[Setting, float]:
        """The fastest setting and its speed."""
        rates = self.final_rates or self.rates
        setting = max(rates, key=lambda each: rates[each])
        return setting, rates[setting]

    @property
    def smallest(self) -> tuple[Setting, float]:
        """Of those nearly as fast as the best, the one with the fewest environments."""
        best, most = self.best
        known = {**self.rates, best: most}
        enough = [each for each, rate in known.items() if rate >= ENOUGH * most]
        fewest = min(each.num_envs for each in enough)
        chosen = max((each for each in enough if each.num_envs == fewest), key=lambda x: known[x])
        return chosen, known[chosen]


def thread_counts(usable: int) -> list[int]:
    """1, 2, 4, ... and as many as can run at once."""
    return sorted({2**i for i in range(usable.bit_length()) if 2**i <= usable} | {usable})


def settings_of(
    sizes: Sequence[int], threads: Sequence[int], batches: Sequence[int] | None
) -> dict[int, list[Setting]]:
    """What is measured for each number of environments: lockstep first, then asynchronous.

    threads: more than there are environments are left out. batches: None: a quarter of the environments.
    Raises OptionError for numbers below 1.
    """
    for name, values in (
        ("num-envs", sizes),
        ("num-threads", threads),
        ("batch-size", batches or ()),
    ):
        for value in values:
            if value < 1:
                raise OptionError(f"--{name} is {value}, expected 1 or more")
    found = {}
    for size in sizes:
        counts = [count for count in threads if count <= size] or [1]
        rows = [size // 4] if batches is None else list(batches)
        parts = [None, *(each for each in rows if 0 < each < size)]
        row = {Setting(size, count, part) for part in parts for count in counts}
        found[size] = sorted(
            row, key=lambda each: (each.part, each.batch_size or 0, each.num_threads)
        )
    return found


def measure(
    sweep: Sweep,
    settings: Mapping[int, Sequence[Setting]],
    seconds: float,
    baselines: Baselines,
    show: Callable[[int, str, float | None], None],
) -> None:
    """Fills `sweep` within about `seconds`; what it has stays there when Ctrl-C interrupts.

    show: told of each measurement: the number of environments, the label of a setting or the name of a
    baseline, and the speed (None: it could not be measured).
    """
    count = sum(len(each) + len(baselines) for each in settings.values())
    share = (1 - _FINAL_SHARE) * seconds / max(1, count)
    for size, row in settings.items():
        slowest = 0.0
        for setting in row:
            started = time.perf_counter()
            with closing(_pool(sweep.task, setting)) as driver:
                slowest = max(slowest, time.perf_counter() - started)
                driver.run(share / 5)  # the first calls are slow
                driver.resume()
                sweep.rates[setting] = driver.run(share).rate
            show(size, setting.label, sweep.rates[setting])
        for name, build in baselines.items():
            show(size, name, _baseline(sweep, size, name, build, share))
        larger = [each for each in settings if each > size]
        if slowest > SLOW_BUILD and larger:
            text = ", ".join(map(str, larger))
            sweep.left_out.append(
                f"{text} environments: {size} took {slowest:.0f} s to build; name them by --num-envs"
            )
            break
    _final(sweep, _FINAL_SHARE * seconds)


def _pool(task: Task, setting: Setting) -> Driver:
    return parallel_pool(
        replace(
            task,
            num_envs=setting.num_envs,
            num_threads=setting.num_threads,
            batch_size=setting.batch_size,
        )
    )


def _baseline(
    sweep: Sweep, size: int, name: str, build: Callable[[Task], Driver], seconds: float
) -> float | None:
    try:
        driver = build(replace(sweep.task, num_envs=size, num_threads=None, batch_size=None))
    except Absent as reason:
        sweep.left_out.append(f"{name}, {size} environments: {reason}")
        return None
    with closing(driver):
        driver.run(seconds / 5)
        driver.resume()
        rate = driver.run(seconds).rate
    sweep.baselines[name, size] = rate
    return rate


def _final(sweep: Sweep, seconds: float) -> None:
    first = sorted(sweep.rates, key=lambda each: -sweep.rates[each])[:FINALISTS]
    with ExitStack() as stack:
        drivers = [stack.enter_context(closing(_pool(sweep.task, each))) for each in first]
        rounds = 5
        timings = interleave(drivers, rounds=rounds, slice_seconds=seconds / rounds / len(drivers))
    sweep.final_rates = {each: timing.median for each, timing in zip(first, timings, strict=True)}


def report(sweep: Sweep, interrupted: bool) -> dict[str, Any]:
    """The sweep, fit for JSON."""

    def row(setting: Setting, rate: float) -> dict[str, Any]:
        return {**vars(setting), "env_steps_per_second": rate}

    return {
        "id": sweep.task.task_id,
        "options": dict(sweep.task.options),
        "settings": [row(*each) for each in sweep.rates.items()],
        "finalists": [row(*each) for each in sweep.final_rates.items()],
        "best": row(*sweep.best),
        "smallest": row(*sweep.smallest),
        "against": [
            {"name": name, "num_envs": size, "env_steps_per_second": rate}
            for (name, size), rate in sweep.baselines.items()
        ],
        "left_out": sweep.left_out,
        "interrupted": interrupted,
    }


def curves(sweep: Sweep) -> Iterator[tuple[str, list[tuple[float, float]]]]:
    """For a chart: a name, and points (number of environments, environment steps per second)."""
    points: dict[str, list[tuple[float, float]]] = {}
    for setting, rate in sweep.rates.items():
        points.setdefault(setting.label, []).append((setting.num_envs, rate))
    for (name, size), rate in sweep.baselines.items():
        points.setdefault(name, []).append((size, rate))
    yield from points.items()
