"""Compiles the small plugins that tests use."""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import parallel_pool
from test_envs.once import once

SOURCES = Path(__file__).parent
HEADER = "parallel_pool/env.hpp"
COMMON = (os.environ.get("PP_TESTS_OPTIMISE", "-O0"), "-fPIC", "-fvisibility=hidden")
"""Flags that a precompiled header has in common with what includes it."""

BUILD_WHEEL = """
import os, sys
from scikit_build_core.build import build_wheel
os.environ.setdefault("SKBUILD_CMAKE_DEFINE", "CMAKE_CXX_FLAGS_RELEASE=-O0 -DNDEBUG")
build_wheel(sys.argv[1])
"""
"""A program that builds the wheel of the project in the current folder, into the folder that it is given.

It does not optimise, and so takes less time: tests/template/test_isolated_builds.py builds as users do.
"""


def compile_plugin(
    source: Path, output: Path, *defines: str, include: str | None = None, flags: Sequence[str] = ()
) -> Path:
    """A shared library from one C or C++ file, with all warnings as errors."""
    if source.suffix == ".c":
        command = [os.environ.get("CC", "cc"), "-std=c99", "-pedantic"]
    else:
        command = [os.environ.get("CXX", "c++"), "-std=c++20"]
    command += [*COMMON, f"-I{include or parallel_pool.get_include()}"]
    folder = os.environ.get("PP_PRECOMPILED")  # conftest.py
    if folder and include is None and includes_header(source):
        command += ["-include", str(precompiled(Path(folder), command))]
    command += ["-Wall", "-Wextra", "-Werror", "-shared"]
    command += [*(f"-D{each}" for each in defines), *flags]
    done = subprocess.run(
        [*command, str(source), "-o", str(output)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return output


def includes_header(source: Path) -> bool:
    """Tells whether the source includes HEADER, itself or by a header beside it."""
    text = source.read_text("utf-8")
    beside = map(source.with_name, re.findall(r'^#include "([\w.]+)"$', text, re.MULTILINE))
    return HEADER in text or any(HEADER in each.read_text("utf-8") for each in beside)


def precompiled(folder: Path, command: Sequence[str]) -> Path:
    """A header that includes that of plugins, compiled once; as it is where a compiler has other flags."""
    folder.mkdir(exist_ok=True)
    header = once(folder / "first.hpp", lambda new: new.write_text(f'#include "{HEADER}"\n'))
    how = [*command, "-Wall", "-Wextra", "-Werror", "-x", "c++-header", str(header), "-o"]
    once(folder / "first.hpp.gch", lambda new: subprocess.run([*how, str(new)], check=True))
    return header


def compile_once(source: Path, folder: Path) -> Path:
    """The library of a plugin, compiled once for all processes that have this folder."""
    return once(folder / f"{source.stem}.so", lambda new: compile_plugin(source, new))


def checking_commands() -> list[list[str]]:
    """The commands to check a unit with: the compiler's, which gets our header precompiled, and clang's."""
    include = f"-I{parallel_pool.get_include()}"
    first = [os.environ.get("CXX", "c++"), "-std=c++20", *COMMON, include]
    header = precompiled(Path(os.environ["PP_PRECOMPILED"]), first)
    clang = shutil.which("clang++")
    others = [[clang, "-std=c++20", include]] if clang else []
    return [[*first, "-include", str(header)], *others]


def check_text(text: str, unit: Path, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """What a compiler says of a source, whose file is to be `unit`; makes nothing of it."""
    unit.write_text(text)
    return subprocess.run([*command, "-fsyntax-only", str(unit)], capture_output=True, text=True)
