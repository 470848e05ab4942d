"""Pictures are ALE's own, whatever is between the machine and the observation."""

from typing import Any

import ale_py
import gymnasium
import numpy as np
import parallel_pool
import pytest
from parallel_pool.testing import Play, play_beside
from parallel_pool_author.testing.beside import made

gymnasium.register_envs(ale_py)
ale_py.ALEInterface.setLoggerMode(ale_py.LoggerMode.Error)

SLOW = [pytest.param(game, marks=pytest.mark.slow) for game in ("Breakout", "Seaquest")]


@pytest.mark.parametrize("game", ["Pong", *SLOW, "AirRaid"])
def test_pictures_equal_gymnasiums(game: str) -> None:
    def act(play: Play) -> Any:
        if play.step % 10 == 0:
            wanted = [env.render() for env in play.originals]
            np.testing.assert_array_equal(play.pool.render(), wanted)
        return play.sample()

    def original() -> Any:
        return made(f"ALE/{game}-v5", render_mode="rgb_array")

    with parallel_pool.make(f"ALE/{game}-v5", num_envs=2, render_mode="rgb_array") as pool:
        play_beside(pool, original, act, seed=7, steps=120)
