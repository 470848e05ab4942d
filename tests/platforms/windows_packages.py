"""The packages of this repository, built for Windows and installed as their wheels would be."""

import os
import shutil
import sys
import tomllib
from pathlib import Path

import pybind11
from platforms import ROOT, WINDOWS, python_with_pip, run
from windows_python import EXTENSION, WindowsPython

PLUGINS = ROOT / "plugins"
ZLIB = ("-DCMAKE_FIND_ROOT_PATH=/usr/x86_64-w64-mingw32", "-DZLIB_USE_STATIC_LIBS=ON")
"""Where ALE's build finds it, and as what."""


def install_core(python: WindowsPython) -> None:
    """parallel_pool, not optimised: that changes no result, and costs most of the time. With `play_beside`."""
    module = [
        f"-Dpybind11_DIR={pybind11.get_cmake_dir()}",
        f"-DPython_EXECUTABLE={sys.executable}",
        f"-DPython_INCLUDE_DIR={python.include}",
        f"-DPython_LIBRARY={python.library}",
        f"-DPYTHON_MODULE_EXTENSION={EXTENSION}",
    ]
    # A few sources at a time take half as long as each alone; of more, an object would have too many sections.
    fast = ["-DCMAKE_BUILD_TYPE=", "-DCMAKE_CXX_FLAGS=-O0 -Wa,-mbig-obj", "-DPP_WERROR=ON"]
    fast += ["-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=3"]
    _install(python, ROOT / "core", "parallel_pool", *module, *fast)
    shutil.copytree(PLUGINS / "parallel_pool_author/python", python.site, dirs_exist_ok=True)


def install_plugin(python: WindowsPython, family: str) -> None:
    """One of the plugins, after the core and the libraries of its build."""
    options = ["-DCMAKE_BUILD_TYPE=Release"]
    if family in ("atari", "box2d"):  # whose builds fetch a source with pip
        options.append(f"-DPython_EXECUTABLE={python_with_pip(python.folder)}")
    if family == "atari":
        options += ZLIB
    name = f"parallel_pool_{family}"
    found = python.site.glob("parallel_pool*/share/cmake/*")
    _install(
        python, PLUGINS / name, name, *(f"-D{each.name}_DIR={each}" for each in found), *options
    )


def _install(python: WindowsPython, source: Path, package: str, *options: str) -> None:
    build = python.folder / "build" / package
    math = f"-DCMAKE_CXX_STANDARD_LIBRARIES={python.system_math()}"
    without = "-DCMAKE_INTERPROCEDURAL_OPTIMIZATION=OFF"
    common = [*WINDOWS.configuration(), "-G", "Ninja", math, without]
    run(["cmake", "-S", source, "-B", build, *common, *options])
    # For ccache, the folder's name does not matter.
    run(["cmake", "--build", build], env={**os.environ, "CCACHE_BASEDIR": str(python.folder)})
    run(["cmake", "--install", build, "--prefix", python.site / package])
    shutil.copytree(source / "python" / package, python.site / package, dirs_exist_ok=True)
    _describe(python.site, source)


def _describe(site: Path, source: Path) -> None:
    """The metadata of a wheel, by which plugins are found."""
    project = tomllib.loads((source / "pyproject.toml").read_text())["project"]
    name, version = project["name"], project["version"]
    folder = site / f"{name.replace('-', '_')}-{version}.dist-info"
    folder.mkdir()
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    (folder / "METADATA").write_text(metadata)
    lines = []
    for group, entries in project.get("entry-points", {}).items():
        lines += [f"[{group}]", *(f"{key} = {value}" for key, value in entries.items())]
    (folder / "entry_points.txt").write_text("\n".join(lines))
