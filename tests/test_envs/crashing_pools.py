"""What the tests of process isolation share."""

import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import parallel_pool
from test_envs.faulty_pools import faulty

FINE, SEGFAULT, ABORT, KILL, HANG, THROW, LEAVE = range(7)
TASK = "faulty/Crash-v0"


def make(**arguments: Any) -> Any:
    return faulty("Crash", **{"isolation": "process", "seed": 7, **arguments})


@contextmanager
def crash_expected(*parts: str) -> Iterator[None]:
    """Exactly one warning of a worker that died, with all `parts` in it."""
    with warnings.catch_warnings(record=True, action="always") as caught:
        yield
    texts = [str(each.message) for each in caught]
    assert [each.category for each in caught] == [parallel_pool.WorkerCrashWarning], texts
    missing = [part for part in parts if part not in texts[0]]
    assert not missing, f"{missing} not in: {texts[0]}"


def gone(pid: int, seconds: float = 20) -> bool:
    """Whether the process ends within so long; a zombie has not."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if not Path(f"/proc/{pid}").exists():
            return True
        time.sleep(0.02)
    return False
