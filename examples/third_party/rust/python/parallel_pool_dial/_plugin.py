"""The hooks of the family `dial`."""

from pathlib import Path

from parallel_pool.plugin_api import EnvSpec, find_library, hookimpl


@hookimpl
def parallel_pool_envs() -> list[EnvSpec]:
    """The environments, as data."""
    return [EnvSpec("dial/Crack-v0")]


@hookimpl
def parallel_pool_library(family: str) -> Path:
    """The library beside this module."""
    return find_library(__package__, family)
