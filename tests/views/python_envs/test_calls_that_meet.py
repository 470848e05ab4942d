"""Calls of several threads for the same environments."""

import threading
from typing import Any

import gymnasium
import parallel_pool
from parallel_pool import AlreadyPendingError
from test_envs.checks import refused
from test_envs.python_envs import Drawn


class Posing(Drawn):
    """Is drawn for as long as a test wants it to be."""

    drawing, drawn = threading.Event(), threading.Event()

    def render(self) -> Any:
        self.drawing.set()
        assert self.drawn.wait(60)
        return super().render()


gymnasium.register("Posing-v0", Posing)


def test_a_call_that_meets_another_threads_picture_says_so() -> None:
    with parallel_pool.make(
        "gym:Posing-v0", num_envs=2, isolation="thread", render_mode="rgb_array"
    ) as pool:
        pool.reset()
        artist = threading.Thread(target=pool.render, args=([1],))
        artist.start()
        assert Posing.drawing.wait(60)
        try:
            # A step needs the pool to itself, whichever environments it is for.
            for use in (
                lambda: pool.send([0, 0]),
                lambda: pool.step([0], [0]),
                lambda: pool.get_state([1]),
            ):
                with refused(AlreadyPendingError, "environment 1 is in another call (render, "):
                    use()
        finally:
            Posing.drawn.set()
        artist.join(60)
        pool.step([0, 0])
