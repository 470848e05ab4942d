"""The workflows on hosted machines, as far as they can be tested here: schema, paths, and what they build."""

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import release
import yaml
from families import packages, plugins
from parallel_pool_author.cli.scaffold import write_plugin
from test_envs.programs import python

ROOT = Path(__file__).parents[2]

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
PLATFORMS = {
    "linux": {"manylinux_x86_64", "manylinux_aarch64"},
    "macos": {"macosx_arm64"},
    "windows": {"win_amd64"},
}
"""By cibuildwheel's name: what wheels are for."""

LIST = """
import contextlib, os, sys
from cibuildwheel.__main__ import main

for folder, pythons in zip(sys.argv[1::2], sys.argv[2::2]):
    os.environ["CIBW_BUILD"] = pythons
    for arguments in (["linux", "--archs", "x86_64,aarch64"], ["macos"], ["windows"]):
        print("--", folder, arguments[0], flush=True)
        sys.argv = ["cibuildwheel", "--config-file", "tools/cibuildwheel.toml"]
        sys.argv += ["--print-build-identifiers", "--platform", *arguments, folder]
        with contextlib.suppress(SystemExit):
            main()
        sys.stdout.flush()
"""


def test_schema(tmp_path: Path) -> None:
    """Our workflows, and those of a new plugin."""
    plugin = write_plugin({"family": "lander", "author": "Ada"}, tmp_path)
    new = sorted((plugin / ".github/workflows").glob("*.yml"))
    assert (len(WORKFLOWS), len(new)) == (4, 2)
    tool = ("-m", "check_jsonschema", "--builtin-schema")
    python(*tool, "vendor.github-workflows", *WORKFLOWS, *new)
    python(*tool, "vendor.renovate", ROOT / ".github/renovate.json")


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
    built = [re.fullmatch(r"cp3(\d+)-\*", each) for each in release.PYTHONS.split()]
    jobs = yaml.safe_load((ROOT / ".github/workflows/platforms.yml").read_text())["jobs"]
    matrix = jobs["pythons"]["strategy"]["matrix"]
    assert matrix["python"] == [f"3.{each[1]}" for each in built if each]


def test_wheels_of_every_platform() -> None:
    """Core for each Python, plugins once per platform, as docs/platforms.md has it."""
    known = plugins()
    folders = {
        name: str(folder.relative_to(ROOT))
        for name, folder in packages().items()
        if name == "core" or not known[name].library
    }
    about = [release.about_building(name) for name in folders]
    built_with = [each[key] for each in about for key in ("folder", "pythons")]
    said = python("-c", LIST, *built_with, folder=ROOT)
    built = {
        tuple(head.split()): set(lines)
        for head, *lines in (part.splitlines() for part in said.split("-- ")[1:])
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
