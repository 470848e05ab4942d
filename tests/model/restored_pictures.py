"""Pictures of environments that were saved and of those that went on from their states elsewhere, and of
environments that were drawn in an earlier episode and of those that never were.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import parallel_pool

STEPS = 7
ELSEWHERE = [2, 0]
"""Where in another pool the two environments go on."""

CASES: dict[str, tuple[tuple[str, dict[str, Any]], ...]] = {
    "atari": (("Breakout-v5", {}), ("ALE/Pong-v5", {})),
    "box2d": (
        ("BipedalWalker-v3", {}),
        ("CarRacing-v3", {"domain_randomize": True}),
        ("LunarLander-v3", {"enable_wind": True}),
    ),
    "classic": (("CartPole-v1", {}), ("Taxi-v4", {}), ("TwoPlayerPong-v0", {})),
    "dmc": (("dmc/cheetah-run-v1", {}), ("dmc/reacher-hard-v1", {"legacy_step": False})),
    "minigrid": (("MiniGrid-DoorKey-8x8-v0", {}), ("BabyAI-GoToLocal-v0", {"highlight": False})),
    "mujoco": (("Ant-v5", {}),),
    "tasks": (("tasks/Cheetah-v0", {}),),
}
"""By family."""
NEED_OPENGL = ("dmc", "mujoco", "tasks")
SMALL = {"render_width": 120, "render_height": 120}
"""For the families that draw in OpenGL."""

BEGIN: dict[str, Callable[[Any], Any]] = {
    "reset": lambda pool: pool.reset(),
    "set_state": lambda pool: pool.set_state([0, 1], pool.get_state()[::-1]),
    "clone": lambda pool: pool.clone(0, [1]),
}
"""What leads elsewhere in the middle of an episode."""


def compare(family: str) -> None:
    """Save, draw, restore elsewhere, draw: equal, then and after the next step."""
    for env, options in CASES[family]:
        if family in NEED_OPENGL:
            options = {**options, **SMALL}
        with (
            _played(env, num_envs=2, seed=1, render_mode="rgb_array", **options) as pool,
            _played(env, num_envs=3, seed=9, render_mode="rgb_array", **options) as other,
        ):
            other.set_state(ELSEWHERE, pool.get_state())
            actions = pool.action_space.sample()
            for _ in range(2):
                np.testing.assert_equal(pool.render(), other.render(ELSEWHERE), env)
                pool.step(actions)
                other.step(actions, ELSEWHERE)


def compare_drawn_before(family: str) -> None:
    """Draw or not, begin otherwise, play on, draw: equal, then and after the next step."""
    for env, options in CASES[family]:
        for way, begin in BEGIN.items():
            with (
                _played(env, num_envs=2, seed=1, render_mode="rgb_array", **options) as drawn,
                _played(env, num_envs=2, seed=1, render_mode="rgb_array", **options) as other,
            ):
                drawn.render()
                begin(drawn)
                begin(other)
                for _ in range(2):
                    actions = drawn.action_space.sample()
                    drawn.step(actions)
                    other.step(actions)
                    np.testing.assert_equal(drawn.render(), other.render(), f"{env}, {way}")


def compare_observed(env: str) -> None:
    """The same where pictures are observed, with older ones beside the newest."""
    options = {"from_pixels": True, "frame_stack": 3, "render_quality": "fast"}
    options |= {"width": 32, "height": 32}
    camera = {"default_camera_config": {"lookat": [0, 0, 0.5], "distance": 3.0}}
    with (
        _played(env, num_envs=2, seed=1, **options, **camera) as pool,
        _played(env, num_envs=3, seed=9, **options, **camera) as other,
    ):
        other.set_state(ELSEWHERE, pool.get_state())
        actions = pool.action_space.sample()
        np.testing.assert_array_equal(pool.step(actions)[0], other.step(actions, ELSEWHERE)[0])


def _played(env: str, **arguments: Any) -> Any:
    pool = parallel_pool.make(env, num_threads=1, **arguments)
    pool.reset()
    pool.action_space.seed(arguments["seed"])
    for _ in range(STEPS):
        pool.step(pool.action_space.sample())
    return pool
