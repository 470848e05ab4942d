"""The packages of this repository, built for Windows and installed as their wheels would be."""

import os
import shutil
import sys
import tomllib
from pathlib import Path

import pybind11
from platforms import ROOT, WINDOWS, run
from windows_python import EXTENSION, WindowsPython

PLUGINS = ROOT / "plugins"


def install_core(python: WindowsPython) -> None:
    """parallel_pool, not optimised: that changes no result, and costs most of the time."""
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


def install_plugin(python: WindowsPython, family: str) -> None:
    """One of the plugins, after the core and the libraries of its build."""
    name = f"parallel_pool_{family}"
    found = python.site.glob("parallel_pool*/share/cmake/*")
    _install(
        python,
        PLUGINS / name,
        name,
        *(f"-D{each.name}_DIR={each}" for each in found),
        "-DCMAKE_BUILD_TYPE=Release",
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
