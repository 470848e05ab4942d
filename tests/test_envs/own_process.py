"""Runs test functions, each in a process of its own: see forked.py.

A request has "file", "function" and "parameters". Its process is forked from this one, which has imported
what all tests need, and has no thread and no pool.
"""

import importlib.util
import sys
import warnings
from pathlib import Path
from typing import Any

sys.path[0] = str(Path(__file__).parents[1])  # test_envs


def run(request: dict[str, Any]) -> None:
    """The test; its process ends as every Python does."""
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


def main() -> None:
    import gymnasium  # noqa: F401
    import parallel_pool.configure
    import parallel_pool.views.dm
    import parallel_pool.views.gym
    import parallel_pool.views.gymnasium  # what makes a pool is imported with the first one  # noqa: F401
    import pytest  # noqa: F401
    from parallel_pool.registry import registry
    from test_envs import faulty_pools, pools  # noqa: F401
    from test_envs.forked import serve

    registry()
    serve(run)


if __name__ == "__main__":
    main()
