"""Grades submitted policies on seeds that only the teacher knows, each in a process of its own.

python examples/grading/grade.py FOLDER --seed 20261128

FOLDER has a file for each student, with a function `policy` from observations (n, 8) to actions (n,). Every
policy plays the same episodes. One that never returns, or does not start, costs its own grade and no other.
Prints a table, the best first, and what grading took.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "folder", type=Path, help="of files NAME.py, each with a function policy(obs)"
    )
    parser.add_argument("--seed", type=int, required=True, help="the secret: the first seed")
    parser.add_argument("--id", default="LunarLander-v3")
    parser.add_argument("--episodes", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=60.0, help="for each policy")
    parser.add_argument("--at-a-time", type=int, default=2, help="policies; one for each CPU")
    return parser.parse_args()


def grade(file: Path, args: argparse.Namespace) -> dict[str, Any]:
    """Mean and interval of the file's policy, or what is wrong with it."""
    words = ["evaluate", args.id, "--policy", f"{file}:policy", "--json"]
    words += ["--episodes", str(args.episodes), "--seed", str(args.seed)]
    command = [sys.executable, "-m", "parallel_pool.cli", *words, "--option", "num_threads=1"]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=args.seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return {"error": f"no end within {args.seconds:g} seconds"}
    if done.returncode != 0:
        return {"error": (done.stderr.strip().splitlines() or ["it ended without a word"])[-1]}
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def report(args: argparse.Namespace) -> Iterator[str]:
    """A line for each file, the best first, below a head and above the time."""
    begin = time.perf_counter()
    files = sorted(args.folder.glob("*.py"))
    with ThreadPoolExecutor(args.at_a_time) as graders:
        grades = list(graders.map(partial(grade, args=args), files))
    yield f"{'policy':20} {'return':>8}  95 %"
    means = [float("-inf") if "error" in each else each["mean"] for each in grades]
    for _, file, found in sorted(zip(means, files, grades, strict=True), key=lambda each: -each[0]):
        if "error" in found:
            yield f"{file.stem:20}     none  {found['error']}"
        else:
            low, high = found["interval"]
            yield f"{file.stem:20} {found['mean']:8.1f}  {low:.1f} to {high:.1f}"
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    yield (
        f"{len(files)} policies, {args.episodes} episodes each: {time.perf_counter() - begin:.0f} s, of the "
        f"CPUs {used.ru_utime + used.ru_stime:.0f} s"
    )


if __name__ == "__main__":
    print("\n".join(report(arguments())))
