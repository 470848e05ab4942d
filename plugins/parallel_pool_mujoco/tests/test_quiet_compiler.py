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
