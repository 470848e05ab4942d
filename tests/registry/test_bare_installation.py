"""What the core alone imports to make a pool and to step it; `pytest -s` prints the table of docs/why.md."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import pytest

APART = {
    "benchmarking",
    "cli",
    "distributed",
    "envpool",
    "gymnasium",
    "integrations",
    "learning",
    "pettingzoo",
    "template",
    "testing",
    "watching",
    "xla",
}
"""Parts of the package that a pool of native environments does without."""
HEAVY = {
    "dm_env",
    "jax",
    "torch",
    "ray",
    "mujoco",
    "PIL",
    "pygame",
    "pettingzoo",
    "tensordict",
}
PROGRAM = """
import json, sys
import parallel_pool
parallel_pool.register(parallel_pool.EnvSpec("test/Walk-v0"), library=sys.argv[1])
with parallel_pool.make("test/Walk-v0", num_envs=4, num_threads=2) as envs:
    envs.reset(seed=0)
    envs.step(envs.action_space.sample())
files = {name: getattr(module, "__file__", None) for name, module in sys.modules.items()}
print(json.dumps({name: file for name, file in files.items() if file}))
"""


class Part(NamedTuple):
    """Modules below one name."""

    modules: int
    milliseconds: float
    size: int


@pytest.fixture(scope="module")
def loaded(test_envs_library: str) -> tuple[dict[str, str], dict[str, float]]:
    """The files of all modules, and the milliseconds that each took without those that it imports."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", PROGRAM, test_envs_library],
        env={**os.environ, "PARALLEL_POOL_DISABLE_PLUGINS": "*"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    times = re.findall(r"^import time: +(\d+) \| +\d+ \| +(\S+)$", done.stderr, re.MULTILINE)
    return json.loads(done.stdout), {name: int(micro) / 1000 for micro, name in times}


def parts(files: dict[str, str], times: dict[str, float]) -> dict[str, Part]:
    """By part of the package; "" for modules of its top folder."""
    found: dict[str, list[str]] = defaultdict(list)
    for name in files:
        first, _, rest = name.partition(".")
        if first == "parallel_pool":
            part = rest.partition(".")[0]
            folder = files.get(f"parallel_pool.{part}", "").endswith("__init__.py")
            found[part if folder else ""].append(name)
    return {
        part: Part(
            len(names),
            sum(times.get(name, 0) for name in names),
            sum(Path(files[name]).stat().st_size for name in names),
        )
        for part, names in sorted(found.items())
    }


def test_a_bare_pool_imports_what_it_needs(
    loaded: tuple[dict[str, str], dict[str, float]],
) -> None:
    files, times = loaded
    found = parts(files, times)
    print("\n| part | modules | ms | kB |\n|---|--:|--:|--:|")
    for part, each in found.items():
        name = f"`{part}`" if part else "top modules, `_core`"
        print(f"| {name} | {each.modules} | {each.milliseconds:.1f} | {each.size / 1000:.0f} |")
    others = sum(ms for name, ms in times.items() if not name.startswith("parallel_pool"))
    total = [sum(column) for column in zip(*found.values(), strict=True)]
    print(f"| together | {total[0]} | {total[1]:.1f} | {total[2] / 1000:.0f} |")
    print(f"| Python's library, Gymnasium, numpy, pluggy | | {others:.0f} | |")

    own = {name.split(".")[1] for name in files if name.startswith("parallel_pool.")}
    assert not own & APART
    assert {"views", "config", "registry", "_core"} <= own
    assert not {name.partition(".")[0] for name in files} & HEAVY


def test_nothing_of_a_family_is_imported(loaded: tuple[dict[str, str], dict[str, float]]) -> None:
    files, _ = loaded
    assert not [name for name in files if name.startswith("parallel_pool_")]
