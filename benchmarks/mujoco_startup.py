"""Start-up of many environments, and the memory of one, each in a process of its own."""

from __future__ import annotations

import time
from collections.abc import Mapping
from statistics import median

import harness
from memory import apart, resident
from parallel_pool.benchmarking.baselines import Task, parallel_pool
from parallel_pool.benchmarking.envpool import envpool
from parallel_pool.errors import ParallelPoolError

FEW = 64
ROUNDS = 3
BASELINES = {"ParallelPool": parallel_pool, "EnvPool": envpool}


def compared(counts: Mapping[str, int]) -> list[harness.Row]:
    """A row per task, of so many environments, and pool: medians of a few processes each, in turn."""
    return [row for task, count in counts.items() for row in measured(task, count)]


def measured(task: str, count: int) -> list[harness.Row]:
    """The rows of one task."""
    answers: dict[str, list[tuple[float, float, int]]] = {name: [] for name in BASELINES}
    few: dict[str, int] = {}
    for turn in range(ROUNDS):
        for name in BASELINES:
            harness.say(f"start-up: {count} x {task}, {name}, {turn + 1} of {ROUNDS} ...")
            answer = apart(started, name, task, count)
            if isinstance(answer, str):
                harness.say(f"left out: {answer}")
                continue
            answers[name].append(answer)
            if name not in few:
                few[name] = apart(started, name, task, FEW)[2]
    return [
        {
            "task": task.rpartition("/")[2],
            "envs": count,
            "pool": name,
            "seconds": median(each[0] for each in took),
            "CPU seconds": median(each[1] for each in took),
            "MB per env": (median(each[2] for each in took) - few[name]) / (count - FEW) / 1e6,
        }
        for name, took in answers.items()
        if took
    ]


def started(name: str, task: str, num_envs: int) -> tuple[float, float, int] | str:
    """(seconds, CPU seconds, resident bytes) until all environments have been reset and stepped.

    What a first pool of one loads is there before.
    """
    try:
        BASELINES[name](Task(task, 1, num_threads=1)).close()
        begin, spent = time.perf_counter(), time.process_time()
        driver = BASELINES[name](Task(task, num_envs, num_threads=2))
    except ParallelPoolError as reason:
        return f"{name}: {reason}"
    answer = time.perf_counter() - begin, time.process_time() - spent
    driver.advance(4)
    used = resident() - sum(action.nbytes for action in driver.actions)
    driver.close()
    return *answer, used
