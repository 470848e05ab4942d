"""CPU seconds that compiling each target takes, against the committed figures.

python tools/build_seconds.py COMPILED [--write]

A build writes COMPILED if tools/timed_compiler.sh is its CMAKE_CXX_COMPILER_LAUNCHER, and PP_COMPILED the file.
Machines differ, and others use them too, so times are compared as shares of those of ALE's and Box2D's
sources, which are pinned, and compiled in the same build. More than ALLOWED times the committed share fails.
--write writes the new ones.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from statistics import median

FIGURES = Path(__file__).parents[1] / "benchmarks/build_seconds.json"
REFERENCES = ("parallel_pool_atari/ale", "parallel_pool_box2d/box2d_engine")
"""Two, at different times of a build: beside ten packages that compile, one had 0.7 of the other's share."""
ALLOWED = 1.5
"""Shares differ by a quarter between a quiet machine and a busy one; half as long again is found: of the
share that the references have, and of the one in the middle. The speed of a shared machine changes while it
builds: a target that nothing had changed took 1.55 times the references' share, and 1.45 times the middle."""
LEAST = 10
"""Targets of fewer seconds are compared in sum. Those of 3 seconds took 1.7 times their share where they
compiled beside the first steps of ten other packages, and the whole build took 1.2 times its own."""

LINE = re.compile(r"([\d.]+) ([\d.]+)\t.*?/(core|plugins/(\w+))/build\S*\t(.*)")
OBJECT = re.compile(r"CMakeFiles/(\w+)\.dir/")


def measured(text: str) -> tuple[dict[str, float], Counter[str]]:
    """Seconds and files of each package's targets; what CMake tries is of none."""
    seconds: defaultdict[str, float] = defaultdict(float)
    files: Counter[str] = Counter()
    for found in map(LINE.fullmatch, text.splitlines()):
        if found is None or (target := OBJECT.search(found[5])) is None:
            continue
        if target[1].startswith("cmTC_"):  # CMake's own
            continue
        name = f"{found[4] or found[3]}/{target[1]}"
        seconds[name] += float(found[1]) + float(found[2])
        files[name] += 1
    return seconds, files


def compiler() -> str:
    """Its name and version."""
    done = subprocess.run(["c++", "--version"], check=True, capture_output=True, text=True)
    return done.stdout.splitlines()[0]


def main() -> int:
    """Prints a table. 1 if a target takes too long."""
    seconds, files = measured(Path(sys.argv[1]).read_text())
    if "--write" in sys.argv[2:]:
        targets = {
            name: {"files": files[name], "seconds": round(seconds[name], 1)}
            for name in sorted(seconds)
        }
        FIGURES.write_text(
            json.dumps({"compiler": compiler(), "targets": targets}, indent=2) + "\n"
        )
        return 0
    figures = json.loads(FIGURES.read_text())
    if (here := compiler()) != figures["compiler"]:
        print(f"not comparable: {here}, and the figures are of {figures['compiler']}")
        return 0
    committed = figures["targets"]
    for name in REFERENCES:
        if files[name] == 0:
            print(f"not comparable: {name} was not compiled")
            return 0
    failed = False
    for name in REFERENCES:
        if files[name] != committed[name]["files"]:
            print(f"{name}: {files[name]} files, not the {committed[name]['files']} units")
            failed = True
    speed = sum(committed[name]["seconds"] for name in REFERENCES) / sum(
        seconds[name] for name in REFERENCES
    )
    print(
        f"CPU seconds of compiling, as on the machine of the figures ({1 / speed:.2f} times here):"
    )
    known = [name for name in seconds if committed.get(name, {}).get("seconds", 0) >= LEAST]
    usual = median(seconds[name] * speed / committed[name]["seconds"] for name in known)
    all_took = sum(seconds[name] for name in known) * speed
    all_before = sum(committed[name]["seconds"] for name in known)
    allowed = ALLOWED * max(usual, 1.0)
    small_took = small_before = 0.0
    for name in sorted(seconds, key=lambda name: -seconds[name]):
        took = seconds[name] * speed
        before = committed.get(name, {}).get("seconds")
        if before is None:
            print(f"{took:7.1f}           {name}  has no figure yet")
            continue
        if before < LEAST:
            small_took += took
            small_before += before
        slow = max(took, before) >= LEAST and took > allowed * before
        print(f"{took:7.1f} of {before:5.1f}  {name}{'  TOO LONG' if slow else ''}")
        failed |= slow
    if all_took > ALLOWED * all_before:
        print(
            f"{all_took:7.1f} of {all_before:5.1f}  those of {LEAST} s and more together  TOO LONG"
        )
        failed = True
    if small_took > allowed * small_before:
        print(f"{small_took:7.1f} of {small_before:5.1f}  those below {LEAST} s together  TOO LONG")
        failed = True
    if failed:
        print(
            "If it has to be so: tools/build_seconds.py --write, with the reason in the commit message."
        )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
