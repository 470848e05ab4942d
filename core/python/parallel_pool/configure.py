"""From task ids and arguments to a PoolConfig, whatever the environments are. Builds none of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from parallel_pool.config.native import native_config
from parallel_pool.config.pool_config import PoolConfig
from parallel_pool.config.request import GYMNASIUM_PREFIX, sort_arguments
from parallel_pool.errors import OptionError
from parallel_pool.plugin_api import EnvSpec
from parallel_pool.registry import registry
from parallel_pool.workers.python_envs.configure import gymnasium_config, python_config


def resolve_all(task_id: str | Sequence[str]) -> list[EnvSpec]:
    """The environment of an id, or of each of several, which must be of one kind.

    Raises UnknownEnvError, AmbiguousEnvError, OptionError; warns of deprecated ones.
    """
    ids = [task_id] if isinstance(task_id, str) else list(task_id)
    if not ids:
        raise OptionError("there is no task id, expected one, or one per environment")
    resolved = {each: registry().resolve(each) for each in ids}
    for each in resolved.values():
        each.warn_if_deprecated(stacklevel=5)
    envs = [resolved[each].spec for each in ids]
    for number, env in enumerate(envs):
        if (env.family, env.native_id, env.backend) != (
            envs[0].family,
            envs[0].native_id,
            envs[0].backend,
        ):
            raise OptionError(
                f"environments 0 ({envs[0].id}) and {number} ({env.id}) cannot be in one pool: one is "
                f"{envs[0].native_id} in the library, the other {env.native_id}. Make a pool for each, on "
                "one parallel_pool.ThreadPool"
            )
    return envs


def make_config(task_id: str | Sequence[str], arguments: Mapping[str, Any]) -> PoolConfig:
    """Resolves and checks. Raises UnknownEnvError, AmbiguousEnvError, OptionError, PluginError."""
    ids = [task_id] if isinstance(task_id, str) else list(task_id)
    task_id = task_id if isinstance(task_id, str) else ids
    if any(isinstance(each, str) and each.startswith(GYMNASIUM_PREFIX) for each in ids):
        return gymnasium_config(sort_arguments(ids[0], task_id, arguments))
    envs = resolve_all(ids)
    request = sort_arguments(envs[0].id, task_id, arguments)
    if envs[0].backend != "native":
        return python_config(envs, request)
    return native_config(envs, request)


def in_envpools_layout_ids(task_id: str | Sequence[str]) -> str | Sequence[str]:
    """The ids whose spaces are laid out as EnvPool's, where an environment has two."""

    def one(each: str) -> str:
        if not isinstance(each, str) or each.startswith(GYMNASIUM_PREFIX):
            return each
        return registry().resolve(each).spec.envpool_layout or each

    return one(task_id) if isinstance(task_id, str) else [one(each) for each in task_id]


def with_envpools_options(
    task_id: str | Sequence[str], arguments: Mapping[str, Any]
) -> Mapping[str, Any]:
    """The arguments, and options of the first id's environment that give it EnvPool's keys."""
    first = task_id if isinstance(task_id, str) else next(iter(task_id), None)
    if not isinstance(first, str) or first.startswith(GYMNASIUM_PREFIX):
        return arguments
    return {**registry().resolve(first).spec.envpool_options, **arguments}
