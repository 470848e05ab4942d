"""What tests expect of results, refusals and pools."""

import ctypes
import gc
import os
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest


def leaves(tree: Any) -> list[Any]:
    if isinstance(tree, dict):
        return [leaf for child in tree.values() for leaf in leaves(child)]
    if isinstance(tree, (list, tuple)):
        return [leaf for child in tree for leaf in leaves(child)]
    return [tree]


@contextmanager
def refused(
    kind: type[BaseException] | tuple[type[BaseException], ...], *parts: str
) -> Iterator[None]:
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


def recv_all(pool: Any) -> list[Any]:
    """The results of all environments, in however many batches."""
    return [pool.recv() for _ in range(len(pool) // pool.config["batch_size"])]


def reset_all(pool: Any) -> Any:
    """The pool, with every environment reset and received."""
    pool.async_reset()
    recv_all(pool)
    return pool


def resident_bytes() -> int:
    """Memory of this process that is in RAM, without what Python's own caches still hold."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def in_child(test: Callable[[], None]) -> None:
    pid = os.fork()
    if pid == 0:
        try:
            test()
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
