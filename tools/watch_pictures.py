"""Makes the pictures of docs/watching.md: a mosaic, and the live page in a headless Chromium.

uv run python tools/watch_pictures.py      (apt-get install chromium chromium-driver)

With a checkpoint of `examples/training/ppo_discrete.py pong`, the film of the README, and nothing else:

uv run --group training python tools/watch_pictures.py results/pong/seed1.pt
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
TRAINED = (
    *("--policy", "examples/training/ppo_discrete.py:policy", "--num-envs", "18"),
    *("--option", "img_height=42", "--option", "img_width=42"),
    *("--steps", "600", "--every", "6", "--fps", "12", "--width", "480"),
)
SMALL = ("--steps", "200", "--every", "4", "--width", "480")


def trained(checkpoint: str) -> None:
    """Writes the film of a trained policy."""
    film = ("--checkpoint", checkpoint, "-o", str(IMAGES / "trained_pong.gif"))
    subprocess.run([*COMMAND, *TRAINED, *film], check=True, cwd=IMAGES.parents[1])


def main() -> None:
    """Writes them; each is below 300 kB."""
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
    if sys.argv[1:]:
        trained(str(Path(sys.argv[1]).resolve()))
    else:
        main()
