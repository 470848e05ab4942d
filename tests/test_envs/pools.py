"""Pools of the environments of test_envs.cpp."""

import os
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import parallel_pool
import pytest
from parallel_pool import _core
from parallel_pool.schema.fields import tree_of
from parallel_pool.schema.result_tree import FieldColumn, HostColumn, Tree
from test_envs.checks import assert_works

WALKS = ("Walk", "WalkLanes", "WalkLate", "WalkExclusive", "WalkBatch")
"""Environments with the same dynamics and different ways to be stepped."""


def register_all(library: str | Path, drawn: Container[str] = ()) -> _core.Plugin:
    """A library, whose environments can be made from now on. drawn: names of those that draw."""
    plugin = _core.Plugin(str(library))
    for env_id in plugin.env_ids:
        name = env_id.partition("/")[2].removesuffix("-v0")
        modes = ("rgb_array",) if name in drawn else ()
        spec = parallel_pool.EnvSpec(env_id, render_modes=modes)
        parallel_pool.register(spec, library=library)
    return plugin


def register_test_envs() -> _core.Plugin:
    return register_all(os.environ["PP_TEST_ENVS"])


@pytest.fixture(autouse=True)
def use_test_envs(test_envs: None) -> None:
    """Every test below a conftest.py that imports this may use the environments of test_envs.cpp."""


def make(name: str = "Count", env_type: str = "gymnasium", **arguments: Any) -> Any:
    return parallel_pool.make(f"test/{name}-v0", env_type, **arguments)


@contextmanager
def begun(*pools: Any, **how: Any) -> Iterator[Any]:
    """The pool, or several, with all environments reset, so; they are closed afterwards."""
    with ExitStack() as stack:
        for pool in pools:
            stack.enter_context(pool).reset(**how)
        yield pools if len(pools) > 1 else pools[0]


def register_python(env_id: str, made: Callable[..., Any], **members: Any) -> str:
    """The id, of environments that `made` makes of their options. members: others of the EnvSpec."""
    spec = parallel_pool.EnvSpec(env_id, backend="python", **members)
    parallel_pool.register(spec, factory=lambda _, options: partial(made, **options))
    return env_id


def native_config(**members: Any) -> _core.PoolConfig:
    """What a native pool is to be: `members`, and no time limit unless they have one."""
    return _core.PoolConfig(**{"max_episode_steps": 0, **members})


def native(
    name: str,
    *,
    num_envs: int,
    options: Sequence[dict[str, Any]] = ({},),
    seeds: Sequence[int] | None = None,
    autoreset: str = "NextStep",
    tree: Tree | None = None,
    handles: bool = False,
    **members: Any,
) -> Any:
    """The native pool itself, with results as the tree says. members: more of its configuration.

    Without a tree: (obs, reward, terminated, truncated, env_id, elapsed_step).
    """
    plugin = _core.Plugin(os.environ["PP_TEST_ENVS"])
    env_id = f"test/{name}-v0"
    fields = plugin.describe(env_id, options[0])["fields"]
    if tree is None:
        tree = (
            tree_of(fields, "obs", lambda number, _: FieldColumn(number)),
            tree_of(fields, "reward", lambda number, _: FieldColumn(number)),
            *map(HostColumn, ("terminated", "truncated", "env_id", "elapsed_step")),
        )
    return _core.Pool(
        plugin=plugin,
        env_id=env_id,
        options=options,
        config=native_config(
            num_envs=num_envs,
            autoreset_mode=autoreset,
            seeds=range(num_envs) if seeds is None else seeds,
            **{"batch_size": 0, "num_threads": 1, **members},
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
