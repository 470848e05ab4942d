"""The environments of the tasks, as the registry takes them."""

import math
from collections.abc import Iterator

from parallel_pool.plugin_api import EnvSpec

from parallel_pool_dmc._tasks import TASKS, Task

FILM_CAMERAS = {
    "cheetah": "side",
    "dog": "y-axis",
    "hopper": "cam0",
    "humanoid": "side",
    "humanoid_CMU": "side",
    "quadruped": "y",
    "swimmer": "tracking1",
    "walker": "side",
}
"""The cameras that go along, of domains whose bodies leave the usual picture."""


def envs() -> Iterator[EnvSpec]:
    """Every environment."""
    for task in TASKS:
        yield EnvSpec(
            task.id,
            native=f"dmc/{task.native or task.domain}-v1",
            summary=task.summary,
            options={
                "time_limit": task.time_limit,
                "control_timestep": task.control_timestep,
                **task.options,
            },
            aliases=(task.envpool_id, f"dm_control/{task.domain}-{task.name}-v0"),
            tags=("dmc", "mujoco", *(("rare_ends",) if math.isinf(task.time_limit) else ())),
            envpool_options={"envpool_keys": True} if task.envpool_keys else {},
            render_modes=("rgb_array",),
            render_fps=task.fps or 1 / task.control_timestep,
            film_camera=FILM_CAMERAS.get(task.domain),
        )


def task_of(spec: EnvSpec) -> Task:
    """The task of an environment."""
    return next(task for task in TASKS if task.id == spec.id)
