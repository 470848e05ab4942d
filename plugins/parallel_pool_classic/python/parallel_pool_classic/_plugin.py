"""What this plugin offers, as data. Loads no library."""

from pathlib import Path

from parallel_pool.plugin_api import EnvSpec, find_library, hookimpl

_CARTPOLE = "classic/CartPole-v1"

ENVS = (
    EnvSpec(
        "classic/CartPole-v0",
        native=_CARTPOLE,
        summary="Balance a pole on a cart, 200 steps",
        max_episode_steps=200,
        reward_threshold=195.0,
        aliases=("phys2d/CartPole-v0",),
    ),
    EnvSpec(
        "classic/CartPole-v1",
        summary="Balance a pole on a cart, 500 steps",
        max_episode_steps=500,
        reward_threshold=475.0,
        aliases=("phys2d/CartPole-v1",),
    ),
    EnvSpec(
        "classic/TwoPlayerPong-v0",
        summary="Pong for two, first to three points",
        max_episode_steps=1000,
    ),
)


@hookimpl
def parallel_pool_envs() -> tuple[EnvSpec, ...]:
    """Every environment of the family."""
    return ENVS


@hookimpl
def parallel_pool_library(family: str) -> Path:
    """The one library of this package."""
    return find_library(__package__, family)
