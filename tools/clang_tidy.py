"""Runs clang-tidy, as .clang-tidy says, over the C++ here: each file with the command that compiles it.

uv run --with pip,setuptools --group lint python tools/clang_tidy.py [--all | FILE...]

Without arguments: what differs from main, headers too. --all is for workflows: it takes ten CPU minutes.
Builds are only configured, for which pip may have to fetch the sources of ALE and Box2D; without units, which
would hide what a file lacks. Files that no build compiles have the options of a plugin.

C has its own dialect, so files in C are left out; so are templates, which are no C++ yet.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import parallel_pool
import pybind11

ROOT = Path(__file__).resolve().parent.parent
BUILDS = ROOT / "build/clang_tidy"
SWITCHES = ("PP_TESTS", "PARALLEL_POOL_ATARI_TEST_DRIVER", "PARALLEL_POOL_BOX2D_TEST_DRIVER")
GCC_ALONE = re.compile(r"-fno-gnu-unique|-fno-tree-slp-vectorize|-Werror|-o|-c|\S+\.o")
CHIPMUNK = "examples/third_party/chipmunk"
WITH_STD = re.compile(r"\bstd::(u?int(8|16|32|64|ptr)_t|size_t|ptrdiff_t)\b")


def output(*command: str) -> str:
    """What a command says, which has to succeed."""
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def tracked() -> list[str]:
    """The C++ under version control that can be read here."""
    names = output("git", "ls-files", "*.cpp", "*.hpp").split()
    out = {
        "template",
        *(() if Path("/usr/include/chipmunk/chipmunk.h").exists() else ("chipmunk",)),
    }
    return [name for name in names if out.isdisjoint(Path(name).parts)]


def changed() -> set[str]:
    """What differs from main, or where there is none from the last commit."""
    base = subprocess.run(
        ["git", "merge-base", "HEAD", "origin/main"], cwd=ROOT, capture_output=True, text=True
    )
    return set(output("git", "diff", "--name-only", base.stdout.strip() or "HEAD").split())


def package(name: str) -> str:
    """The folder whose build compiles a file; tests and benchmarks are of none."""
    parts = Path(name).parts
    return (
        "/".join(parts[: 1 if parts[0] == "core" else 2]) if parts[0] in ("core", "plugins") else ""
    )


def configured(folder: str) -> dict[Path, list[str]]:
    """The options of each source that a build of the folder compiles."""
    build = BUILDS / folder
    options = [f"-D{each}=ON" for each in ("CMAKE_EXPORT_COMPILE_COMMANDS", *SWITCHES)]
    options += ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_UNITY_BUILD=OFF", "-Wno-unused-cli"]
    options += [
        f"-DPython_EXECUTABLE={sys.executable}",
        f"-Dpybind11_DIR={pybind11.get_cmake_dir()}",
    ]
    packages = sorted(Path(parallel_pool.get_cmake_dir()).parents[3].glob("parallel_pool*/share"))
    options += [f"-DCMAKE_PREFIX_PATH={';'.join(str(each.parent) for each in packages)}"]
    # A build that was made before has the archives.
    options += [f"-DPP_SDIST_DIR={each}" for each in sorted((ROOT / folder).glob("build/*/_sdist"))]
    subprocess.run(
        ["cmake", "-G", "Ninja", "-S", folder, "-B", build, *options],
        cwd=ROOT,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    found = {}
    for unit in json.loads((build / "compile_commands.json").read_text()):
        words = [each for each in shlex.split(unit["command"])[1:] if each != unit["file"]]
        found[Path(unit["file"])] = [each for each in words if not GCC_ALONE.fullmatch(each)]
    return found


class Commands:
    """The options to read any file with."""

    def __init__(self, names: Iterable[str]) -> None:
        self.known: dict[Path, list[str]] = {}
        for folder in sorted({package(name) for name in names} - {""}):
            self.known |= configured(folder)
        folders = [ROOT / "core/include", *ROOT.glob("plugins/*/include")]
        system = [pybind11.get_include(), sysconfig.get_paths()["include"]]
        self.others = ["-std=c++20", *(f"-I{each}" for each in folders)]
        self.others += [f"-isystem{each}" for each in system]
        gcc = Path(output("g++", "-print-libgcc-file-name").strip()).parent
        # The repository's headers come before those that are installed.
        self.every = ["-w", "-xc++", f"--gcc-install-dir={gcc}", f"-I{ROOT / 'core/include'}"]

    def of(self, name: str) -> list[str]:
        """A header, and what is part of another file, has those of the source that is nearest."""
        path, folder = ROOT / name, package(name)
        beside = [each for each in self.known if folder and each.is_relative_to(ROOT / folder)]
        nearest = max(
            beside,
            key=lambda each: (each == path, each.parent == path.parent, len(self.known[each])),
            default=None,
        )
        return [*self.every, *(self.others if nearest is None else self.known[nearest])]


def check(name: str, options: list[str]) -> str:
    """What clang-tidy has to say; empty if nothing."""
    command = ["clang-tidy", "--quiet", str(ROOT / name), "--", *options]
    run = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    return run.stdout or (run.stderr if run.returncode != 0 else "")


def with_std(name: str) -> str:
    """The lines that name an integer with std::, of which clang-tidy has no check."""
    lines = (ROOT / name).read_text().splitlines()
    return "".join(
        f"{name}:{number}: error: {found[0]} is written without std:: here\n"
        for number, line in enumerate(lines, 1)
        if (found := WITH_STD.search(line)) is not None
    )


def main() -> int:
    """Checks them all, as many at a time as there are CPUs."""
    every, given = tracked(), sys.argv[1:]
    if given == ["--all"]:
        names = [name for name in every if name.endswith(".cpp")]
    else:
        names = sorted({*given} or changed().intersection(every))
    said = {with_std(name) for name in (every if given == ["--all"] else names)}
    commands = Commands(names)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(check, name, commands.of(name)) for name in names]
        said.update(job.result() for job in jobs)
    # A header is read with several sources; each complaint once.
    sys.stdout.writelines(sorted(said))
    return int(any(said))


if __name__ == "__main__":
    sys.exit(main())
