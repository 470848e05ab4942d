"""A process that ends while a daemon thread does something: ending.py BACKEND CALL WAY.

BACKEND: where environments are; CALL: what the thread is doing; WAY: how the process ends. STATUS says with
which status it must.
"""

import ctypes
import os
import signal
import sys
import threading
import time
from typing import Any

import numpy as np
import parallel_pool

BACKENDS: dict[str, dict[str, Any]] = {
    "native": {"task_id": "test/Walk-v0", "num_envs": 8, "num_threads": 2},
    "asynchronous": {"task_id": "test/Walk-v0", "num_envs": 8, "num_threads": 2, "batch_size": 4},
    "isolated": {"task_id": "test/Walk-v0", "num_envs": 8, "isolation": "process"},
    "python": {"task_id": "gym:CartPole-v1", "num_envs": 4, "num_threads": 1},
    "threads": {"task_id": "gym:CartPole-v1", "num_envs": 4, "isolation": "thread"},
}
CALLS = ("step", "recv", "states", "make")
STATUS = {
    "end": 0,
    "exit": 7,
    "raise": 1,
    "os_exit": 5,
    "handler": 9,
    "library": 0,
    "other_thread": 6,
}


def make(backend: str) -> Any:
    from test_envs.pools import register_test_envs

    register_test_envs()
    return parallel_pool.make(**BACKENDS[backend])


def work(backend: str, call: str, began: threading.Event) -> None:
    while call == "make":
        began.set()
        make(backend).close()
    envs = make(backend)
    rows = envs.config["batch_size"]
    envs.async_reset()
    for _ in range(len(envs) // rows):
        envs.recv()
    ids, actions = np.arange(rows), np.zeros(rows, int)
    began.set()
    while True:
        if call == "states":
            envs.set_state(None, envs.get_state())
        elif call == "step" and not envs.is_async:
            envs.step(actions)
        else:
            envs.send(actions, ids)
            ids = envs.recv()[4]["env_id"]


def end_here(status: int) -> None:
    """As a program may that has Python inside: not where Python's main thread is, which is not waited for."""
    time.sleep(0.05)
    getattr(threading, "_shutdown_locks", set()).clear()
    ctypes.pythonapi.Py_Exit(status)


def main(backend: str, call: str, way: str) -> None:
    began = threading.Event()
    threading.Thread(target=work, args=(backend, call, began), daemon=True).start()
    began.wait()
    time.sleep(0.01 + 0.02 * np.random.default_rng().random())
    if way == "exit":
        sys.exit(STATUS[way])
    if way == "raise":
        raise RuntimeError("the main thread's own")
    if way == "os_exit":
        os._exit(STATUS[way])
    if way == "handler":
        signal.signal(signal.SIGUSR1, lambda *_: sys.exit(STATUS[way]))
        envs = make(backend)
        threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGUSR1)).start()
        while True:
            envs.reset() if not envs.is_async else time.sleep(0.01)
    if way == "other_thread":  # ends the interpreter while the main one is at work
        threading.Thread(target=end_here, args=(STATUS[way],), daemon=True).start()
        work(backend, call, began)
    if way == "library":  # a pool that is not closed, and which another thread still steps
        make(backend).async_reset()


if __name__ == "__main__":
    main(*sys.argv[1:])
