"""The environments of this plugin, as data. Imports nothing heavy and loads no library."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from parallel_pool.plugin_api import About, EnvSpec, find_library, hookimpl

RACES = ("box2d/CarRacing-v3", "box2d/CarRacingDiscrete-v3")

ENVS = (
    EnvSpec(
        "box2d/LunarLander-v3",
        aliases=("LunarLander-v3", "LunarLander-v2"),
        render_modes=("rgb_array",),
        render_fps=50,
    ),
    EnvSpec(
        "box2d/LunarLanderContinuous-v3",
        native="box2d/LunarLander-v3",
        summary="Land between two flags with two throttles",
        options={"continuous": True},
        aliases=("LunarLanderContinuous-v3", "LunarLanderContinuous-v2"),
        render_modes=("rgb_array",),
        render_fps=50,
    ),
    EnvSpec(
        "box2d/BipedalWalker-v3",
        aliases=("BipedalWalker-v3",),
        render_modes=("rgb_array",),
        render_fps=50,
        tags=("history",),
    ),
    EnvSpec(
        "box2d/BipedalWalkerHardcore-v3",
        native="box2d/BipedalWalker-v3",
        summary="Walk on two legs over stumps, stairs and pits",
        options={"hardcore": True},
        aliases=("BipedalWalkerHardcore-v3",),
        render_modes=("rgb_array",),
        render_fps=50,
        tags=("history",),
    ),
    EnvSpec(
        "box2d/CarRacing-v3",
        reward_threshold=900,
        aliases=("CarRacing-v3", "CarRacing-v2"),
        render_modes=("rgb_array",),
        render_fps=50,
        tags=("history",),
    ),
    EnvSpec(
        "box2d/CarRacingDiscrete-v3",
        native="box2d/CarRacing-v3",
        summary="Drive a lap with five actions",
        options={"continuous": False},
        reward_threshold=900,
        aliases=("CarRacingDiscrete-v3",),
        render_modes=("rgb_array",),
        render_fps=50,
        tags=("history",),
    ),
)


@hookimpl
def parallel_pool_envs() -> tuple[EnvSpec, ...]:
    """Every environment of the family."""
    return ENVS


@hookimpl
def parallel_pool_about(spec: EnvSpec) -> About | None:
    """Describes observations, actions, rewards and ends."""
    from parallel_pool_box2d._about import about

    return about(spec)


@hookimpl
def parallel_pool_library(family: str) -> Path:
    """The one library of this package."""
    return find_library(__package__, family)


@hookimpl
def parallel_pool_options(spec: EnvSpec, options: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The digits of CarRacing's score, and where its last action is repeated less often."""
    if spec.id not in RACES:
        return None
    from parallel_pool_box2d._score_font import score_font

    completed = {**options, "score_font": score_font(spec.id)}
    if spec.max_episode_steps is not None:
        completed["race_steps"] = spec.max_episode_steps * options.get("frame_skip", 1)
    return completed
