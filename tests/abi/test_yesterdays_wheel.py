"""A wheel built with the core of an earlier release (or commit) is installed beside today's core, and works."""

import zipfile
from pathlib import Path

import pytest
from test_envs.programs import ran

TOOL = Path(__file__).parents[2] / "tools" / "old_plugin.py"


@pytest.mark.slow  # needs the history of the repository, which a shallow clone does not have
def test_yesterdays_wheel_conforms_today(tmp_path: Path) -> None:
    built = ran(TOOL, tmp_path, seconds=1200)
    assert built.returncode == 0, built.stderr
    wheel = Path(built.stdout.split()[-1])
    assert "-py3-none-" in wheel.name
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    check = ("-m", "parallel_pool.cli", "check", "yesterday")
    done = ran(*check, seconds=280, PYTHONPATH=str(tmp_path / "site"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 failed" in done.stdout
