"""Everything that wheels for macOS have, compiled and linked for it by Zig's Clang; nothing here runs it."""

import importlib.util
import shutil
import struct
import sys
import sysconfig
from pathlib import Path

import pybind11
import pytest
from platforms import ROOT, MissingTool, python_with_pip, run
from windows_packages import PLUGINS

sys.path.append(str(ROOT / "tools"))
from families import families

pytestmark = [pytest.mark.emulated, pytest.mark.timeout(1200)]

TOOLS = {"c++": "-target aarch64-macos", "ar": "", "ranlib": ""}
"""Zig's, with options."""
ZLIB = """\
--- !tapi-tbd
tbd-version: 4
targets: [ arm64-macos ]
install-name: '/usr/lib/libz.1.dylib'
exports:
  - targets: [ arm64-macos ]
    symbols: [ _compress, _crc32, _gzclose, _gzopen, _gzread ]
...
"""
"""What a linker has to know of the library that is on every Mac."""
MACH_O_OF_64_BITS = 0xFEEDFACF
ARM64 = 0x0100000C
HEADERS = [Path("/usr/include"), *Path("/usr/include").glob("*-linux-gnu")]


@pytest.fixture(scope="module")
def common(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    if importlib.util.find_spec("ziglang") is None:
        raise MissingTool(
            "ziglang is not here. Run with it: uv run --with ziglang python -m pytest"
        )
    folder = tmp_path_factory.mktemp("zig")
    for name, target in TOOLS.items():
        tool = folder / name
        tool.write_text(f'#!/bin/sh\nexec {sys.executable} -m ziglang {name} {target} "$@"\n')
        tool.chmod(0o755)
    return [
        *("-G", "Ninja", f"-DCMAKE_CXX_COMPILER={folder}/c++"),
        *(f"-DCMAKE_AR={folder}/ar", f"-DCMAKE_RANLIB={folder}/ranlib"),
        *("-DCMAKE_SYSTEM_NAME=Darwin", "-DCMAKE_SYSTEM_PROCESSOR=arm64"),
        # Zig takes a bundle for a program; this machine's strip does not know what it makes.
        *("-DCMAKE_MODULE_LINKER_FLAGS=-dynamiclib", "-DCMAKE_STRIP="),
        *(
            "-DCMAKE_BUILD_TYPE=",
            "-DCMAKE_CXX_FLAGS=-O0",
            "-DCMAKE_INTERPROCEDURAL_OPTIMIZATION=OFF",
        ),
    ]


@pytest.fixture(scope="module")
def core(common: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("core")
    options = [
        *("-DPP_WERROR=ON", "-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=30"),
        *(f"-Dpybind11_DIR={pybind11.get_cmake_dir()}", f"-DPython_EXECUTABLE={sys.executable}"),
        f"-DPython_INCLUDE_DIR={sysconfig.get_path('include')}",
        f"-DPYTHON_MODULE_EXTENSION=.cpython-{sys.version_info[0]}{sys.version_info[1]}-darwin.so",
    ]
    return build(ROOT / "core", folder, *common, *options)


def build(source: Path, folder: Path, *options: str) -> Path:
    installed = folder / "installed"
    run(["cmake", "-S", source, "-B", folder / "build", *options])
    run(["cmake", "--build", folder / "build"])
    run(["cmake", "--install", folder / "build", "--prefix", installed])
    return installed


def headers(source: Path, folder: Path, *options: str) -> Path:
    """Where the CMake package of a plugin is that is a library for others."""
    run(["cmake", "-S", source, "-B", folder, *options])
    run(["cmake", "--install", folder, "--component", "headers", "--prefix", folder / "installed"])
    return folder / "installed/share/cmake" / source.name


def expect_library(path: Path) -> None:
    """One for macOS on arm64."""
    assert struct.unpack("<II", path.read_bytes()[:8]) == (MACH_O_OF_64_BITS, ARM64)


def test_module(core: Path) -> None:
    (module,) = core.glob("_core*.so")
    expect_library(module)


def ale(folder: Path) -> list[str]:
    """What building ALE takes: pip, and zlib, whose headers are those of this machine."""
    (folder / "libz.tbd").write_text(ZLIB)
    for header in ("zlib.h", "zconf.h"):
        (path,) = (path for path in HEADERS if (path / header).is_file())
        shutil.copy(path / header, folder)
    zlib = [f"-DZLIB_INCLUDE_DIR={folder}", f"-DZLIB_LIBRARY={folder}/libz.tbd"]
    return [*zlib, f"-DPython_EXECUTABLE={python_with_pip(folder)}"]


@pytest.mark.parametrize("family", ["classic", "atari", "mujoco", "dmc"])
def test_plugin(core: Path, common: list[str], family: str, tmp_path: Path) -> None:
    options = [*common, f"-DParallelPool_DIR={core}/share/cmake/ParallelPool"]
    for library in families()[family].built_with:
        name = f"parallel_pool_{library}"
        # Headers alone: its own test compiles the rest.
        options.append(f"-D{name}_DIR={headers(PLUGINS / name, tmp_path / library, *options)}")
    if family == "atari":
        options += ale(tmp_path)
    installed = build(PLUGINS / f"parallel_pool_{family}", tmp_path, *options)
    expect_library(installed / f"{family}.so")
