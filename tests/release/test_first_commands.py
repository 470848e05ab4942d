"""What the README tells a newcomer to do first, in an empty environment, with a folder for an index.

On each Python that uv finds on this machine: the core is built for it, the plugins' wheels are those installed.
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import release
from test_envs.code_blocks import BLOCK

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
COMMANDS = ("parallel-pool list", "parallel-pool info Pong-v5", "parallel-pool doctor")

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1500)]


def said(*command: str | Path, folder: Path | None = None) -> str:
    kept = {key: os.environ[key] for key in os.environ if not key.startswith(("PYTHON", "VIRTUAL"))}
    done = subprocess.run(
        list(map(str, command)), cwd=folder, env=kept, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{shlex.join(map(str, command))}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def plugins(tmp_path_factory: pytest.TempPathFactory) -> Path:
    dist = tmp_path_factory.mktemp("plugins")
    said(sys.executable, ROOT / "tools/wheels.py", "pack", dist, *release.FAMILIES)
    return dist


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_the_first_commands_of_the_readme(version: str, plugins: Path, tmp_path: Path) -> None:
    found = subprocess.run(
        ["uv", "python", "find", "--no-project", "--no-python-downloads", version],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    if found.returncode != 0:
        pytest.skip(f"no Python {version} is here")
    python, core = found.stdout.strip(), tmp_path / "core"
    said("uv", "build", "--quiet", "--wheel", "--python", python, "--out-dir", core, ROOT / "core")
    said(python, "-m", "venv", tmp_path / "venv")
    bin_ = tmp_path / "venv/bin"

    installing = next(line for line in README.splitlines() if line.startswith("pip install "))
    words = shlex.split(installing, comments=True)
    assert words == ["pip", "install", "parallel-pool[all]"]
    links = ["--find-links", core, "--find-links", plugins]
    said(bin_ / "python", "-m", *words, "--quiet", *links, folder=tmp_path)

    if int(version.partition(".")[2]) >= 13:
        # dm_control is not there yet, and the fix that doctor names is the README's.
        without = subprocess.run(
            [bin_ / "parallel-pool", "doctor"], capture_output=True, text=True, check=False
        ).stdout
        alone = ("pip", "install", "--no-deps", "dm-control==1.0.50", "mujoco==3.17.0")
        assert shlex.join(alone) in without.replace("'", "")
        assert shlex.join(alone) in README.replace('"', "")
        said(bin_ / "python", "-m", *alone, "--quiet")
    for number, block in enumerate(BLOCK.findall(README)):
        program = tmp_path / f"block_{number}.py"
        program.write_text(block, "utf-8")
        said(bin_ / "python", program, folder=tmp_path)
    for command in COMMANDS:
        assert f"`{command}`" in re.sub(r"\s+", " ", README), command
        name, *arguments = shlex.split(command)
        assert said(bin_ / name, *arguments, folder=tmp_path)
    listed = said(bin_ / "parallel-pool", "list", folder=tmp_path)
    assert {line.partition("/")[0] for line in listed.splitlines()} == set(release.FAMILIES)
