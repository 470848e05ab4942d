"""What a picture costs: full, fast, EnvPool's, and the original's. Needs OpenGL; software will do."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Any, TypeAlias

import gymnasium
import harness
import numpy as np
from parallel_pool.benchmarking.baselines import module_of
from parallel_pool.errors import ParallelPoolError
from parallel_pool.making import make

ROUNDS = 5
ENVS = 4
Original: TypeAlias = Callable[[str, int], tuple[str, Callable[[], object]]]
"""Of a task and a size: what draws, and a call that draws one picture."""


def compared(originals: Mapping[str, Original], sizes: Sequence[int]) -> list[harness.Row]:
    """A row per task, size and case: milliseconds per picture, and of CPU time."""
    rows: list[harness.Row] = []
    for task, original in originals.items():
        for size in sizes:
            harness.say(f"pictures: {task}, {size} x {size} ...")
            try:
                rows += measure(task, size, original)
            except (ParallelPoolError, RuntimeError, ImportError, AttributeError) as reason:
                harness.say(f"left out: {reason}")
    return rows


def of_gymnasium(task: str, size: int) -> tuple[str, Callable[[], object]]:
    """Gymnasium's own."""
    original = gymnasium.make(task, render_mode="rgb_array", width=size, height=size)
    original.reset(seed=0)
    return "Gymnasium's render()", original.render


def of_dm_control(task: str, size: int) -> tuple[str, Callable[[], object]]:
    """dm_control's own."""
    from dm_control import suite

    original = suite.load(*task.split("-"))
    original.reset()
    return "physics.render()", lambda: original.physics.render(size, size)


def of_envpool(task: str, size: int) -> Any:
    """EnvPool's pool; None where it does not draw."""
    from parallel_pool.registry import registry

    names = [name.rpartition("/")[2] for name in registry().resolve(task).spec.aliases]
    try:
        envpool = module_of("envpool")
        name = next(each for each in (task, *names) if each in envpool.list_all_envs())
        return envpool.make_gymnasium(
            name,
            num_envs=ENVS,
            num_threads=2,
            from_pixels=True,
            render_width=size,
            render_height=size,
        )
    except (ParallelPoolError, RuntimeError, StopIteration, TypeError) as reason:
        harness.say(f"EnvPool is left out: {reason!r}")
        return None


def measure(task: str, size: int, original: Original) -> list[harness.Row]:
    """Four environments and two threads for the pools, the cases in turn."""
    options: dict[str, Any] = {"num_threads": 2, "seed": 0, "width": size, "height": size}
    pools: dict[str, Any] = {
        f"from_pixels, {quality}": make(
            task, num_envs=ENVS, from_pixels=True, render_quality=quality, **options
        )
        for quality in ("full", "fast")
    }
    name, draw = original(task, size)
    draw()
    cases: dict[str, tuple[Callable[[], object], int]] = {name: (draw, 1)}
    still = np.zeros_like(next(iter(pools.values())).action_space.sample())
    rival = of_envpool(task, size)
    if rival is not None:
        pools["EnvPool, from_pixels"] = rival
    for name, pool in pools.items():
        pool.reset()
        cases[name] = (lambda pool=pool: pool.step(still), ENVS)  # type: ignore[misc]
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
