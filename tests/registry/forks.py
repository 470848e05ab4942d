"""Runs programs, each in a fork of this process, which has imported the core and no plugin.

A line of standard input is a request: {"program", "path", "environment", "folder"}; `path` is in front of
Python's own. What the program says goes to folder/output and folder/errors. The answer, on standard output,
is its status.
"""

import json
import os
import sys
from pathlib import Path

from parallel_pool import cli  # noqa: F401
from parallel_pool.registry import hooks  # noqa: F401

sys.path[:2] = []  # of this file, and of the core
for line in sys.stdin:
    request = json.loads(line)
    if pid := os.fork():
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
        continue
    for number, name in enumerate((os.devnull, "output", "errors")):
        file = os.open(Path(request["folder"], name), os.O_RDWR | os.O_CREAT, 0o600)
        os.dup2(file, number)
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.path[:0] = request["path"]
    exec(request["program"], {"__name__": "__main__"})
    break
