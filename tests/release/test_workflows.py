"""The workflows on hosted machines, as far as they can be tested here: schema, paths, and what they build."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from parallel_pool.cli.scaffold import write_plugin

sys.path.append(str(Path(__file__).parents[2] / "tools"))
from families import families, packages

ROOT = Path(__file__).parents[2]

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
PLATFORMS = {
    "linux": {"manylinux_x86_64", "manylinux_aarch64"},
    "macos": {"macosx_arm64"},
    "windows": {"win_amd64"},
}
"""By cibuildwheel's name: what wheels are for."""

LIST = """
import contextlib, sys
from cibuildwheel.__main__ import main

for folder in sys.argv[1:]:
    for arguments in (["linux", "--archs", "x86_64,aarch64"], ["macos"], ["windows"]):
        print("--", folder, arguments[0], flush=True)
        sys.argv = ["cibuildwheel", "--print-build-identifiers", "--platform", *arguments, folder]
        with contextlib.suppress(SystemExit):
            main()
        sys.stdout.flush()
"""


def test_schema(tmp_path: Path) -> None:
    """Our workflows, and those of a new plugin."""
    plugin = write_plugin({"family": "lander", "author": "Ada"}, tmp_path)
    new = sorted((plugin / ".github/workflows").glob("*.yml"))
    assert (len(WORKFLOWS), len(new)) == (4, 2)
    tool = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows"]
    done = subprocess.run([*tool, *WORKFLOWS, *new], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    tool[-1] = "vendor.renovate"
    updater = ROOT / ".github/renovate.json"
    done = subprocess.run([*tool, updater], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def steps(path: Path) -> Iterator[dict[str, Any]]:
    for job in yaml.safe_load(path.read_text())["jobs"].values():
        yield from job["steps"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_what_is_run_exists(path: Path) -> None:
    """Files and folders of this repository in the commands."""
    words = [
        word for step in steps(path) for word in step.get("run", "").replace("\\", "/").split()
    ]
    named = [word for word in words if re.match(r"(\.ci|tests|tools|plugins|core)/", word)]
    assert named
    for name in named:
        assert (ROOT / name).exists(), name


def test_every_python_runs_the_tests() -> None:
    """Those that the core has wheels for, but for the free-threaded one, which .ci/run tests."""
    core = tomllib.loads((ROOT / "core/pyproject.toml").read_text())["tool"]["cibuildwheel"]
    built = [re.fullmatch(r"cp3(\d+)-\*", each) for each in core["build"]]
    jobs = yaml.safe_load((ROOT / ".github/workflows/platforms.yml").read_text())["jobs"]
    matrix = jobs["pythons"]["strategy"]["matrix"]
    assert matrix["python"] == [f"3.{each[1]}" for each in built if each]


def test_wheels_of_every_platform() -> None:
    """Core for each Python, plugins once per platform, as docs/platforms.md has it."""
    known = families()
    folders = {name: str(folder.relative_to(ROOT)) for name, folder in packages().items()}
    done = subprocess.run(
        [sys.executable, "-c", LIST, *folders.values()],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    built = {
        tuple(head.split()): set(lines)
        for head, *lines in (part.splitlines() for part in done.stdout.split("-- ")[1:])
    }
    for name, folder in folders.items():
        pythons = ["cp311", "cp312", "cp313", "cp314", "cp314t"] if name == "core" else ["cp311"]
        for platform, tags in PLATFORMS.items():
            system = {"macos": "darwin", "windows": "win32"}.get(platform, platform)
            if name != "core" and not known[name].can_be_built(system):
                continue  # tools/release.py folder: nothing is built there
            wanted = {f"{python}-{tag}" for python in pythons for tag in tags}
            assert built[folder, platform] == wanted


def test_the_updater_finds_every_pin() -> None:
    """Its patterns, which JavaScript reads, beside the constraints as a parser of TOML has them."""
    config = json.loads((ROOT / ".github/renovate.json").read_text())
    lists, pin = (
        each.replace("(?<", "(?P<") for each in config["customManagers"][0]["matchStrings"]
    )
    text = (ROOT / "pyproject.toml").read_text()
    found = {
        f"{each['depName']}=={each['currentValue']}"
        for part in re.findall(lists, text)
        for each in re.finditer(pin, part)
    }
    table = tomllib.loads(text)["tool"]["uv"]
    pinned = {pin for key, pins in table.items() if key.endswith("-dependencies") for pin in pins}
    assert found == {each for each in pinned if "==" in each}
