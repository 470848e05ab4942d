"""Pools of environments that misbehave by order (faulty.cpp)."""

import functools
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import parallel_pool
from parallel_pool import _core
from test_envs.pools import register_all

(FINE, THROWS, ENDS, NAN_OBSERVATION, NAN_REWARD, SLOW, HANGS, HANGS_IN_RESET, SPINS) = range(9)


@functools.cache
def _plugin() -> _core.Plugin:
    return register_all(os.environ["PP_FAULTY"])


def faulty(name: str = "Scripted", env_type: str = "gymnasium", **arguments: Any) -> Any:
    """`parallel_pool.make` of an environment of faulty.cpp; actions are the constants above."""
    _plugin()
    return parallel_pool.make(f"faulty/{name}-v0", env_type, **arguments)


def soon(work: Callable[[], object], seconds: float = 0.3) -> None:
    """Does something in another thread while this one does something else."""
    threading.Timer(seconds, work).start()


def touch(path: str) -> None:
    Path(path).touch()
