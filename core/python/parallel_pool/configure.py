"""From task ids and arguments to a PoolConfig, whatever the environments are. Builds none of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import Any

from parallel_pool.config.native import describe_native
from parallel_pool.config.pool_config import PoolConfig
from parallel_pool.config.request import GYMNASIUM_PREFIX, PETTINGZOO_PREFIX, sort_arguments
from parallel_pool.config.resolve import resolve
from parallel_pool.errors import OptionError
from parallel_pool.ids import Ids
from parallel_pool.plugin_api import EnvSpec
from parallel_pool.registry import ResolvedEnv, registry
from parallel_pool.workers.python_envs.configure import describe_python
from parallel_pool.workers.python_envs.not_registered import describe_gymnasium, describe_pettingzoo


def make_config(
    task_id: Ids,
    arguments: Mapping[str, Any],
    *,
    defaults: Callable[[EnvSpec], Mapping[str, Any]] | None = None,
    envpools_layout: bool = False,
    by_index: bool = False,
) -> PoolConfig:
    """Resolves and checks. Raises UnknownEnvError, AmbiguousEnvError, OptionError, PluginError.

    defaults: arguments that an environment of a plugin has unless they are given, for the first id's spec.
    envpools_layout: for environments with two, the layout of observations that EnvPool has.
    by_index: the library is loaded where its index does not say all, or when a pool is built.
    """
    ids = ids_of(task_id)
    one = isinstance(task_id, str) or hasattr(task_id, "parallel_pool_id")
    for prefix, describe in _BY_PREFIX.items():
        if any(each.startswith(prefix) for each in ids):
            return resolve(describe(sort_arguments(ids[0], ids[0] if one else ids, arguments)))
    if not ids:
        raise OptionError("there is no task id, expected one, or one per environment")
    find = cache(registry().resolve)
    if defaults is not None:
        arguments = {**defaults(find(ids[0]).spec), **arguments}
    if envpools_layout:
        ids = [find(each).spec.envpool_layout or each for each in ids]
    envs = [find(each) for each in ids]
    for each in dict(zip(ids, envs, strict=True)).values():
        each.warn_if_deprecated()
    _expect_one_kind(envs)
    first = envs[0].spec
    request = sort_arguments(first.id, ids[0] if one else ids, arguments)
    request = replace(request, by_index=by_index)
    native = arguments.get("backend", first.backend) != "python"
    return resolve((describe_native if native else describe_python)(envs, request))


@contextmanager
def explaining_memory() -> Iterator[None]:
    """Python's and NumPy's MemoryErrors do not say what helps; the core's do, in these words."""
    try:
        yield
    except MemoryError as error:
        if str(error).startswith("out of memory"):
            raise
        raise MemoryError(
            "out of memory: a pool with fewer environments (num_envs) needs less; or allow "
            "this process more (`ulimit -v`, the limit of its container)"
        ) from error


_BY_PREFIX = {GYMNASIUM_PREFIX: describe_gymnasium, PETTINGZOO_PREFIX: describe_pettingzoo}


def ids_of(task_id: Any) -> list[str]:
    """The ids, one for all environments or one each. Raises OptionError for what is neither a text nor has one.

    Objects of plugins, such as classes that say what an environment does, have a `parallel_pool_id()`.
    """
    whole = isinstance(task_id, (str, bytes, AbstractSet, Mapping))
    # Arrays of numpy without dimensions have an __iter__ too.
    whole = whole or not isinstance(task_id, Iterable) or getattr(task_id, "ndim", 1) == 0
    given: list[Any] = [task_id] if whole else list(task_id)
    ids = [each.parallel_pool_id() if hasattr(each, "parallel_pool_id") else each for each in given]
    for each in ids:
        if not isinstance(each, str):
            raise OptionError(
                f"the task id is {each!r}, expected a text such as 'CartPole-v1', or a list with one text for "
                "each environment: `parallel-pool list` shows all"
            )
    return ids


def _expect_one_kind(envs: Sequence[ResolvedEnv]) -> None:
    """Raises OptionError for environments that cannot be in one pool."""
    first = envs[0].spec
    for number, env in enumerate(each.spec for each in envs):
        python = env.backend == "python" and env.native_id != first.native_id
        if (env.family, env.backend) != (first.family, first.backend) or python:
            raise OptionError(
                f"environments 0 ({first.id}) and {number} ({env.id}) cannot be in one pool: they are not "
                "of one library. Make a pool for each, on one parallel_pool.ThreadPool"
            )
