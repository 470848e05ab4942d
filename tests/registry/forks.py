"""Runs programs, each in a fork of this process, which has imported the core and no plugin: see forked.py.

A request has "program", and "path", which is in front of Python's own.
"""

import sys
from pathlib import Path
from typing import Any

from parallel_pool import cli  # noqa: F401
from parallel_pool.registry import hooks  # noqa: F401

sys.path[0] = str(Path(__file__).parents[1])
from test_envs.forked import serve  # noqa: E402

sys.path[:2] = []  # of test_envs, and of the core


def run(request: dict[str, Any]) -> None:
    sys.path[:0] = request["path"]
    exec(request["program"], {"__name__": "__main__"})


serve(run)
