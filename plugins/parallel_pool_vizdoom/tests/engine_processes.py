"""Which engines run, and that they end with who started them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

_CHILD = """
import parallel_pool, sys, time
pool = parallel_pool.make(sys.argv[1], num_envs=2, screen_resolution="160x120")
pool.reset(seed=0)
print("ready", flush=True)
time.sleep(60)
"""


def engines(parent: int) -> list[int]:
    """Process ids of the engines of a process."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            name, _, rest = (folder / "stat").read_text().partition("(")[2].rpartition(")")
        except (OSError, ValueError):
            continue
        if name == "vizdoom" and int(rest.split()[1]) == parent and rest.split()[0] != "Z":
            found.append(int(folder.name))
    return sorted(found)


def playing(task_id: str) -> subprocess.Popen[bytes]:
    """A process with two such environments. It writes "ready" when they have begun."""
    return subprocess.Popen([sys.executable, "-c", _CHILD, task_id], stdout=subprocess.PIPE)


def killed_leaves_nothing(task_id: str, count: int) -> None:
    """A process with two such environments, which have so many engines, is killed: the engines end, and
    nothing of theirs is left in shared memory.
    """
    with playing(task_id) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        theirs = engines(child.pid)
        assert len(theirs) == count
        child.kill()
        child.wait()
        for _ in range(100):
            if not any(Path(f"/proc/{pid}").exists() for pid in theirs):
                break
            time.sleep(0.1)
        assert not any(Path(f"/proc/{pid}").exists() for pid in theirs)
        assert not [name for name in os.listdir("/dev/shm") if f"ParallelPool{child.pid}x" in name]
