"""Lists what this plugin offers, as data. Imports nothing heavy and loads no library."""

from pathlib import Path

from parallel_pool.plugin_api import About, EnvSpec, Part, find_library, hookimpl


@hookimpl
def parallel_pool_envs() -> list[EnvSpec]:
    """Every environment of the family."""
    return [EnvSpec("{{ cookiecutter.family }}/{{ cookiecutter.env }}-v0")]


@hookimpl
def parallel_pool_about(spec: EnvSpec) -> About:
    """Returns what the numbers mean: `parallel-pool info` prints it."""
    return About(
        observation=(Part("height", "m"), Part("vertical speed", "m/s")),
        action=(Part("engine off"), Part("engine on")),
        reward="10 for landing slower than 1 m/s, else the speed; -0.01 for a step with the engine on",
        ends="on the ground",
    )


@hookimpl
def parallel_pool_library(family: str) -> Path:
    """The one library of this package."""
    return find_library(__package__, family)
