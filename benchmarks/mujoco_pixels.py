"""What a picture costs: full, fast, EnvPool's, and the original's. Needs OpenGL; software will do."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterator, Sequence
from statistics import median
from typing import Any

import gymnasium
import numpy as np
from figures import Row, hundredths, say, table
from measuring.baselines import module_of
from parallel_pool.errors import ParallelPoolError
from parallel_pool.making import make
from study import Study, id_and_size, run, sized

ENVS = 4
os.environ.setdefault("MUJOCO_GL", "egl")


def original(task_id: str, size: int) -> tuple[str, Callable[[], object]]:
    """What draws, and a call that draws one picture: Gymnasium's own or dm_control's."""
    family, _, name = task_id.partition("/")
    if family == "mujoco":
        env = gymnasium.make(name, render_mode="rgb_array", width=size, height=size)
        env.reset(seed=0)
        return "Gymnasium's render()", env.render
    suite = module_of("dm_control.suite")
    loaded = suite.load(*name.removesuffix("-v1").split("-"))
    loaded.reset()
    return "physics.render()", lambda: loaded.physics.render(size, size)


def of_envpool(task_id: str, size: int) -> Any:
    """EnvPool's pool; None where it does not draw."""
    from parallel_pool.registry import registry

    names = [name.rpartition("/")[2] for name in registry().resolve(task_id).spec.aliases]
    try:
        envpool = module_of("envpool")
        name = next(each for each in names if each in envpool.list_all_envs())
        return envpool.make_gymnasium(
            name,
            num_envs=ENVS,
            num_threads=2,
            from_pixels=True,
            render_width=size,
            render_height=size,
        )
    except (ParallelPoolError, RuntimeError, StopIteration, TypeError) as reason:
        say(f"EnvPool is left out: {reason!r}")
        return None


def measure(case: str, args: argparse.Namespace) -> Iterator[Row]:
    """A row for each that draws: milliseconds per picture. Four environments and two threads for the pools."""
    task_id, size = id_and_size(case)
    options: dict[str, Any] = {"num_threads": 2, "seed": 0, "width": size, "height": size}
    pools: dict[str, Any] = {
        f"from_pixels, {quality}": make(
            task_id, num_envs=ENVS, from_pixels=True, render_quality=quality, **options
        )
        for quality in ("full", "fast")
    }
    name, draw = original(task_id, size)
    draw()
    cases: dict[str, tuple[Callable[[], object], int]] = {name: (draw, 1)}
    still = np.zeros_like(next(iter(pools.values())).action_space.sample())
    rival = of_envpool(task_id, size)
    if rival is not None:
        pools["EnvPool, from_pixels"] = rival
    for name, pool in pools.items():
        pool.reset()
        cases[name] = (lambda pool=pool: pool.step(still), ENVS)  # type: ignore[misc]
    spent: dict[str, list[tuple[float, float]]] = {name: [] for name in cases}
    for _ in range(args.rounds):
        for name, (draw, pictures) in cases.items():
            begin, work = time.perf_counter(), time.process_time()
            draw()
            wall, cpu = time.perf_counter() - begin, time.process_time() - work
            spent[name].append((1e3 * wall / pictures, 1e3 * cpu / pictures))
    for pool in pools.values():
        pool.close()
    for name, each in spent.items():
        walls, works = zip(*each, strict=True)
        yield {
            "task": task_id,
            "size": str(size),
            "drawn by": name,
            "ms": median(walls),
            "CPU ms": median(works),
        }


def text(rows: Sequence[Row]) -> str:
    columns = {"task": str, "size": str, "drawn by": str}
    return table({**columns, "ms": hundredths, "CPU ms": hundredths}, rows)


if __name__ == "__main__":
    cases = [
        *sized(("mujoco/HalfCheetah-v5", "mujoco/Humanoid-v5"), (84, 480)),
        *sized(("dmc/cheetah-run-v1", "dmc/humanoid-run-v1"), (84, 240)),
    ]
    run(
        Study(
            cases,
            measure,
            text,
            "docs/mujoco.md",
            "pixels",
            rounds=5,
            packages=("mujoco", "dm-control"),
        ),
        __doc__,
    )
