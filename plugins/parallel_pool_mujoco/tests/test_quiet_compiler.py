"""What the compiler of models warns of is in a log, and nowhere else."""

from pathlib import Path

from test_envs.programs import python

CODE = """
import logging, parallel_pool, sys
if sys.argv[1:]:
    logging.basicConfig(level=logging.INFO, stream=sys.stdout)
parallel_pool.make_spec("HalfCheetah-v5")
"""


def test_silence_and_log(tmp_path: Path) -> None:
    assert python("-c", CODE, folder=tmp_path, complaints=True) == ""
    logged = python("-c", CODE, "log", folder=tmp_path, complaints=True)
    assert not list(tmp_path.iterdir())
    assert not logged or logged.startswith("INFO:parallel_pool_mujoco:")


def test_warnings_of_pools_are_still_theirs(tmp_path: Path) -> None:
    code = """
import numpy as np, parallel_pool
first = parallel_pool.make("Hopper-v5", on_warning="error")
parallel_pool.make_spec("HalfCheetah-v5")
first.reset()
first.write_array("qvel", np.full((1, 6), np.nan))
try:
    first.step(np.zeros((1, 3), np.float32))
except parallel_pool.EnvError as error:
    print("QVEL" in str(error))
"""
    assert python("-c", code, folder=tmp_path, complaints=True) == "True\n"
    assert not list(tmp_path.iterdir())
