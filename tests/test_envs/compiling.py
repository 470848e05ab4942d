"""Compiles the small plugins that tests use."""

from __future__ import annotations

import fcntl
import os
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import parallel_pool

SOURCES = Path(__file__).parent


def compile_plugin(
    source: Path, output: Path, *defines: str, include: str | None = None, flags: Sequence[str] = ()
) -> Path:
    """A shared library from one C or C++ file, with all warnings as errors."""
    if source.suffix == ".c":
        command = [os.environ.get("CC", "cc"), "-std=c99", "-pedantic"]
    else:
        command = [os.environ.get("CXX", "c++"), "-std=c++17"]
    command += ["-O1", "-fPIC", "-shared", "-fvisibility=hidden", "-Wall", "-Wextra", "-Werror"]
    command += [f"-I{include or parallel_pool.get_include()}", *(f"-D{each}" for each in defines)]
    done = subprocess.run(
        [*command, *flags, str(source), "-o", str(output)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return output


def once(output: Path, build: Callable[[Path], object]) -> Path:
    """`output`, which `build` makes for whoever asks first; other processes wait for it."""
    with output.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not output.exists():
            new = output.with_suffix(".new")
            build(new)
            new.rename(output)
    return output


def compile_once(source: Path, folder: Path) -> Path:
    """The library of a plugin, compiled once for all who have this folder."""
    return once(folder / f"{source.stem}.so", lambda new: compile_plugin(source, new))
