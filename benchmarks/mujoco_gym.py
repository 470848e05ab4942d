"""Ant, HalfCheetah and Humanoid: ParallelPool, EnvPool, Gymnasium, and the limits, in turn.

EnvPool has a MuJoCo of its own, 3.6.0. Further parts: what threads lose by waiting for each other, start-up
and memory, and pictures. The whole takes about ten minutes; `--minutes` says how long the first part may.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import harness
import mujoco_barrier
import mujoco_pixels
import mujoco_report
import mujoco_speed
import mujoco_startup
from bare import BareMujoco, MujocoRollout
from baselines import gymnasium_vector
from parallel_pool.benchmarking.baselines import Task

PAGE = mujoco_report.Page(
    script="mujoco_gym.py",
    path="docs/mujoco.md",
    packages=("parallel-pool", "mujoco", "envpool", "gymnasium", "numpy"),
    cases=("Gymnasium", "EnvPool", "ParallelPool", "bare loop", "mujoco.rollout"),
)


def cases(name: str, num_envs: int, args: Any) -> tuple[list[harness.Build], dict[str, int]]:
    """See `mujoco_speed.Cases`."""
    task_id = f"mujoco/{name}"
    builds: list[harness.Build] = []
    if num_envs == mujoco_speed.PYTHON_AT:
        task = Task(task_id, num_envs)
        # First, before any pool has threads: it forks.
        builds += [
            partial(gymnasium_vector, task, mode, name=f"Gymnasium {mode}")
            for mode in ("async", "sync")
        ]
    pools, batches = mujoco_speed.pool_cases(task_id, num_envs, args)
    builds += pools
    builds.append(partial(BareMujoco, "bare loop", name, num_envs, args.threads))
    if name == "HalfCheetah-v5":  # it never falls: without resets the others are another task
        builds.append(partial(MujocoRollout, "mujoco.rollout", name, num_envs, args.threads))
    return builds, batches


PARTS: mujoco_speed.Parts = {
    "speed": lambda args: mujoco_speed.speed(args, cases),
    "barrier": lambda args: mujoco_barrier.study(args.tasks, args.sizes, args.threads),
    "startup": lambda args: mujoco_startup.compared({"mujoco/Humanoid-v5": 1024}),
    "pixels": lambda args: mujoco_pixels.compared(
        {name: mujoco_pixels.of_gymnasium for name in ("HalfCheetah-v5", "Humanoid-v5")}, (84, 480)
    ),
}

if __name__ == "__main__":
    mujoco_speed.run(__doc__ or "", PAGE, BareMujoco.TASKS, PARTS)
