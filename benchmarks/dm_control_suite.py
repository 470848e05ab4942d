"""Tasks of the DeepMind Control Suite: ParallelPool, EnvPool, dm_control, and the limit, in turn.

dm_control is in Gymnasium's vector environments, through Shimmy. EnvPool has a MuJoCo of its own, 3.6.0.
Further parts: start-up and memory, and pictures. The whole takes about fifteen minutes; `--minutes` says how
long the first part may.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import harness
import mujoco_pixels
import mujoco_report
import mujoco_speed
import mujoco_startup
from bare import BareSuite
from parallel_pool.benchmarking.baselines import Task, gymnasium_vector, module_of
from parallel_pool_dmc._tasks import TASKS

PAGE = mujoco_report.Page(
    script="dm_control_suite.py",
    path="docs/dmc.md",
    packages=("parallel-pool", "dm-control", "mujoco", "envpool", "shimmy", "gymnasium", "numpy"),
    cases=("ParallelPool",),
    columns=("to Python, CPU",),
)
MEANS_SOMETHING_ELSE = ("frame_skip",)
"""In EnvPool: steps of the simulation in an action."""


def cases(name: str, num_envs: int, args: Any) -> tuple[list[harness.Build], dict[str, int]]:
    """See `mujoco_speed.Cases`."""
    task_id = next(each.envpool_id for each in TASKS if each.id == f"dmc/{name}-v1")
    builds: list[harness.Build] = []
    if num_envs == mujoco_speed.PYTHON_AT:
        # First, before any pool has threads: it forks.
        builds += [partial(_dm_control, name, task_id, mode) for mode in ("async", "sync")]
    pools, batches = mujoco_speed.pool_cases(task_id, num_envs, args, MEANS_SOMETHING_ELSE)
    builds += pools
    builds.append(partial(BareSuite, "bare loop", name, num_envs, args.threads))
    return builds, batches


def _dm_control(name: str, task_id: str, mode: str) -> Any:
    import gymnasium

    gymnasium.register_envs(module_of("shimmy"))
    factory = partial(gymnasium.make, f"dm_control/{name}-v0")
    task = Task(task_id, mujoco_speed.PYTHON_AT)
    return gymnasium_vector(task, mode, name=f"dm_control {mode}", factory=factory)


PARTS: mujoco_speed.Parts = {
    "speed": lambda args: mujoco_speed.speed(args, cases),
    "startup": lambda _: mujoco_startup.compared({"HumanoidCMURun-v1": 256, "CheetahRun-v1": 1024}),
    "pixels": lambda _: mujoco_pixels.compared(
        {name: mujoco_pixels.of_dm_control for name in ("cheetah-run", "humanoid-run")}, (84, 240)
    ),
}

if __name__ == "__main__":
    mujoco_speed.run(__doc__ or "", PAGE, BareSuite.TASKS, PARTS)
