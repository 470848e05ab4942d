"""Runs before the build of a package's wheel, and tries the wheel: for cibuildwheel (tools/cibuildwheel.toml).

    python tools/one_wheel.py needs | try FOLDER

`needs` puts the wheels that the package is built with into the folder `links` of the current one. `try` steps
an environment of the family, whose wheel is installed.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from families import ROOT, packages, plugins

PROGRAM = """
import sys, parallel_pool
assert not parallel_pool.__file__.startswith(sys.argv[1]), parallel_pool.__file__
for task_id in sys.argv[2:]:
    if task_id.startswith("parallel_pool_"):
        print(__import__(task_id).__name__)
        continue
    if task_id.endswith("/"):
        task_id = next(each for each in parallel_pool.list_all_envs() if each.startswith(task_id))
    with parallel_pool.make(task_id, num_envs=4) as envs:
        envs.reset(seed=0)
        for _ in range(20):
            obs, reward, terminated, truncated, info = envs.step(envs.action_space.sample())
        print(f"{task_id}: 20 steps of 4 environments")
"""


def command(python: str | Path, names: Sequence[str]) -> list[str]:
    """Runs, with that Python, an environment of each of these families, and imports each library."""
    known = [plugins()[name] for name in names if name != "core"]
    tried = [
        f"parallel_pool_{each.name}" if each.library else each.demo or f"{each.name}/"
        for each in known
    ]
    return [str(python), "-c", PROGRAM, str(ROOT), *tried]


def needed(name: str) -> list[str]:
    """The packages that this one is built with, each after those that it is built with itself."""
    known = plugins()
    wanted = [name]
    for each in wanted:
        wanted += [] if each == "core" else ["core", *known[each].built_with]
    return [each for each in packages() if each in wanted and each != name]


def main() -> int:
    """Parses the command line."""
    task, folder = sys.argv[1:]
    name = Path(folder).name.removeprefix("parallel_pool_")
    if task == "needs":
        for each in needed(name):
            pip = [sys.executable, "-m", "pip", "wheel", "--no-deps", "-f", "links", "-w", "links"]
            subprocess.run([*pip, packages()[each]], check=True)
    else:
        subprocess.run(["parallel-pool", "list"], check=True)
        subprocess.run(command(sys.executable, [name]), check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
