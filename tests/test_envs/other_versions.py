"""Other versions of what is installed: before it on the path, in a process of their own."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from test_envs.programs import python


def run_with(requirements: list[str], script: str, folder: Path, *paths: Path) -> str:
    """What the script prints. requirements: installed without what they need themselves, into `folder`.

    paths: modules of the script's. A script that fails is an AssertionError with what it said.
    """
    site = folder / "site"
    pip = [sys.executable, "-m", "pip"] if find_spec("pip") else ["uv", "pip"]
    install = [*pip, "install", "--quiet", "--no-deps", "--target", str(site), *requirements]
    # In there, where uv finds no versions that this project pins.
    subprocess.run(install, check=True, timeout=600, cwd=folder)
    path = os.pathsep.join(map(str, (site, *paths)))
    return python("-c", script, folder=folder, seconds=1200, PYTHONPATH=path)
