"""Describes Python environments that the registry does not know: ids of Gymnasium, and functions."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import gymnasium
from gymnasium.envs.registration import EnvSpec as GymnasiumSpec

from parallel_pool.config.arguments import PoolArguments
from parallel_pool.config.pool_config import Description
from parallel_pool.config.request import GYMNASIUM_PREFIX, PETTINGZOO_PREFIX, Request
from parallel_pool.errors import LibraryError, OptionError, UnknownEnvError
from parallel_pool.imports.undisturbed import import_undisturbed
from parallel_pool.plugin_api import EnvSpec
from parallel_pool.workers.python_envs.configure import (
    Factory,
    checked,
    described_as,
    drawing_in,
    factories_of,
)


def describe_gymnasium(request: Request) -> Description:
    """Describes environments of "gym:ID". Options are keyword arguments of `gymnasium.make`.

    The time limit stays the environment's, because its wrappers may need it.
    """
    task_id = _only(request, "Gymnasium's registry")
    spec = _find(task_id)
    name = spec.id.replace("/", ":") if spec.version is not None else f"{spec.id}-v0"
    env = EnvSpec(
        f"gym/{name}",
        backend="python",
        max_episode_steps=spec.max_episode_steps,
        reward_threshold=spec.reward_threshold,
    )
    arguments = checked(env, request.arguments)
    limit = arguments.max_episode_steps

    def factory(_: int, options: Mapping[str, Any], mode: str | None) -> Factory:
        return partial(gymnasium.make, spec, max_episode_steps=limit, **options, **drawing_in(mode))

    described = _found(env, task_id, arguments, request, factory, gymnasium.__version__)
    return replace(described, limit_inside=True)


def describe_pettingzoo(request: Request) -> Description:
    """Describes environments of "pettingzoo:MODULE:FUNCTION", of which the function makes a ParallelEnv.

    Options are its keyword arguments. Without a function it is `parallel_env`, as in PettingZoo's modules.
    """
    task_id = _only(request, "a function")
    module, _, name = task_id.removeprefix(PETTINGZOO_PREFIX).partition(":")
    _import_module(task_id, module)
    make = getattr(sys.modules[module], name or "parallel_env", None)
    if not callable(make):
        raise UnknownEnvError(
            f"{task_id!r}: the module {module!r} has no function {name or 'parallel_env'!r} that makes a "
            "pettingzoo.ParallelEnv: write pettingzoo:MODULE:FUNCTION"
        )
    env = EnvSpec(f"pettingzoo/{module.rpartition('.')[2]}-v0", backend="python")

    def factory(_: int, options: Mapping[str, Any], mode: str | None) -> Factory:
        return partial(make, **options, **drawing_in(mode))

    return _found(env, task_id, checked(env, request.arguments), request, factory, "0")


def _only(request: Request, source: str) -> str:
    """The only id that is asked for."""
    ids = [request.task_id] if isinstance(request.task_id, str) else list(request.task_id)
    for number, each in enumerate(ids):
        if each != ids[0]:
            raise OptionError(
                f"environments 0 ({ids[0]}) and {number} ({each}) cannot be in one pool: environments of "
                f"{source} must all have one id. Make a pool for each"
            )
    return ids[0]


def _found(
    env: EnvSpec,
    task_id: str,
    arguments: PoolArguments,
    request: Request,
    factory: Callable[[int, Mapping[str, Any], str | None], Factory],
    version: str,
) -> Description:
    """Describes environments that the registry does not know, with the render modes that one of them has."""
    described = described_as(
        env,
        task_id,
        arguments,
        request,
        factories=factories_of(task_id, factory, arguments, request, alike=True),
        task_id=task_id if isinstance(request.task_id, str) else list(request.task_id),
        options=request.options,
        version=version,
    )
    python = described.python
    assert python is not None
    env = replace(env, render_modes=python.render_modes, render_fps=python.render_fps)
    return replace(described, env=env)


def _find(task_id: str) -> GymnasiumSpec:
    module, _, name = task_id.removeprefix(GYMNASIUM_PREFIX).rpartition(":")
    if module:
        _import_module(task_id, module)
    try:
        spec = gymnasium.spec(name)
    except gymnasium.error.Error as error:
        raise UnknownEnvError(f"{task_id!r}: Gymnasium says: {error}") from None
    if isinstance(spec.entry_point, str):  # making the environment raises a better error
        with suppress(Exception):
            import_undisturbed(spec.entry_point.partition(":")[0])
    return spec


def _import_module(task_id: str, module: str) -> None:
    """The module in the id, which registers the environment."""
    try:
        if not all(map(str.isidentifier, module.split("."))):
            raise ImportError("this is no name of a module")
        import_undisturbed(module)
    except LibraryError:
        raise
    except ImportError as error:
        raise UnknownEnvError(
            f"{task_id!r}: the module {module!r}, which has the environment, cannot be imported "
            f"({error}): correct its name, install it, or put its folder into PYTHONPATH"
        ) from error
