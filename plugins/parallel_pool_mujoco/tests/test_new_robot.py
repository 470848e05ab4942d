"""`parallel-pool new quad --mujoco`, and what the page "Your MJCF" makes of it."""

import re
import zipfile
from pathlib import Path

import pytest
from parallel_pool.cli import main
from parallel_pool_mujoco.sdk import get_include
from test_envs.code_blocks import DOCS, blocks
from test_envs.compiling import BUILD_WHEEL, compile_plugin
from test_envs.once import once
from test_envs.opengl import BACKEND, needs_opengl
from test_envs.programs import python

PAGE = DOCS / "your-mjcf.md"


def beside(*command: str, folder: Path, site: Path | None = None) -> str:
    path = {"PYTHONPATH": str(site)} if site else {}
    return python(*command, folder=folder, seconds=280, MUJOCO_GL=BACKEND or "", **path)


@pytest.fixture(scope="module")
def built(shared_folder: Path) -> Path:
    """What `new` writes, in `project`, and its wheel unpacked, in `site`."""

    def build(folder: Path) -> None:
        folder.mkdir()
        assert main(["new", "quad", "--mujoco", "--folder", str(folder)]) == 0
        (folder / "parallel-pool-quad").rename(folder / "project")
        beside("-c", BUILD_WHEEL, str(folder), folder=folder / "project")
        (wheel,) = folder.glob("parallel_pool_quad-0.1.0-py3-none-*.whl")
        zipfile.ZipFile(wheel).extractall(folder / "site")

    return once(shared_folder / "quad", build)


@pytest.mark.parametrize(
    "parts",
    ["quad.py or plugin or spaces or seeding or state", pytest.param("", marks=pytest.mark.slow)],
    ids=["some", "all"],
)
def test_a_new_robot_passes_its_tests(built: Path, parts: str) -> None:
    """The conformance kit is among them; its long checks are slow."""
    printed = beside(
        *("-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", parts),
        folder=built / "project",
        site=built / "site",
    )
    assert " passed" in printed and "failed" not in printed


@needs_opengl
def test_a_new_robot_is_filmed(built: Path, tmp_path: Path) -> None:
    film = tmp_path / "quad.gif"
    beside(
        *("-m", "parallel_pool.cli", "watch", "quad/Quad-v0", "-o", str(film)),
        *("--num-envs", "2", "--steps", "4", "--width", "200"),
        folder=tmp_path,
        site=built / "site",
    )
    assert film.stat().st_size > 1000


@pytest.fixture(scope="module")
def page(built: Path, shared_folder: Path) -> Path:
    """The same with the page's source."""

    def build(folder: Path) -> None:
        zipfile.ZipFile(next(built.glob("*.whl"))).extractall(folder)
        (source,) = re.findall(r"```cpp\n(// src/quad\.cpp.*?)```", PAGE.read_text(), re.DOTALL)
        (folder / "quad.cpp").write_text(source)
        library = folder / "parallel_pool_quad" / "quad.so"
        library.with_name("quad.envs.json").unlink()  # that of the library which this one replaces
        version = 'PP_PLUGIN_VERSION="0.1.0"'
        compile_plugin(folder / "quad.cpp", library, version, flags=[f"-I{get_include()}"])

    return once(shared_folder / "quad_of_the_page", build)


def test_the_programs_of_the_page_run(page: Path, tmp_path: Path) -> None:
    beside("-c", "\n".join(blocks(PAGE)), folder=tmp_path, site=page)


@pytest.mark.slow
def test_the_robot_of_the_page_conforms(page: Path, tmp_path: Path) -> None:
    command = ("-m", "parallel_pool.cli", "check", "quad", "--steps", "60")
    assert "0 failed" in beside(*command, folder=tmp_path, site=page)
