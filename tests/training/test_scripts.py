"""The scripts of examples/training run as a person would run them, and leave what they promise."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "examples" / "training"

pytestmark = pytest.mark.training


def run(out: Path, script: str, *arguments: str) -> str:
    """What a script says, which writes to `out`."""
    command = [sys.executable, SCRIPTS / script, *arguments, "--out", out]
    # One thread for numbers: more would only wait for each other on a machine that has other work.
    env = os.environ | {"OMP_NUM_THREADS": "1", "MUJOCO_GL": os.environ.get("MUJOCO_GL", "egl")}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    assert (out / "curve.png").read_bytes().startswith(b"\x89PNG")
    return done.stdout


def likeliest(output: str) -> float:
    """The mean return that a script tells at its end."""
    found = re.search(r"episodes: (-?[\d.]+)", output)
    assert found, output
    return float(found[1])


def test_ppo_solves_cartpole_within_60k_steps(tmp_path: Path) -> None:
    assert likeliest(run(tmp_path, "ppo_discrete.py", "cartpole")) >= 475
    assert (tmp_path / "seed1.mp4").stat().st_size > 1000


def test_a_run_goes_on_and_seeds_share_a_picture(tmp_path: Path) -> None:
    short = ("ppo_discrete.py", "cartpole", "--film-frames", "0", "--total-steps")
    run(tmp_path, *short, "2048")
    run(tmp_path, *short, "4096", "--resume")
    run(tmp_path, *short, "1024", "--seed", "2")
    steps = [
        re.findall(r'"steps": (\d+)', (tmp_path / f"seed{i}.jsonl").read_text()) for i in (1, 2)
    ]
    assert [int(x[-1]) for x in steps] == [4096, 1024]
    assert sorted(map(int, steps[0])) == [int(x) for x in steps[0]]


@pytest.mark.parametrize(
    ("script", "arguments"),
    [
        ("ppo_discrete.py", ("pong", "--total-steps", "2048", "--num-envs", "8")),
        ("ppo_continuous.py", ("halfcheetah", "--total-steps", "4096")),
        ("ppo_continuous.py", ("ant", "--total-steps", "4096")),
    ],
)
def test_a_short_run_leaves_a_picture_and_a_film(
    tmp_path: Path, script: str, arguments: tuple[str, ...]
) -> None:
    run(tmp_path, script, *arguments, "--film-frames", "20")
    assert (tmp_path / "seed1.mp4").stat().st_size > 1000
