"""How figures are stored and shown: facts about the machine, lines of JSON, Markdown tables, marks in pages."""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from parallel_pool import _core

ROOT = Path(__file__).parents[1]
PACKAGES = (
    "parallel-pool",
    "envpool",
    "ale-py",
    "gymnasium",
    "minigrid",
    "dm-control",
    "shimmy",
    "mujoco",
    "vizdoom",
    "numpy",
    "opencv-python-headless",
    "torch",
    "jax",
    "ray",
    "tianshou",
)
END = "<!-- end of figures -->"

Row = dict[str, Any]
Columns = Mapping[str, Callable[[Any], str]]
"""From a key of rows to how its value is written."""


def say(text: str) -> None:
    """To stderr: what is no result."""
    print(text, file=sys.stderr, flush=True)


def machine() -> dict[str, Any]:
    """Processors, day, versions and command line: without them a figure is worthless."""
    versions = {}
    for package in PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            continue
    arguments = " ".join(["python", f"benchmarks/{Path(sys.argv[0]).name}", *sys.argv[1:]])
    return {
        "date": time.strftime("%Y-%m-%d"),
        "cpu": _cpu_model(),
        "gpu": _gpu_model(),
        "usable_cpus": _core.usable_cpus(),
        "load_average": os.getloadavg()[0],
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "versions": versions,
        "command": without_folders(arguments),
    }


def without_folders(text: str) -> str:
    """Of each absolute path its name alone: where a machine has its files is nothing to publish."""
    return re.sub(r"(?<![\w.])/(?:[^\s/\"'|:]+/)+", "", text)


def described(facts: Mapping[str, Any], packages: Sequence[str] = PACKAGES) -> str:
    """The line above a table, with those of the facts that there are."""
    known = facts["versions"]
    parts = [facts["cpu"], f"{facts['usable_cpus']} CPUs", facts.get("gpu")]
    parts += [f"Python {facts['python']}"]
    parts += [f"{name} {known[name]}" for name in packages if name in known]
    line = ", ".join(part for part in parts if part)
    if "load_average" in facts:
        line += f"; load {facts['load_average']:.1f}"
    if facts.get("date"):
        line += f"; {facts['date']}"
    return f"{line}. `{facts['command']}`" if "command" in facts else f"{line}."


def append(path: Path | None, content: Row) -> None:
    """A line of the file, written at once: an interrupt leaves those before."""
    if path is not None:
        with path.open("a") as file:
            file.write(json.dumps(content) + "\n")


def read(path: Path | None) -> tuple[dict[str, Any], list[Row]]:
    """The facts of the last run, and all rows. A line that was cut off is none; nor has a new file any."""
    facts: dict[str, Any] = {}
    rows: list[Row] = []
    lines = path.read_text().splitlines() if path is not None and path.exists() else ()
    for line in lines:
        try:
            content = json.loads(line)
        except json.JSONDecodeError:
            continue
        if "environment" in content:
            facts = content["environment"]
        else:
            rows.append(content)
    return facts, rows


def table(columns: Columns, rows: Sequence[Row]) -> str:
    """Markdown, a line per row; None is "-". Columns of numbers are aligned to the right."""
    cells = [
        ["-" if row.get(key) is None else write(row[key]) for key, write in columns.items()]
        for row in rows
    ]
    head = list(columns)
    widths = [max(map(len, column)) for column in zip(head, *cells, strict=True)]
    numeric = [key != head[0] and write is not str for key, write in columns.items()]
    rule = [
        "-" * (width - 1) + (":" if right else "-")
        for width, right in zip(widths, numeric, strict=True)
    ]
    lines = []
    for line in (head, rule, *cells):
        padded = (
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, numeric, strict=True)
        )
        lines.append(f"| {' | '.join(padded)} |\n")
    return "".join(lines)


def put(page: Path, command: str, text: str) -> None:
    """Replaces what a page has between the mark of this command and the next end. Without them: SystemExit."""
    begin = f"<!-- figures: {command} -->"
    before, found_begin, rest = page.read_text().partition(begin)
    _, found_end, after = rest.partition(END)
    if not (found_begin and found_end):
        raise SystemExit(f"{page} has no lines {begin!r} and {END!r}")
    page.write_text(f"{before}{begin}\n\n{text.strip()}\n\n{END}{after}")


def whole(value: float) -> str:
    """1234567.8 as 1,234,568."""
    return f"{value:,.0f}"


def tenths(value: float) -> str:
    return f"{value:,.1f}"


def hundredths(value: float) -> str:
    return f"{value:,.2f}"


def rounded(value: float) -> str:
    """Three digits: 133 M, 1.06 M, 782 k."""
    for size, unit in ((1e6, " M"), (1e3, " k"), (1, "")):
        if value >= size:
            return f"{value / size:.3g}{unit}"
    return f"{value:.3g}"


def times(value: float) -> str:
    """A ratio."""
    return f"{value:.2f} x"


def percent(value: float) -> str:
    """A share."""
    return f"{value:.0%}"


def _gpu_model() -> str | None:
    """The first of NVIDIA's."""
    command = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
    try:
        said = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return said.stdout.splitlines()[0].strip() if said.returncode == 0 and said.stdout else None


def _cpu_model() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or "unknown processor"
