"""What this plugin offers, as data. Imports nothing heavy and loads no library."""

from pathlib import Path

from parallel_pool.plugin_api import EnvSpec, find_library, hookimpl


@hookimpl
def parallel_pool_envs() -> list[EnvSpec]:
    """Every environment of the family."""
    return [
        EnvSpec(
            "{{ cookiecutter.family }}/{{ cookiecutter.env }}-v0",
            summary="Land softly before the fuel is gone",
            max_episode_steps=500,
        ),
    ]


@hookimpl
def parallel_pool_library(family: str) -> Path:
    """The one library of this package."""
    return find_library(__package__, family)
