"""A Windows Python that wine runs, put together from packages of PyPI.

The interpreter is CPython's own library, which panda3d's wheel brings together with the compiled part of
the standard library. The rest of the standard library is that of the Python that runs this, so both have
the same minor version.
"""

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Sequence
from pathlib import Path

from platforms import WINDOWS, run, tool

SOURCES = Path(__file__).parent / "windows"
VERSION = "{}.{}".format(*sys.version_info)
_DIGITS = VERSION.replace(".", "")
EXTENSION = f".cp{_DIGITS}-win_amd64.pyd"
_LEFT_OUT = "lib-dynload site-packages test tests idlelib tkinter ensurepip __pycache__"
_MATH = "api-ms-win-crt-math-l1-1-0.dll"
_SYSTEM_MATH = """acos acosh asin asinh atan atan2 atanh cbrt cos cosh erf exp exp2 expm1 fma fmod hypot
lgamma log log10 log1p log2 pow remainder sin sinh tan tanh tgamma"""
_NUMPY_MATH = "numpy_math.dll"
"""Takes the place of `_MATH` for numpy. Its name is no longer than that one's, which it overwrites."""


class WindowsPython:
    """An interpreter, the packages beside it, and what modules for it are compiled with, in one folder."""

    def __init__(self, folder: Path, requirements: Iterable[str]) -> None:
        self.folder = folder
        folder.mkdir()
        self.home = folder / "python"
        self.site = self.home / "Lib" / "site-packages"
        self.include = folder / "include"
        self.library = self.home / f"python{_DIGITS}.dll"
        self._make_interpreter()
        shutil.copytree(sysconfig.get_path("include"), self.include)
        shutil.copy(SOURCES / "pyconfig.h", self.include)
        self.install(requirements)

    def _make_interpreter(self) -> None:
        parts = self.folder / "parts"
        fetch(parts, ["panda3d==1.10.16"])
        shutil.move(parts / "deploy_libs", self.home)
        shutil.rmtree(parts)
        left_out = shutil.ignore_patterns(*_LEFT_OUT.split())
        shutil.copytree(sysconfig.get_path("stdlib"), self.home / "Lib", ignore=left_out)
        _gcc("-municode", "-o", self.home / "python.exe", SOURCES / "python.c", self.library)

    def install(self, requirements: Iterable[str]) -> None:
        fetch(self.site, [f"{each}=={importlib.metadata.version(each)}" for each in requirements])
        if (self.site / "numpy").exists() and not (self.home / _NUMPY_MATH).exists():
            self._complete_numpy()

    def _complete_numpy(self) -> None:
        """wine 8 lacks complex functions that numpy imports: adds a library that has them."""
        libraries = [
            each for each in self.site.glob("numpy*/**/*") if each.suffix in (".pyd", ".dll")
        ]
        wanted = {name for each in libraries for name in imported(each, _MATH)}
        ours = set(
            re.findall(
                r"\bc(?:abs|arg|real|imag|pow|exp|cosh?|sinh?|tanh?)[fl]?\b", " ".join(wanted)
            )
        )
        lines = [
            f"{name} = {f'shim_{name}' if name in ours else f'ucrtbase.{name}'}"
            for name in sorted(wanted)
        ]
        definition = self.folder / "numpy_math.def"
        definition.write_text("\n".join(["EXPORTS", *lines]))
        ours_and_theirs = [SOURCES / "complex_math.c", definition]
        _gcc("-shared", "-static", "-o", self.home / _NUMPY_MATH, *ours_and_theirs)
        for each in libraries:
            before = each.read_bytes()
            each.write_bytes(
                before.replace(_MATH.encode(), _NUMPY_MATH.encode().ljust(len(_MATH), b"\0"))
            )

    def system_math(self) -> Path:
        """A library to link: sines and powers of Windows instead of MinGW's own."""
        library = self.folder / "libsystem_math.a"
        if not library.exists():
            definition = self.folder / "system_math.def"
            names = [f"{name}{suffix}" for name in _SYSTEM_MATH.split() for suffix in ("", "f")]
            definition.write_text("\n".join([f"LIBRARY {_MATH}", "EXPORTS", *names]))
            dlltool = tool("x86_64-w64-mingw32-dlltool", "binutils-mingw-w64-x86-64")
            run([dlltool, "-d", definition, "-l", library])
        return library

    def environ(self, **more: str) -> dict[str, str]:
        own = {"PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        return {**WINDOWS.environ(self.folder), **own, **more}

    def run(self, *arguments: str | Path, **options: object) -> str:
        """What it says, which has to succeed. Its output is a pipe: Python cannot open wine's files as such."""
        command = WINDOWS.command(self.home / "python.exe", *map(str, arguments))
        return run(command, **{"env": self.environ(), "stdin": subprocess.DEVNULL, **options})


def imported(library: Path, of: str) -> list[str]:
    """The names of what a library imports from another."""
    said = run([tool("x86_64-w64-mingw32-objdump", "binutils-mingw-w64-x86-64"), "-p", library])
    for table in said.split("DLL Name: ")[1:]:
        if table.startswith(of):
            return re.findall(r"^\t[0-9a-f]+\s+\d+\s+(\w+)$", table, re.MULTILINE)
    return []


def _gcc(*arguments: str | Path) -> None:
    compiler = tool(WINDOWS.compilers[0], WINDOWS.package)
    run([compiler, "-O1", "-Wall", "-Werror", *arguments])


def fetch(folder: Path, requirements: Sequence[str]) -> None:
    """Windows' wheels, unpacked into a folder. Raises MissingTool."""
    uv = os.environ.get("UV") or tool("uv", "pipx, then pipx install uv")
    windows = ["--python-platform", "x86_64-pc-windows-msvc", "--python-version", VERSION]
    # Copies: what is changed here must not change in uv's cache.
    how = ["--no-deps", "--only-binary", ":all:", "--link-mode", "copy", "--target", folder]
    run([uv, "pip", "install", "--quiet", *windows, *how, *requirements])
