"""Checks how things are called in all C++ under version control: clang-tidy, as .clang-tidy says.

uv run --group lint python tools/cpp_names.py

clang-tidy reads a program as a compiler does, one unit after the other, and most of that time goes
into headers. So there is no database of compile commands, which would take a configured build, but
units made for this, a few seconds each: all sources of a folder in one where they get along
(TOGETHER), and the SDK's headers in another. Macros that instantiate whole environments do nothing
in them (MACROS): that brings no new names, and is most of what a plugin costs.

What clang-tidy cannot tell is looked for in the text: integers are written without std::.

C has its own dialect, so files in C are left out; so are templates, which are no C++ yet.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pybind11

ROOT = Path(__file__).resolve().parent.parent
UNITS = ROOT / "build" / "cpp_names"
ATARI = "plugins/parallel_pool_atari"
BOX2D = "plugins/parallel_pool_box2d"
CHIPMUNK = "examples/third_party/chipmunk"

# Folders whose sources make one unit. A name that two of them have for themselves is then an
# error, "redefinition of": give one another name, or take the folder out.
TOGETHER = [
    "core/src",
    f"{ATARI}/src",
    "core/tests/pool",
    "tests/test_envs",
    "tests/conformance",
    "benchmarks/bare_loops",
]

# What instantiates whole environments, and the headers that have it.
MACROS = {
    "PP_PLUGIN": "core/include/parallel_pool/env.hpp",
    "BARE_LOOP": "benchmarks/bare_loops/loop.hpp",
}
WITH_STD = re.compile(r"\bstd::(u?int(8|16|32|64|ptr)_t|size_t|ptrdiff_t)\b")


def tracked() -> list[str]:
    """The C++ under version control."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "*.cpp", "*.hpp"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    names = [name for name in listing.stdout.split("\0") if name]
    return [name for name in names if "template" not in Path(name).parts]


def compiler_options() -> list[str]:
    """The standard library of g++, where there is one; clang-tidy's package brings the rest."""
    folders = ["core/include", "core/src"]
    folders += [str(path) for each in ("src", "include") for path in ROOT.glob(f"plugins/*/{each}")]
    options = ["-std=c++17", "-w", *(f"-I{ROOT / folder}" for folder in folders)]
    system = [pybind11.get_include(), sysconfig.get_paths()["include"]]
    system += [*ale_folders(), *box2d_folders()]
    options += [f"-isystem{folder}" for folder in system]
    try:
        asked = subprocess.run(
            ["g++", "-print-libgcc-file-name"], check=True, capture_output=True, text=True
        )
    except (OSError, subprocess.CalledProcessError):
        return options
    folder = Path(asked.stdout.strip()).parent
    return (
        [f"--gcc-install-dir={folder}", *options] if (folder / "crtbegin.o").exists() else options
    )


def ale_folders() -> list[Path]:
    """What a build of the Atari plugin has fetched and made; empty before the first one."""
    builds = sorted(ROOT.glob(f"{ATARI}/build/*/generated/proven_games.inc"))
    for build in (path.parent.parent for path in builds):
        sources = sorted(build.glob("_sdist/ale_py-*/src"))
        if sources:
            return [sources[-1], build / "_ale/src/ale", build / "generated"]
    return []


def box2d_folders() -> list[Path]:
    """What a build of the Box2D plugin has fetched, and a header for it; empty before the first build."""
    headers = sorted(ROOT.glob(f"{BOX2D}/build/*/_sdist/*/Box2D/Box2D.h"))
    return [ROOT / BOX2D / "src/engine/shim", headers[-1].parent.parent] if headers else []


def unavailable(name: str) -> str | None:
    """The library without which a source cannot be read here, if it is not here."""
    if name.startswith(f"{ATARI}/") and "/vcs/" not in name and not ale_folders():
        return "ALE, which a build of the plugin fetches"
    if name.startswith(f"{BOX2D}/") and not box2d_folders():
        return "Box2D, which a build of the plugin fetches"
    if name.startswith(CHIPMUNK) and not Path("/usr/include/chipmunk/chipmunk.h").exists():
        return "Chipmunk2D"
    return None


def _from_root(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def units(names: list[str]) -> dict[str, list[str]]:
    """Files to be read together, under a name for each unit; the longest units first."""
    made: dict[str, list[str]] = {folder: [] for folder in TOGETHER}
    for folder in ("core/include", *map(_from_root, sorted(ROOT.glob("plugins/*/include")))):
        made[folder] = [name for name in names if name.startswith(f"{folder}/")]
    left_out: Counter[str] = Counter()
    for name in names:
        if not name.endswith(".cpp"):
            continue
        if (missing := unavailable(name)) is not None:
            left_out[missing] += 1
            continue
        folder = next((each for each in TOGETHER if name.startswith(f"{each}/")), name)
        made.setdefault(folder, []).append(name)
    for missing, count in left_out.items():
        print(f"{count} files not checked without {missing}")
    return made


def _own_folder(unit: str) -> list[str]:
    """A plugin's own headers come before those that other plugins have under the same name."""
    parts = Path(unit).parts
    return [f"-I{ROOT / 'plugins' / parts[1] / 'src'}"] if parts[0] == "plugins" else []


def check(unit: str, names: list[str], options: list[str]) -> str:
    """What clang-tidy has to say; empty if nothing."""
    source = UNITS / (unit.replace("/", "_").removesuffix(".cpp") + ".cpp")
    text = "".join((ROOT / name).read_text() for name in names)
    lines = [
        f'#include "{ROOT / header}"\n#undef {macro}\n#define {macro}(...)\n'
        for macro, header in MACROS.items()
        if f"{macro}(" in text
    ]
    lines += [f'#include "{ROOT / name}"\n' for name in names]
    source.write_text("".join(lines))
    run = subprocess.run(
        ["clang-tidy", "--quiet", str(source), "--", *_own_folder(unit), *options],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    return run.stdout or (run.stderr if run.returncode != 0 else "")


def with_std(name: str) -> str:
    """The lines that name an integer with std::."""
    lines = (ROOT / name).read_text().splitlines()
    return "".join(
        f"{name}:{number}: error: {found[0]} is written without std:: here\n"
        for number, line in enumerate(lines, 1)
        if (found := WITH_STD.search(line)) is not None
    )


def main() -> int:
    """Checks them all, as many at a time as there are CPUs."""
    UNITS.mkdir(parents=True, exist_ok=True)
    names, options = tracked(), compiler_options()
    said = {with_std(name) for name in names}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(check, *unit, options) for unit in units(names).items()]
        said.update(job.result() for job in jobs)
    # A header is read in several units; each complaint once.
    sys.stdout.writelines(sorted(said))
    return int(any(said))


if __name__ == "__main__":
    sys.exit(main())
