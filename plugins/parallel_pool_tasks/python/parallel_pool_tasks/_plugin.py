"""The family of examples. Light: MuJoCo is imported when the first environment is made."""

from collections.abc import Iterator

from parallel_pool.plugin_api import EnvSpec, hookimpl

from parallel_pool_tasks.hooks import *  # noqa: F403 (hooks are found by their marks)


@hookimpl
def parallel_pool_envs() -> Iterator[EnvSpec]:
    """The examples."""
    yield EnvSpec(
        "tasks/Cheetah-v0",
        native="tasks/Task-v0",
        summary="Run with a planar cheetah",
        options={"frame_skip": 5},
        max_episode_steps=1000,
        tags=("mujoco",),
        render_modes=("rgb_array",),
        render_fps=20,
    )
