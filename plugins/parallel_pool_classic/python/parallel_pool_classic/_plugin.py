"""What this plugin offers, as data. Loads no library."""

from pathlib import Path

from parallel_pool.plugin_api import EnvSpec, find_library, hookimpl

from parallel_pool_classic._classic_control import CLASSIC_CONTROL
from parallel_pool_classic._toy_text import TOY_TEXT

ENVS = (*CLASSIC_CONTROL, *TOY_TEXT)


@hookimpl
def parallel_pool_envs() -> tuple[EnvSpec, ...]:
    """Every environment of the family."""
    return ENVS


@hookimpl
def parallel_pool_library(family: str) -> Path:
    """The one library of this package."""
    return find_library(__package__, family)
