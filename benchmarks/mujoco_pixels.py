"""What a picture costs: full, fast, and Gymnasium's. Needs OpenGL; software will do."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

import gymnasium
import harness
import numpy as np
from parallel_pool.errors import ParallelPoolError
from parallel_pool.making import make

TASKS = ("HalfCheetah-v5", "Humanoid-v5")
SIZES = (84, 480)
ROUNDS = 5


def compared() -> list[harness.Row]:
    """A row per task, size and case: milliseconds per picture, and of CPU time."""
    rows: list[harness.Row] = []
    for task in TASKS:
        for size in SIZES:
            harness.say(f"pictures: {task}, {size} x {size} ...")
            try:
                rows += measure(task, size)
            except (ParallelPoolError, RuntimeError, ImportError, AttributeError) as reason:
                harness.say(f"left out: {reason}")
    return rows


def measure(task: str, size: int) -> list[harness.Row]:
    """Four environments and two threads for the pools, the cases in turn."""
    options = {"num_envs": 4, "num_threads": 2, "seed": 0, "width": size, "height": size}
    pools = {
        f"from_pixels, {quality}": make(task, from_pixels=True, render_quality=quality, **options)
        for quality in ("full", "fast")
    }
    original = gymnasium.make(task, render_mode="rgb_array", width=size, height=size)
    original.reset(seed=0)
    original.render()
    still = np.zeros((4, *next(iter(pools.values())).single_action_space.shape), np.float32)
    cases: dict[str, tuple[Callable[[], object], int]] = {
        "Gymnasium's render()": (original.render, 1)
    }
    for name, pool in pools.items():
        pool.reset()
        cases[name] = (lambda pool=pool: pool.step(still), 4)  # type: ignore[misc]
    spent: dict[str, list[tuple[float, float]]] = {name: [] for name in cases}
    for _ in range(ROUNDS):
        for name, (draw, pictures) in cases.items():
            begin, work = time.perf_counter(), time.process_time()
            draw()
            spent[name].append(
                (
                    1e3 * (time.perf_counter() - begin) / pictures,
                    1e3 * (time.process_time() - work) / pictures,
                )
            )
    for pool in pools.values():
        pool.close()
    original.close()
    return [
        {
            "task": task,
            "size": size,
            "case": name,
            "ms": median(wall for wall, _ in each),
            "CPU ms": median(work for _, work in each),
        }
        for name, each in spent.items()
    ]
