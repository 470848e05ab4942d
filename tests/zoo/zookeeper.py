"""What the tests share: compiling small plugins, making pools of the zoo, and what to expect of them."""

from __future__ import annotations

import os
import subprocess
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool import _core
from parallel_pool.schema.fields import tree_of

SOURCES = Path(__file__).parent
WALKS = ("Walk", "WalkLanes", "WalkLate", "WalkExclusive", "WalkBatch")
"""Environments with the same dynamics and different ways to be stepped."""


def compile_plugin(
    source: Path, output: Path, *defines: str, include: str | None = None, flags: Sequence[str] = ()
) -> Path:
    """A shared library from one C or C++ file, with all warnings as errors."""
    if source.suffix == ".c":
        command = [os.environ.get("CC", "cc"), "-std=c99", "-pedantic"]
    else:
        command = [os.environ.get("CXX", "c++"), "-std=c++17"]
    command += ["-O1", "-fPIC", "-shared", "-fvisibility=hidden", "-Wall", "-Wextra", "-Werror"]
    command += [f"-I{include or parallel_pool.get_include()}", *(f"-D{each}" for each in defines)]
    done = subprocess.run(
        [*command, *flags, str(source), "-o", str(output)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return output


def register_zoo() -> _core.Plugin:
    """Makes every environment of the compiled zoo known to `parallel_pool.make`."""
    plugin = _core.Plugin(os.environ["PP_ZOO"])
    for env_id in plugin.env_ids:
        parallel_pool.register(parallel_pool.EnvSpec(env_id), library=plugin.path)
    return plugin


def make(name: str = "Count", env_type: str = "gymnasium", **arguments: Any) -> Any:
    """`parallel_pool.make` of an environment of the zoo."""
    return parallel_pool.make(f"zoo/{name}-v0", env_type, **arguments)


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
) -> Any:
    """The native pool itself: (obs, reward, terminated, truncated, env_id, elapsed_step)."""
    plugin = _core.Plugin(os.environ["PP_ZOO"])
    env_id = f"zoo/{name}-v0"
    fields = plugin.describe(env_id, options[0])["fields"]
    plan = (
        tree_of(fields, "obs", lambda number, _: f"field:{number}"),
        tree_of(fields, "reward", lambda number, _: f"field:{number}"),
        "terminated",
        "truncated",
        "env_id",
        "elapsed_step",
    )
    return _core.Pool(
        plugin=plugin,
        env_id=env_id,
        options=options,
        num_envs=num_envs,
        batch_size=batch_size,
        num_threads=num_threads,
        thread_affinity_offset=-1,
        max_episode_steps=max_episode_steps,
        autoreset=autoreset,
        statistics=False,
        seeds=list(range(num_envs)) if seeds is None else list(seeds),
        reward32=False,
        dm_columns=False,
        step_plan=plan,
        reset_plan=plan,
        action_tree=tree_of(fields, "action", lambda number, _: number),
    )


def leaves(tree: Any) -> list[Any]:
    """The arrays of a nested result."""
    if isinstance(tree, dict):
        return [leaf for child in tree.values() for leaf in leaves(child)]
    if isinstance(tree, (list, tuple)):
        return [leaf for child in tree for leaf in leaves(child)]
    return [tree]


@contextmanager
def refused(kind: type[BaseException], *parts: str) -> Iterator[None]:
    """Expects exactly this kind of exception, with all `parts` in its message."""
    with pytest.raises(kind) as caught:
        yield
    missing = [part for part in parts if part not in str(caught.value)]
    assert not missing, f"{missing} not in: {caught.value}"


def assert_works(pool: Any, action: int = 0) -> None:
    """A pool with integer actions that has no work in flight resets and steps as if nothing was."""
    n = len(pool)
    _, info = pool.reset()
    assert info["env_id"].tolist() == list(range(n))
    _, _, _, _, info = pool.step(np.full(n, action))
    assert info["elapsed_step"].tolist() == [1] * n


def in_threads(*work: Callable[[], None]) -> None:
    """Runs them together, beginning at one moment, and raises what they raised."""
    errors: list[BaseException] = []
    gate = threading.Barrier(len(work))

    def run(each: Callable[[], None]) -> None:
        gate.wait()
        try:
            each()
        except BaseException as error:
            traceback.print_exc()
            errors.append(error)

    threads = [threading.Thread(target=run, args=(each,)) for each in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def use_in_worker(library: str) -> int:
    """Makes and uses a pool in a worker process, however that was started."""
    os.environ["PP_ZOO"] = library
    register_zoo()
    with make(num_envs=4, num_threads=2) as pool:
        assert_works(pool)
    return os.getpid()
