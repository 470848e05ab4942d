"""An author's plugin and its conformance test."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from parallel_pool.plugin_api import Check, EnvSpec, hookimpl
from parallel_pool.testing import PluginConformance


@hookimpl
def parallel_pool_envs() -> Iterable[EnvSpec]:
    """One environment."""
    return [EnvSpec("mine/Walk-v0", summary="a walk", render_modes=("rgb_array",))]


@hookimpl
def parallel_pool_library(family: str) -> Path:
    """Where the library lies."""
    return Path(__file__).with_name(f"{family}.so")


@hookimpl
def parallel_pool_options(spec: EnvSpec, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Options as they were given."""
    return {**options, "name": spec.id}


@hookimpl
def parallel_pool_doctor() -> Iterator[Check]:
    """One line."""
    yield Check("data", True, "all there", advice="more of it")


class TestMine(PluginConformance):
    """What users of pools rely on."""

    plugin = "mine"
