"""A wheel built with the core of an earlier release (or commit) is installed beside today's core, and works."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "old_plugin.py"


@pytest.mark.slow  # needs the history of the repository, which a shallow clone does not have
def test_yesterdays_wheel_conforms_today(tmp_path: Path) -> None:
    built = subprocess.run(
        [sys.executable, str(TOOL), str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stderr
    wheel = Path(built.stdout.split()[-1])
    assert "-py3-none-" in wheel.name
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    done = subprocess.run(
        [sys.executable, "-m", "parallel_pool.cli", "check", "yesterday"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=280,
    )
    assert done.returncode == 0, done.stdout
    assert " 0 failed" in done.stdout
