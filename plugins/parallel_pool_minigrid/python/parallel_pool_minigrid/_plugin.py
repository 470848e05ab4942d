"""The environments of this plugin, as data. Imports nothing heavy and loads no library."""

from pathlib import Path

from parallel_pool.plugin_api import About, EnvSpec, find_library, hookimpl

from parallel_pool_minigrid._babyai import BABYAI
from parallel_pool_minigrid._minigrid import MINIGRID

ENVS = (*MINIGRID, *BABYAI)


@hookimpl
def parallel_pool_envs() -> tuple[EnvSpec, ...]:
    """Every environment of the family."""
    return ENVS


@hookimpl
def parallel_pool_about(spec: EnvSpec) -> About:
    """Describes observations, actions, rewards and ends."""
    from parallel_pool_minigrid._about import about

    return about(spec)


@hookimpl
def parallel_pool_library(family: str) -> Path:
    """The one library of this package."""
    return find_library(__package__, family)
