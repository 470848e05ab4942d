"""Frames of real games: colours, maximum of two screens, resize, rows kept, stack."""

import random

import numpy as np
import pytest
from atari_engine import Emulator, Pipeline

cv2 = pytest.importorskip("cv2")

GAMES = [
    "pong", "breakout", "seaquest", "space_invaders", "ms_pacman", "beam_rider", "qbert",
    "enduro", "pitfall", "montezuma_revenge", "alien", "air_raid", "tic_tac_toe_3d",
]  # fmt: skip


@pytest.mark.parametrize("gray", [True, False], ids=["gray", "rgb"])
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("steps", [150, pytest.param(400, marks=pytest.mark.slow)])
def test_frames_equal_opencv(game: str, gray: bool, steps: int) -> None:
    emulator = Emulator(game)
    emulator.reset()
    palette = emulator.palette()
    actions = emulator.minimal_actions()
    rng = random.Random(game)
    size = rng.choice([(84, 84), (96, 72), (210, 160), (64, 100)]) if not gray else (84, 84)
    pipeline = Pipeline(emulator, gray, *size, False, 4)
    stack = np.zeros_like(pipeline.out)
    for _ in range(steps):
        action = rng.choice(actions)
        screens = []
        for _ in range(4):
            emulator.act(action)
            screens.append(emulator.screen())
        if emulator.game_over():
            emulator.reset()
        planes = palette[:1] if gray else palette[1:]
        frame = [
            cv2.resize(
                np.maximum(plane[screens[2]], plane[screens[3]]),
                size[::-1],
                interpolation=cv2.INTER_AREA,
            )
            for plane in planes
        ]
        stack = np.concatenate([stack[1:], np.stack(frame)[None]])
        np.testing.assert_array_equal(pipeline.run(screens[3], screens[2]), stack)
