"""`parallel-pool check --sanitize`: the kit on a build of the plugin with the compiler's sanitizers.

They find what leaves no trace in results: a table read past its end, memory used after it was freed, signed
overflow. Python itself has no sanitizer, so the libraries that they need are loaded before it.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from parallel_pool.errors import LibraryError

from parallel_pool_author.cli.dev_build import Build, BuildError, Kind
from parallel_pool_author.cli.dev_checks import before_others
from parallel_pool_author.cli.dev_project import find_project

SANITIZED = Kind(
    "sanitized",
    # The last array of a class and casts of numbers that are too large are not part of `undefined`.
    "-O1 -g -fno-omit-frame-pointer -fno-sanitize-recover=all "
    "-fsanitize=address,undefined,bounds-strict,float-cast-overflow",
    # The C++ runtime has to be the one that the sanitizer knows: it follows exceptions.
    ("-DPP_STATIC_RUNTIME=OFF",),
)
LIBRARIES = {"libasan.so": "the address sanitizer", "libstdc++.so.6": "the C++ runtime"}
"""The libraries that have to be loaded before Python, each with words for it."""
ELF = b"\x7fELF"
INSTRUMENTED = b"__asan_"


def check(args: argparse.Namespace) -> NoReturn:
    """Builds the plugin in the folder `args.plugin` and becomes the process that checks it.

    Raises OptionError and LibraryError that say what is missing here, or what the compiler says.
    """
    if not sys.platform.startswith("linux"):
        raise LibraryError(
            "--sanitize works on Linux only: elsewhere the sanitizer cannot be loaded before Python"
        )
    project = find_project(args.plugin)
    build = Build(project, SANITIZED)
    try:
        build.configure()
        first = list(preloaded(build.setting("CMAKE_CXX_COMPILER")))
        _say(f"builds {project.folder} with the address and undefined-behaviour sanitizers")
        if warnings := build.run():
            _say(warnings)
    except BuildError as error:
        raise LibraryError(f"{project.family} does not build\n{error}") from None
    folder = build.site / project.install_dir
    if not any(INSTRUMENTED in each.read_bytes() for each in folder.glob("*.so")):
        raise LibraryError(
            f"{project.family} was built without the sanitizers: its CMakeLists.txt has to leave "
            "CMAKE_BUILD_TYPE and CMAKE_CXX_FLAGS_RELEASE as they are"
        )
    _say(f"checks what is in {folder}, with {' and '.join(map(str, first))} loaded before Python")
    command = [sys.executable, "-m", "parallel_pool.cli", "check", project.family]
    command += ["--library", str(folder), *_passed_on(args)]
    environment = {
        **os.environ,
        "PYTHONPATH": before_others(build.site),
        "LD_PRELOAD": " ".join(map(str, first)),
        # The interpreter has leaks of its own. What the user says comes last and decides.
        "ASAN_OPTIONS": ":".join(
            filter(None, ["detect_leaks=0", os.environ.get("ASAN_OPTIONS", "")])
        ),
    }
    os.execve(command[0], command, environment)


def preloaded(compiler: str) -> Iterator[Path]:
    """The shared libraries of GCC that an instrumented plugin needs."""
    try:
        macros = _ask(compiler, "-dM", "-E", "-x", "c++", os.devnull)
        if "__clang__" in macros or "__GNUC__" not in macros:
            raise LibraryError(
                f"--sanitize needs GCC, and CMake chose {compiler}: write CC=gcc CXX=g++ before the command"
            )
        for name, what in LIBRARIES.items():
            yield _shared(Path(_ask(compiler, f"-print-file-name={name}").strip()), what)
    except (OSError, subprocess.CalledProcessError) as error:
        raise LibraryError(f"the compiler {compiler} does not answer: {error}") from error


def _shared(path: Path, what: str) -> Path:
    """The library itself, where the path may be that of a script for the linker that names it."""
    if path.is_file():
        contents = path.read_bytes()
        if contents.startswith(ELF):
            return path.resolve()
        for named in re.findall(rb"/[^\s()]+\.so[.\d]*", contents):
            return Path(os.fsdecode(named))
    raise LibraryError(
        f"--sanitize needs {what}, and GCC has no {path.name} here: apt-get install g++, "
        "or dnf install libasan libubsan"
    )


def _passed_on(args: argparse.Namespace) -> Iterator[str]:
    """The other arguments of the command."""
    for name in ("env", "only"):
        for each in getattr(args, name) or ():
            yield from (f"--{name}", each)
    for name in ("steps", "limit"):
        yield from (f"--{name}", str(getattr(args, name)))
    for name in ("in_process", "json"):
        if getattr(args, name):
            yield f"--{name.replace('_', '-')}"


def _ask(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
