"""Copies of this repository, for tests that change it."""

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def repository_copy(folder: Path) -> Path:
    """All files that git knows or would, as they are now, in that folder. Returns it."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout
    for name in filter(None, listed.split("\0")):
        source, target = ROOT / name, folder / name
        if source.is_file() and not source.is_symlink():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    return folder
