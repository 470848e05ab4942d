"""The family of examples. Light: MuJoCo is imported when the first environment is made."""

from collections.abc import Iterator

from parallel_pool.plugin_api import EnvSpec, hookimpl

from parallel_pool_tasks.hooks import *  # noqa: F403 (hooks are found by their marks)


@hookimpl
def parallel_pool_envs() -> Iterator[EnvSpec]:
    """The examples."""
    from parallel_pool_tasks.classes import spec_of
    from parallel_pool_tasks.examples import TASKS

    yield from map(spec_of, TASKS)
