"""The hooks. Light: nothing of vizdoom is imported, ever."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from parallel_pool.plugin_api import About, Check, EnvSpec, find_library, hookimpl

from parallel_pool_vizdoom._scenarios import envs


@hookimpl
def parallel_pool_envs() -> Iterator[EnvSpec]:
    """Every environment of the family."""
    return envs()


@hookimpl
def parallel_pool_about(spec: EnvSpec) -> About | None:
    """Describes observations, actions, rewards and ends."""
    from parallel_pool_vizdoom._about import about

    return about(spec)


@hookimpl
def parallel_pool_library(family: str) -> Path:
    """The one library of this package."""
    return find_library(__package__, family)


@hookimpl
def parallel_pool_translate(spec: EnvSpec, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Dicts and lists, as texts of a cfg."""
    from parallel_pool_vizdoom._scenario import translated

    return translated(spec, options)


@hookimpl
def parallel_pool_options(spec: EnvSpec, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Read the scenario's cfg."""
    from parallel_pool_vizdoom._scenario import completed

    return completed(spec, options)


@hookimpl
def parallel_pool_doctor() -> Iterator[Check]:
    """Checks that the engine and the scenarios are there."""
    from parallel_pool_vizdoom._package import INSTALL, VERSION, MissingError, package_folder

    try:
        folder = package_folder()
    except MissingError as error:
        yield Check("vizdoom", False, str(error), INSTALL)
        return
    yield Check("vizdoom", True, f"{VERSION} in {folder}")
