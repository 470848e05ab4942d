"""The scripts of examples/distributed learn CartPole."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "examples" / "distributed"

pytestmark = pytest.mark.training


def run(*command: str | Path) -> float:
    """The mean return that a script tells at its end."""
    env = os.environ | {"OMP_NUM_THREADS": "1", "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0"}
    done = subprocess.run(
        [sys.executable, *command], env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = re.search(r"episodes: (-?[\d.]+)", done.stdout)
    assert found, done.stdout
    return float(found[1])


def test_one_process() -> None:
    assert run(SCRIPTS / "one_process.py") >= 475


def test_two_ranks_of_torchrun() -> None:
    script = SCRIPTS / "torchrun_ppo.py"
    module = ("-m", "torch.distributed.run", "--nproc-per-node", "2", "--master-port", "29511")
    assert run(*module, script) >= 475


@pytest.mark.skipif(find_spec("ray") is None, reason="needs ray: the group libraries")
def test_four_actors_of_ray() -> None:
    assert run(SCRIPTS / "ray_ppo.py") >= 475


@pytest.mark.skipif(find_spec("ray") is None, reason="needs ray: the group libraries")
def test_pong_of_two_actors_runs_for_a_moment(tmp_path: Path) -> None:
    short = ("--total-steps", "2048", "--num-envs", "8", "--film-frames", "0", "--out", tmp_path)
    assert -21 <= run(SCRIPTS / "ray_pong.py", *short) <= 21
    assert (tmp_path / "seed1.pt").stat().st_size > 1000


@pytest.mark.skipif(find_spec("ray") is None, reason="needs ray: the group libraries")
def test_runners_of_rllib() -> None:
    assert run(SCRIPTS / "rllib_ppo.py") >= 150
