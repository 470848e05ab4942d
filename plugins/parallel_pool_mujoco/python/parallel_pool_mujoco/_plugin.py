"""The hooks. Light: MuJoCo is imported when the first environment is made."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from parallel_pool.plugin_api import Check, EnvSpec, Renderer, find_library, hookimpl

from parallel_pool_mujoco._envs import envs
from parallel_pool_mujoco._translate import translated


@hookimpl
def parallel_pool_envs() -> Iterator[EnvSpec]:
    """Every environment of the family."""
    return envs()


@hookimpl
def parallel_pool_library(family: str) -> Path:
    """The one library of this package."""
    return find_library(__package__, family)


@hookimpl
def parallel_pool_translate(spec: EnvSpec, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """EnvPool's names, and values that are dicts or of several types."""
    return translated(spec, options)


@hookimpl
def parallel_pool_options(spec: EnvSpec, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Compile the model and hand it over."""
    from parallel_pool_mujoco._models import check_ranges, model_option
    from parallel_pool_mujoco._numpy import norms_are_fused
    from parallel_pool_mujoco._view_options import check

    # Whatever is there: `make(**pool.config)` says what another pool had.
    model = model_option(spec.id, options)
    check_ranges(spec.id, options)
    check(spec, options)
    return {**options, "fused_norm": norms_are_fused(), "model": model}


@hookimpl
def parallel_pool_renderer(spec: EnvSpec, mode: str, arguments: Mapping[str, Any]) -> Renderer:
    """Gymnasium's renderer, on a copy of the environment's data."""
    from parallel_pool_mujoco._renderer import GymnasiumRenderer

    return GymnasiumRenderer(spec, mode, arguments)


@hookimpl
def parallel_pool_doctor() -> Iterator[Check]:
    """Whether MuJoCo is there and its structs are where they should be."""
    from parallel_pool.mujoco import INSTALL, MujocoError, binding_address

    try:
        binding_address()
    except MujocoError as error:
        yield Check("MuJoCo", False, str(error), INSTALL)
    else:
        import mujoco

        yield Check("MuJoCo", True, f"{mujoco.__version__}, structs checked against a living model")
