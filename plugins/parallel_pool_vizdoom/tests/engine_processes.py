"""Which engines run, and that they end with the process that started them."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool_vizdoom._package import package_folder
from test_envs.threads import interrupted

_CHILD = """
import parallel_pool, sys, time
pool = parallel_pool.make(sys.argv[1], num_envs=2, screen_resolution="160x120")
pool.reset(seed=0)
print("ready", flush=True)
time.sleep(60)
"""

SOON = 20.0
"""engine_timeout of engines that hang, in seconds: others begin in it on a machine that is busy."""


def engines(parent: int | None) -> list[int]:
    found = []
    for folder in Path("/proc").iterdir():
        try:
            name, _, rest = (folder / "stat").read_text().partition("(")[2].rpartition(")")
        except (OSError, ValueError):
            continue
        if parent is not None and int(rest.split()[1]) != parent:
            continue
        if name == "vizdoom" and rest.split()[0] != "Z":
            found.append(int(folder.name))
    return sorted(found)


def stopped_is_heard(pool: Any, twin: Any, action: Any) -> None:
    """Ctrl-C in a step in which an engine hangs is heard, and the step is not lost."""
    others = set(engines(os.getpid()))
    pool.reset(seed=0)
    engine = min(set(engines(os.getpid())) - others)  # not by number alone: numbers begin anew
    twin.reset(seed=0)
    os.kill(engine, signal.SIGSTOP)
    try:
        assert interrupted(lambda: pool.step(action)) < 0.1
        with pytest.raises(parallel_pool.AlreadyPendingError):
            pool.step(action)
    finally:
        os.kill(engine, signal.SIGCONT)
    for result in (pool.recv(), pool.step(action)):
        np.testing.assert_equal(result[:4], twin.step(action)[:4])
        assert "error" not in result[-1]


def slow_to_begin(folder: Path, seconds: int, argument: str) -> str:
    """An engine that takes so long to begin, if it has that argument."""
    path = folder / "slow"
    path.write_text(
        f'#!/bin/sh\nfor each; do [ "$each" = {argument} ] && sleep {seconds}; done\n'
        f'exec {package_folder() / "vizdoom"} "$@"\n'
    )
    path.chmod(0o755)
    return str(path)


def playing(task_id: str) -> subprocess.Popen[bytes]:
    """A process with two such environments. It writes "ready" when they have begun."""
    return subprocess.Popen([sys.executable, "-c", _CHILD, task_id], stdout=subprocess.PIPE)
