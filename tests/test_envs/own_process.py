"""Runs one test function in this process of its own: own_process.py FILE FUNCTION PARAMETERS(json)."""

import importlib.util
import json
import signal
import sys
import warnings
from pathlib import Path

sys.path[0] = str(Path(__file__).parents[1])  # test_envs

if __name__ == "__main__":
    file, function, parameters = sys.argv[1:]
    # A shell's background jobs, and what they start, ignore SIGINT.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    spec = importlib.util.spec_from_file_location("own_process", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["own_process"] = module
    spec.loader.exec_module(module)

    # As in pyproject.toml: tests have several pools, and the machine may be small.
    warnings.filterwarnings("ignore", r"\d+ pools of this process have")
    from test_envs import pools

    pools.register_test_envs()
    getattr(module, function)(**json.loads(parameters))
    print("passed", flush=True)
