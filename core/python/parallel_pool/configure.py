"""From task ids and arguments to a PoolConfig, whatever the environments are. Builds none of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from parallel_pool.config.native import describe_native
from parallel_pool.config.pool_config import PoolConfig
from parallel_pool.config.request import GYMNASIUM_PREFIX, sort_arguments
from parallel_pool.config.resolve import resolve
from parallel_pool.errors import OptionError
from parallel_pool.registry import ResolvedEnv, registry
from parallel_pool.workers.python_envs.configure import describe_gymnasium, describe_python


def ids_of(task_id: str | Iterable[str]) -> list[str]:
    """The ids, one for all environments or one each. Raises OptionError for what is no text."""
    whole = isinstance(task_id, (str, bytes, AbstractSet, Mapping)) or not isinstance(
        task_id, Iterable
    )
    whole = whole or getattr(task_id, "ndim", 1) == 0  # an array of numpy
    ids: list[Any] = [task_id] if whole else list(task_id)
    for each in ids:
        if not isinstance(each, str):
            raise OptionError(
                f"the task id is {each!r}, expected a text such as 'CartPole-v1', or a list with one text for "
                "each environment: `parallel-pool list` shows all"
            )
    return ids


def resolve_all(task_id: str | Sequence[str]) -> list[ResolvedEnv]:
    """The environment of an id, or of each of several, which must be of one kind.

    Raises UnknownEnvError, AmbiguousEnvError, OptionError; warns of deprecated ones.
    """
    ids = ids_of(task_id)
    if not ids:
        raise OptionError("there is no task id, expected one, or one per environment")
    resolved = {each: registry().resolve(each) for each in ids}
    for each in resolved.values():
        each.warn_if_deprecated(stacklevel=5)
    envs = [resolved[each] for each in ids]
    first = envs[0].spec
    for number, env in enumerate(each.spec for each in envs):
        python = env.backend == "python" and env.native_id != first.native_id
        if (env.family, env.backend) != (first.family, first.backend) or python:
            raise OptionError(
                f"environments 0 ({first.id}) and {number} ({env.id}) cannot be in one pool: they are not "
                "of one library. Make a pool for each, on one parallel_pool.ThreadPool"
            )
    return envs


def make_config(task_id: str | Sequence[str], arguments: Mapping[str, Any]) -> PoolConfig:
    """Resolves and checks. Raises UnknownEnvError, AmbiguousEnvError, OptionError, PluginError."""
    ids = ids_of(task_id)
    if any(each.startswith(GYMNASIUM_PREFIX) for each in ids):
        whole = task_id if isinstance(task_id, str) else ids
        return resolve(describe_gymnasium(sort_arguments(ids[0], whole, arguments)))
    ids, arguments = choose_variants(ids, arguments)
    task_id = ids[0] if isinstance(task_id, str) else ids
    envs = resolve_all(ids)
    first = envs[0].spec
    request = sort_arguments(first.id, task_id, arguments)
    describe = describe_native if first.backend == "native" else describe_python
    return resolve(describe(envs, request))


def choose_variants(
    ids: list[str], arguments: Mapping[str, Any]
) -> tuple[list[str], Mapping[str, Any]]:
    """The ids that options such as `continuous` choose, and the arguments without these.

    Raises OptionError for a value that chooses nothing.
    """
    taken = set()

    def chosen(task_id: str) -> str:
        for name, by_value in registry().resolve(task_id).spec.variants.items():
            if name not in arguments:
                continue
            value = arguments[name]
            if not isinstance(value, (bool, str)) or value not in by_value:
                raise OptionError(
                    f"{name} is {value!r}, expected {' or '.join(map(repr, by_value))}: it decides the spaces "
                    f"of {task_id}, so it is one value for all environments of a pool"
                )
            taken.add(name)
            return by_value[value]
        return task_id

    names = {each: chosen(each) for each in dict.fromkeys(ids)}
    left = {name: value for name, value in arguments.items() if name not in taken}
    return [names[each] for each in ids], left


def in_envpools_layout_ids(task_id: str | Sequence[str]) -> str | Sequence[str]:
    """The ids of environments with EnvPool's layout, for environments with two layouts."""

    def one(each: str) -> str:
        if each.startswith(GYMNASIUM_PREFIX):
            return each
        return registry().resolve(each).spec.envpool_layout or each

    return one(task_id) if isinstance(task_id, str) else [one(each) for each in ids_of(task_id)]


def with_envpools_options(
    task_id: str | Sequence[str], arguments: Mapping[str, Any]
) -> Mapping[str, Any]:
    """The arguments, and options of the first id's environment that give it EnvPool's keys."""
    ids = ids_of(task_id)
    if not ids or ids[0].startswith(GYMNASIUM_PREFIX):
        return arguments
    return {**registry().resolve(ids[0]).spec.envpool_options, **arguments}
