"""Counts the instructions of a case's steps in another process, under valgrind's callgrind.

The same number every time, whatever else the machine does: one thread, a clock that is not the
machine's (window.c), the same environment variables, and a processor as valgrind poses as one.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from step_cost.cases import Case

BENCHMARKS = Path(__file__).parent.parent
WORKER = ("-m", "step_cost.worker")
"""What an interpreter is given to step a case; from the folder of the benchmarks."""
_COST = re.compile(r"[\d+*-]\S* (\d+)$")
_COMPILER = re.compile(rb"GCC: \([^)]*\) [\d.]+|clang version [\d.]+")


class Unavailable(Exception):
    """What counting needs is not installed; the message says how to get it."""


@dataclass(frozen=True, slots=True)
class Count:
    """Instructions of one step, on average."""

    total: float
    """All of them: what the caller of `step` pays."""
    native: float
    """Those in libraries of this project, without what they call."""


@dataclass(frozen=True, slots=True)
class Counted:
    """The count of a case, and what else it depends on."""

    count: Count
    fingerprint: dict[str, str]


def check_available() -> None:
    """Raises Unavailable where nothing can be counted."""
    if shutil.which("valgrind") is None or shutil.which("cc") is None:
        raise Unavailable(
            "instructions are counted with valgrind and a C compiler: apt-get install valgrind gcc"
        )


class Callgrind:
    """Counts with any interpreter. A context: it has a folder for what it compiles and writes."""

    def __init__(self) -> None:
        check_available()
        self._folder = tempfile.TemporaryDirectory(prefix="step_cost_")
        self._window = Path(self._folder.name, "window.so")
        files = ["-o", str(self._window), str(BENCHMARKS / "step_cost" / "window.c")]
        compiled = subprocess.run(["cc", "-O2", "-shared", "-fPIC", *files], check=False)
        if compiled.returncode != 0:
            raise Unavailable(
                "window.c cannot be compiled; valgrind's headers come with valgrind, "
                "or as valgrind-devel"
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def count(self, case: Case, python: str) -> Counted:
        """`python`: the interpreter of the environment with the build."""
        output = Path(tempfile.mkdtemp(dir=self._folder.name), "callgrind")
        window = output.with_suffix(".1")  # the first dump; the last one is empty
        valgrind = ["valgrind", "--tool=callgrind", "--instr-atstart=no", "--quiet"]
        process = subprocess.run(
            [*valgrind, f"--callgrind-out-file={output}", python, *WORKER, "count", case.name],
            env=self._variables(),
            cwd=BENCHMARKS,
            capture_output=True,
            text=True,
            check=False,
        )
        if process.returncode != 0 or not window.exists():
            raise RuntimeError(
                f"{case.name} under callgrind, status {process.returncode}:\n"
                f"{process.stdout}{process.stderr}"
            )
        instructions = by_object(window.read_text().splitlines())
        ours = {name: cost for name, cost in instructions.items() if is_ours(Path(name))}
        count = Count(instructions.total() / case.steps, sum(ours.values()) / case.steps)
        fingerprint = {
            **json.loads(process.stdout.splitlines()[-1]),
            "valgrind": _version("valgrind"),
            "glibc": os.confstr("CS_GNU_LIBC_VERSION") or "another C library",
            "compiler": compiler(next(Path(name) for name in ours if "_core" in name)),
        }
        return Counted(count, fingerprint)

    def _variables(self) -> dict[str, str]:
        """Nothing of the caller's environment but where programs and the home are."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": os.environ.get("HOME", "/"),
            "LANG": "C.UTF-8",
            "LD_PRELOAD": str(self._window),
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "PYTHONHASHSEED": "0",
        }


def by_object(lines: Iterable[str]) -> Counter[str]:
    """Instructions of each file of code, from the lines of a file that callgrind wrote."""
    names: dict[str, str] = {}
    instructions: Counter[str] = Counter()
    current = ""
    inclusive = False  # the line after calls= is what the callee cost, which is counted there
    for line in lines:
        if line.startswith("ob="):
            number, _, name = line.removeprefix("ob=").partition(" ")
            if name:
                names[number] = name
            current = names[number]
        elif line.startswith("cob="):
            number, _, name = line.removeprefix("cob=").partition(" ")
            if name:
                names[number] = name
        elif line.startswith("calls="):
            inclusive = True
        elif cost := _COST.match(line):
            if not inclusive:
                instructions[current] += int(cost[1])
            inclusive = False
    return instructions


def is_ours(library: Path) -> bool:
    """Whether a file of code is a part of this project's packages."""
    return any(part.startswith("parallel_pool") for part in library.parts[-3:])


def compiler(library: Path) -> str:
    """What compiled it, as it says itself."""
    found = sorted(set(_COMPILER.findall(library.read_bytes())))
    return ", ".join(name.decode() for name in found) or "unknown"


def _version(program: str) -> str:
    return subprocess.run(
        [program, "--version"], check=True, capture_output=True, text=True
    ).stdout.strip()
