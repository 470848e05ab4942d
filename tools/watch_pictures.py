"""Makes the pictures of docs/watching.md: a mosaic, and the live page in a headless Chromium.

uv run python tools/watch_pictures.py      (apt-get install chromium chromium-driver)
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from browser import Browser

IMAGES = Path(__file__).resolve().parent.parent / "docs/images"
COMMAND = (sys.executable, "-m", "parallel_pool.cli", "watch", "Pong-v5")
SMALL = ("--steps", "200", "--every", "4", "--width", "480")


def main() -> None:
    """Writes them; both are below 300 kB."""
    subprocess.run([*COMMAND, *SMALL, "-o", str(IMAGES / "watch_pong.gif")], check=True)
    page = subprocess.Popen(
        [*COMMAND[:-1], "CartPole-v1", "--num-envs", "12", "--serve"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert page.stdout is not None
    address = re.match(r"http://\S+", page.stdout.readline())
    assert address is not None
    try:
        with tempfile.TemporaryDirectory() as folder, Browser(Path(folder), 1200, 800) as browser:
            browser.open(address[0])
            time.sleep(15)  # some episodes, for the plots
            browser.screenshot(IMAGES / "watch_page.png")
    finally:
        page.terminate()
        page.communicate(timeout=20)


if __name__ == "__main__":
    main()
