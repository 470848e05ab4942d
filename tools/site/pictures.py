"""An animated picture of every environment: random actions, a few seconds.

    python tools/site/pictures.py [FAMILY...]

They lie in build/site/pictures; those that are there already are kept.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import parallel_pool
from catalogue import Group, families, folders
from PIL import Image

FOLDER = Path(__file__).resolve().parents[2] / "build" / "site" / "pictures"
WIDTH = 160
"""Pixels. Heights follow."""
FRAMES = 24
MILLISECONDS = 100
"""Between frames."""
SECONDS_OF_PLAY = 5.0


def main() -> int:
    """Draws what is missing; says what cannot be drawn, and why."""
    os.environ.setdefault("MUJOCO_GL", "egl")
    wanted, failed = sys.argv[1:], 0
    for family, groups in families():
        if wanted and family not in wanted:
            continue
        (FOLDER / family).mkdir(parents=True, exist_ok=True)
        for number, group in enumerate(groups, 1):
            path = path_of(family, group)
            if path.exists():
                continue
            try:
                save(film(group, folders()[family].picture_options), path)
            except (parallel_pool.ParallelPoolError, ImportError) as error:
                failed += 1
                print(f"\n{group.shown.id}: no picture: {error}".partition("\n\n")[0])
            print(f"\r{family} {number}/{len(groups)}", end="", flush=True)
        print()
    return failed


def path_of(family: str, group: Group) -> Path:
    """The file of a group's picture, which need not exist."""
    return FOLDER / family / f"{group.slug}.webp"


def film(group: Group, options: Mapping[str, Any]) -> list[Image.Image]:
    """Frames of the first environment of a pool, evenly over some seconds of play."""
    with parallel_pool.make(
        group.shown.id,
        seed=3,
        render_mode="rgb_array",
        render_camera_name=group.shown.spec and group.shown.spec.definition.env.film_camera,
        num_threads=1,
        **options,
    ) as pool:
        pool.reset()
        pool.action_space.seed(3)
        rate = pool.metadata.get("render_fps") or 30
        steps = max(1, round(SECONDS_OF_PLAY * rate / FRAMES))
        frames = []
        for _ in range(FRAMES):
            for _ in range(steps):
                pool.step(pool.action_space.sample())
            frames.append(small(np.asarray(pool.render())[0]))
    return frames


def small(frame: np.ndarray) -> Image.Image:
    """frame: (height, width, 3) uint8."""
    image = Image.fromarray(frame)
    return image.resize((WIDTH, round(image.height * WIDTH / image.width)), Image.Resampling.BOX)


def save(frames: list[Image.Image], path: Path) -> None:
    """Writes an animated WebP."""
    first, *others = frames
    first.save(path, save_all=True, append_images=others, duration=MILLISECONDS, loop=0, quality=55)


if __name__ == "__main__":
    sys.exit(main())
