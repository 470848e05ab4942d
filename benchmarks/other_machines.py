"""A study on a machine that has no index: what it needs in one folder, and the figures of each machine."""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import figures
from figures import ROOT, Row, rounded, say

STORED = Path(__file__).with_name("machines")
"""A file for each machine, as `--json` writes them."""
WORSE = 0.9
"""A rate below that share of the stored one is worse: the median of three slices varies by less."""
PEERS = ("envpool==1.2.5", "opencv-python-headless", "psutil", "imageio", "tqdm", "pytest")
"""What `on_a_gpu.py` and `test_on_a_real_gpu.py` need besides the wheels and what they require. A machine with
a GPU has torch and JAX, in the version that its driver needs, so neither is packed."""
UNUSED = ("_ray-", "_vizdoom-", "_watch-")
"""Of the wheels."""
RUN = """#!/bin/sh
# Measures everything; figures.jsonl is what to take home. Options are those of on_a_gpu.py, such as --cases.
cd "$(dirname "$0")"
export PYTHONPATH="$PWD/site:$PYTHONPATH" PYTHONWARNINGS=ignore
exec python3 benchmarks/on_a_gpu.py --json figures.jsonl "$@"
"""


def command(argv: Sequence[str]) -> bool:
    """Runs `pack` or `store`, if that is what the command line begins with."""
    if not argv or argv[0] not in ("pack", "store"):
        return False
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="command", required=True)
    packing = commands.add_parser("pack", help="put wheels and programs into a folder")
    packing.add_argument("folder", type=Path)
    packing.add_argument(
        "--wheels", type=Path, required=True, help="folder with the wheels of core and plugins"
    )
    packing.add_argument(
        "--python", default="3.12", metavar="VERSION", help="that the machine has (%(default)s)"
    )
    storing = commands.add_parser("store", help="keep a file of figures as those of its machine")
    storing.add_argument("file", type=Path)
    args = parser.parse_args(argv)
    if args.command == "pack":
        pack(args.folder, args.wheels, args.python)
    else:
        say(f"stored as {store(args.file)}")
    return True


def pack(folder: Path, wheels: Path, python: str) -> None:
    """Installs the wheels and the peers into `folder/site`, and puts the programs and `run.sh` beside it.

    wheels: a folder with the core's for that Python, and the plugins'.
    """
    ours = [
        str(wheel)
        for wheel in sorted(wheels.glob("parallel_pool*.whl"))
        if not any(each in wheel.name for each in UNUSED)
    ]
    if not ours:
        raise SystemExit(
            f"{wheels} has no wheel of parallel_pool: README.md says how to build them"
        )
    install = ["uv", "pip", "install", "--target", str(folder / "site"), "--python-version", python]
    install += ["--only-binary", ":all:"]
    of_jax = [wheel for wheel in ours if "_jax-" in wheel]
    subprocess.run([*install, *PEERS, *(set(ours) - set(of_jax))], check=True)
    if of_jax:
        subprocess.run([*install, "--no-deps", *of_jax], check=True)
    for part in ("benchmarks", "examples/training"):
        shutil.copytree(
            ROOT / part,
            folder / part,
            ignore=shutil.ignore_patterns("__pycache__"),
            dirs_exist_ok=True,
        )
    (folder / "run.sh").write_text(RUN)


def store(file: Path) -> Path:
    """Keeps a file of figures, with those that its machine had before of what this file has no rate of."""
    facts, rows = figures.read(file)
    before = _file_of(facts)
    told, stored = figures.read(before)
    new = {(row["case"], row["who"]) for row in rows if "rate" in row}
    kept = [
        {**row, "date": row.get("date", told["date"])}
        for row in stored
        if "rate" in row and (row["case"], row["who"]) not in new
    ]
    name = re.sub(r"\W+", "-", f"{facts['gpu'] or 'no GPU'} {facts['cpu']} {facts['usable_cpus']}")
    place = before or STORED / f"{name.strip('-')}.jsonl"
    place.parent.mkdir(exist_ok=True)
    lines = ({"environment": facts}, *kept, *rows)
    place.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return place


def verdict(facts: Mapping[str, Any], rows: Sequence[Row]) -> str:
    """Which figures are worse than those that are stored for the same GPU and CPU, or are not there."""
    place = _file_of(facts)
    if place is None:
        return "nothing is stored for this GPU and CPU: on_a_gpu.py store FILE"
    told, before = figures.read(place)
    rates = {(row["case"], row["who"]): row["rate"] for row in rows if "rate" in row}
    tried = {row["case"] for row in rows}
    worse = []
    for row in before:
        if "rate" not in row or row["case"] not in tried:
            continue
        rate, stored = rates.get((row["case"], row["who"]), 0.0), row["rate"]
        if rate < WORSE * stored:
            found = rounded(rate) if rate else "left out"
            worse.append(
                f"  {row['case']}, {row['who']}: {found}, and {rounded(stored)} "
                f"on {row.get('date', told['date'])} ({rate / stored:.2f} x)"
            )
    return "\n".join(["worse than stored:", *worse]) if worse else "nothing is worse than stored"


def _file_of(facts: Mapping[str, Any]) -> Path | None:
    """The stored figures of a machine. One that was described more briefly is the same."""
    for file in sorted(STORED.glob("*.jsonl")):
        told, _ = figures.read(file)
        same = (told["gpu"], told["usable_cpus"]) == (facts.get("gpu"), facts["usable_cpus"])
        if same and told["cpu"] in facts["cpu"]:
            return file
    return None
