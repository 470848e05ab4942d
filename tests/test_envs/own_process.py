"""Runs test functions, each in a process of its own.

A line of standard input is a request: {"file", "function", "parameters", "environment", "folder"}. Its
process is forked from this one, which has imported what all tests need, and has no thread and no pool:
importing it anew took longer than most of the tests. What it says goes to folder/output and folder/errors.
The answers, on standard output: the id of the process, then its exit status.
"""

import importlib.util
import json
import os
import sys
import warnings
from pathlib import Path
from typing import Any

sys.path[0] = str(Path(__file__).parents[1])  # test_envs


def run(request: dict[str, Any]) -> None:
    """The test; its process ends as every Python does."""
    os.environ.clear()
    os.environ.update(request["environment"])
    spec = importlib.util.spec_from_file_location("own_process", request["file"])
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["own_process"] = module
    spec.loader.exec_module(module)

    # As in pyproject.toml: tests have several pools, and the machine may be small, or busy.
    for harmless in (r"\d+ pools of this process have", r"plugin \w+ \(.*\) took \d"):
        warnings.filterwarnings("ignore", harmless)
    from test_envs.pools import register_test_envs

    register_test_envs()
    getattr(module, request["function"])(**request["parameters"])
    print("passed", flush=True)


def fork(folder: Path) -> int:
    """As os.fork(); the child has a session and files of its own."""
    pid = os.fork()
    if pid == 0:
        os.setsid()
        for number, name in ((0, os.devnull), (1, folder / "output"), (2, folder / "errors")):
            file = os.open(name, os.O_RDWR | os.O_CREAT, 0o600)
            os.dup2(file, number)
            os.close(file)
    return pid


def main() -> None:
    import gymnasium  # noqa: F401
    import parallel_pool.configure
    import parallel_pool.views.dm
    import parallel_pool.views.gym
    import parallel_pool.views.gymnasium  # what makes a pool is imported with the first one  # noqa: F401
    import pytest  # noqa: F401
    from test_envs import faulty_pools, pools  # noqa: F401

    for line in sys.stdin:
        request = json.loads(line)
        pid = fork(Path(request["folder"]))
        if pid == 0:
            run(request)
            return
        print(pid, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)


if __name__ == "__main__":
    main()
