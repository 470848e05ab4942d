"""What a worker process is sent, once: the environments that it builds. It is pickled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from parallel_pool.config.python_env import PythonEnv
    from parallel_pool.plugin_api import EnvSpec


@dataclass(frozen=True)
class NativeVariant:
    """How some environments of a plugin's library are built."""

    env: EnvSpec
    options: dict[str, Any]
    """Options for the library."""
    asked: dict[str, Any]
    """The options before the plugin completed them."""
    completed: bool
    """Whether the plugin changed them. A worker then asks its plugin again, because options may be valid in one
    process only, such as an address."""


@dataclass(frozen=True)
class NativeEnvs:
    """Environments of a plugin's library."""

    library: str
    env_id: str
    variants: Sequence[NativeVariant]
    variant_of: Sequence[int]
    """By environment, the number of its variant; of one element if all are alike."""


@dataclass(frozen=True)
class PythonEnvs:
    """Environments written in Python."""

    env: PythonEnv
    infos: bool
    """Whether their infos are wanted."""
