"""A machine without a compiler, and one whose core is too old: what a build says there."""

import shutil
import subprocess
from pathlib import Path

import parallel_pool
import pytest
from parallel_pool_author.cli.scaffold import write_plugin
from test_envs.compiling import BUILD_WHEEL
from test_envs.programs import ran


def build(folder: Path, **environment: str) -> str:
    wheel = ("-c", BUILD_WHEEL, folder / "dist")
    done = ran(*wheel, folder=folder, seconds=120, complaints=True, **environment)
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
    assert "No C++20 compiler? apt-get install g++" in said


def test_with_a_core_that_is_too_old(plugin: Path) -> None:
    lists = plugin / "CMakeLists.txt"
    lists.write_text(lists.read_text().replace("ParallelPool 0.1", "ParallelPool 0.99"))
    said = build(plugin)
    assert "needs parallel-pool 0.99 or newer" in said
    assert "pip install -U parallel-pool" in said


def test_a_core_that_is_much_newer(tmp_path: Path) -> None:
    """There is no upper bound: what asks for 0.1 builds with 7.1 as well."""
    (found,) = Path(parallel_pool.get_cmake_dir()).rglob("ParallelPoolConfigVersion.cmake")
    checked = tmp_path / "checked.cmake"
    checked.write_text(
        found.read_text().replace(f'"{parallel_pool.__version__}"', '"7.1.0"')
        + 'if(NOT PACKAGE_VERSION_COMPATIBLE)\n  message(FATAL_ERROR "refused")\nendif()\n'
    )
    for asked, code in (("0.1", 0), ("0.1.0", 0), ("7.1.0", 0), ("7.2", 1)):
        command = ["cmake", f"-DPACKAGE_FIND_VERSION={asked}", "-P", str(checked)]
        assert subprocess.run(command, check=False, timeout=60).returncode == code, asked
