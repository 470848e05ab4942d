"""Builds the site: pictures of the environments, then the pages.

    uv run --group site python tools/site/build.py

It lies in build/site/html and needs no server. Warnings, a link or an anchor that leads nowhere among them, are
errors. Pictures that are there already are kept; the first time they take some minutes.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--pictures",
        nargs="*",
        metavar="FAMILY",
        help="draw these families only; none: no pictures",
    )
    families: list[str] | None = parser.parse_args().pictures
    if families is None or families:
        script = Path(__file__).with_name("pictures.py")
        subprocess.run([sys.executable, str(script), *(families or [])], check=True)
    build = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--config-file", "mkdocs.yml"]
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(build, cwd=ROOT, env=quiet, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
