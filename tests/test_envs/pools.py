"""Pools of the environments of test_envs.cpp."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

import parallel_pool
from parallel_pool import _core
from parallel_pool.schema.fields import tree_of
from parallel_pool.schema.result_tree import FieldColumn, HostColumn, Tree
from test_envs.checks import assert_works

WALKS = ("Walk", "WalkLanes", "WalkLate", "WalkExclusive", "WalkBatch")
"""Environments with the same dynamics and different ways to be stepped."""


def register_test_envs() -> _core.Plugin:
    """Makes every environment of the compiled test_envs.cpp known to `parallel_pool.make`."""
    plugin = _core.Plugin(os.environ["PP_TEST_ENVS"])
    for env_id in plugin.env_ids:
        parallel_pool.register(parallel_pool.EnvSpec(env_id), library=plugin.path)
    return plugin


def make(name: str = "Count", env_type: str = "gymnasium", **arguments: Any) -> Any:
    return parallel_pool.make(f"test/{name}-v0", env_type, **arguments)


@contextmanager
def begun(*pools: Any) -> Iterator[Any]:
    """The pool, or several, with all environments reset; they are closed afterwards."""
    with ExitStack() as stack:
        for pool in pools:
            stack.enter_context(pool).reset()
        yield pools if len(pools) > 1 else pools[0]


def register_python(env_id: str, made: Callable[..., Any], **members: Any) -> str:
    """The id, of environments that `made` makes of their options. members: others of the EnvSpec."""
    spec = parallel_pool.EnvSpec(env_id, backend="python", **members)
    parallel_pool.register(spec, factory=lambda _, options: partial(made, **options))
    return env_id


def native_config(**members: Any) -> _core.PoolConfig:
    """What a native pool is to be: `members`, and no time limit unless they have one."""
    config = _core.PoolConfig()
    for name, value in {"max_episode_steps": 0, **members}.items():
        setattr(config, name, value)
    return config


def native(
    name: str,
    *,
    num_envs: int,
    batch_size: int = 0,
    num_threads: int = 1,
    options: Sequence[dict[str, Any]] = ({},),
    seeds: Sequence[int] | None = None,
    autoreset: str = "NextStep",
    max_episode_steps: int = 0,
    tree: Tree | None = None,
    handles: bool = False,
) -> Any:
    """The native pool itself, with results as the tree says.

    Without: (obs, reward, terminated, truncated, env_id, elapsed_step).
    """
    plugin = _core.Plugin(os.environ["PP_TEST_ENVS"])
    env_id = f"test/{name}-v0"
    fields = plugin.describe(env_id, options[0])["fields"]
    if tree is None:
        tree = (
            tree_of(fields, "obs", lambda number, _: FieldColumn(number)),
            tree_of(fields, "reward", lambda number, _: FieldColumn(number)),
            HostColumn("terminated"),
            HostColumn("truncated"),
            HostColumn("env_id"),
            HostColumn("elapsed_step"),
        )
    return _core.Pool(
        plugin=plugin,
        env_id=env_id,
        options=options,
        config=native_config(
            num_envs=num_envs,
            batch_size=batch_size,
            num_threads=num_threads,
            max_episode_steps=max_episode_steps,
            autoreset_mode=autoreset,
            seeds=range(num_envs) if seeds is None else seeds,
        ),
        step_tree=tree,
        reset_tree=tree,
        action_tree=tree_of(fields, "action", lambda number, _: number),
        handles=handles,
    )


def use_in_worker(library: str) -> int:
    """Makes and uses a pool in a worker process, however that was started."""
    os.environ["PP_TEST_ENVS"] = library
    register_test_envs()
    for isolation in (None, "process"):
        with make(num_envs=4, num_threads=2, isolation=isolation) as pool:
            assert_works(pool)
    return os.getpid()
