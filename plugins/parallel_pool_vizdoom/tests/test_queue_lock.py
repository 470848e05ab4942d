"""Engines that stop, or die, within the few instructions in which they hold the lock of a queue.

Where a signal meets them is chance, so the lock is taken here instead: it lies in memory of ours.
"""

import ctypes
import os
import signal
from pathlib import Path
from typing import Any

import numpy as np
import parallel_pool
import pytest
from engine_processes import SOON, engines

LIBC = ctypes.CDLL(None)
LOCK_OFFSET = 48  # in the queue, engine/queue_layout.hpp


def make(**options: Any) -> Any:
    return parallel_pool.make(
        "vizdoom/Basic-v1", num_envs=1, screen_resolution="160x120", frame_skip=4, **options
    )


def queue_lock(name: str) -> ctypes.c_void_p:
    lines = Path("/proc/self/maps").read_text().splitlines()
    (queue,) = [line for line in lines if f"ViZDoomMQ{name}" in line]
    return ctypes.c_void_p(int(queue.split("-")[0], 16) + LOCK_OFFSET)


def test_stopped_with_the_lock() -> None:
    with make(engine_timeout=SOON) as pool:
        pool.reset(seed=0)
        lock = queue_lock("Doom")
        assert LIBC.pthread_mutex_lock(lock) == 0
        *_, info = pool.step(np.zeros((1, 3)))
        assert LIBC.pthread_mutex_unlock(lock) == 0
        assert "the engine has not answered for 20" in info["error"][0]


@pytest.mark.parametrize("queue", ["Doom", "Ctr"])
def test_died_with_the_lock(queue: str) -> None:
    """Seen at once. A child of ours holds the lock in the engine's place."""
    with make(engine_timeout=600.0) as pool:
        pool.reset(seed=0)
        (engine,) = engines(os.getpid())
        os.kill(engine, signal.SIGKILL)
        child = os.fork()
        if child == 0:
            os._exit(LIBC.pthread_mutex_lock(queue_lock(queue)))
        assert os.waitpid(child, 0)[1] == 0
        *_, info = pool.step(np.zeros((1, 3)))
        assert "signal 9" in info["error"][0]
