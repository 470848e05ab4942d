"""Pools of environments that misbehave by order (faulty.cpp), for tests in processes of their own."""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import parallel_pool
from parallel_pool import _core
from parallel_pool.schema.fields import tree_of
from parallel_pool.schema.result_tree import FieldColumn, HostColumn
from test_envs.pools import native_config

(
    FINE,
    THROWS,
    ENDS,
    NAN_OBSERVATION,
    NAN_REWARD,
    INFINITE_REWARD,
    SLOW,
    HANGS,
    HANGS_IN_RESET,
    ABORTS,
    SEGFAULTS,
    SPINS,
) = range(12)


@functools.cache
def _plugin() -> _core.Plugin:
    plugin = _core.Plugin(os.environ["PP_FAULTY"])
    for env_id in plugin.env_ids:
        parallel_pool.register(parallel_pool.EnvSpec(env_id), library=plugin.path)
    return plugin


def faulty(name: str = "Scripted", env_type: str = "gymnasium", **arguments: Any) -> Any:
    """`parallel_pool.make` of an environment of faulty.cpp; actions are the constants above."""
    _plugin()
    return parallel_pool.make(f"faulty/{name}-v0", env_type, **arguments)


def scripted(scripts: Sequence[str], *, num_threads: int = 1, step_timeout: float = 0.0) -> Any:
    """A native pool with a script for each environment: (obs, reward, terminated, truncated, env_id)."""
    fields = _plugin().describe("faulty/Scripted-v0", {})["fields"]
    tree = (
        tree_of(fields, "obs", lambda number, _: FieldColumn(number)),
        tree_of(fields, "reward", lambda number, _: FieldColumn(number)),
        HostColumn("terminated"),
        HostColumn("truncated"),
        HostColumn("env_id"),
    )
    return _core.Pool(
        plugin=_plugin(),
        env_id="faulty/Scripted-v0",
        options=[{"script": script} for script in scripts],
        config=native_config(
            num_envs=len(scripts),
            num_threads=num_threads,
            seeds=range(len(scripts)),
            step_timeout=step_timeout,
        ),
        step_tree=tree,
        reset_tree=tree,
        action_tree=tree_of(fields, "action", lambda number, _: number),
    )


def soon(work: Callable[[], object], seconds: float = 0.3) -> None:
    """Does something in another thread while this one does something else."""
    threading.Timer(seconds, work).start()


def touch(path: str) -> None:
    Path(path).touch()
