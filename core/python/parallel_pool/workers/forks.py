"""Ends children that environments fork, where they would go on as the worker that they are copies of."""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from collections.abc import Iterator

from parallel_pool.per_process import in_forked_children

count = 0
"""How many forks lie between this process and the program: code that sees it change runs in a child."""


def _in_child() -> None:
    global count
    count += 1


in_forked_children(_in_child)


@contextlib.contextmanager
def children_end() -> Iterator[None]:
    """Children that are forked inside end where they would leave it."""
    before = count
    try:
        yield
    finally:
        if count != before:
            end_child()


def end_child() -> None:
    """Ends this process as if it were a program that ends here, in a `finally`. Does not return."""
    error = sys.exc_info()[1]
    status = 0
    if isinstance(error, SystemExit):
        status = error.code if isinstance(error.code, int) else int(error.code is not None)
    elif error is not None:
        traceback.print_exc()
        status = 1
    end_process(status)


def end_process(status: int) -> None:
    """Ends this process without what Python and static destructors do at the end. Does not return."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            with contextlib.suppress(OSError, ValueError):  # closed, full, or not read
                stream.flush()
    os._exit(status)
