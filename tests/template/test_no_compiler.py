"""A machine without a compiler, and one whose core is too old: what a build says there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from parallel_pool.scaffold import write_plugin

BUILD = "from scikit_build_core.build import build_wheel; import sys; build_wheel(sys.argv[1])"


def build(folder: Path, **environment: str) -> str:
    """What a build that has to fail says."""
    done = subprocess.run(
        [sys.executable, "-c", BUILD, str(folder / "dist")],
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
    )
    assert done.returncode != 0
    return done.stdout


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    return write_plugin({"family": "lander", "author": "Ada"}, tmp_path)


def test_without_a_compiler(plugin: Path, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("cmake", "ninja"):
        found = shutil.which(name)
        assert found
        (tools / name).symlink_to(found)
    said = build(plugin, PATH=str(tools), CXX="", CC="")
    assert "No CMAKE_CXX_COMPILER could be found." in said


def test_with_a_core_that_is_too_old(plugin: Path) -> None:
    lists = plugin / "CMakeLists.txt"
    lists.write_text(lists.read_text().replace("ParallelPool 0.1", "ParallelPool 0.99"))
    said = build(plugin)
    assert "requested version" in said
    assert "0.99" in said
