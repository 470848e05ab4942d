"""The common parts of pools with actors: one process has them, and its threads take turns."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, NoReturn, ParamSpec, TypeVar

from parallel_pool.pool_api import PoolConfig

from parallel_pool_ray.actor_group import ActorGroup

_Pool = TypeVar("_Pool", bound="OneByOne")
_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


class OneByOne:
    """A pool that is neither copied nor called by two threads at once."""

    _actors: ActorGroup
    _config: PoolConfig

    @property
    def config(self) -> dict[str, Any]:
        """The arguments of each actor's pool with their effective values."""
        return dict(self._config.values)

    @property
    def definition(self) -> PoolConfig:
        """The configuration of the first actor's pool; the others' differ in seeds, and where ids or
        `env_options` are listed in these.
        """
        return self._config

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError(
            f"a {type(self).__name__} cannot be pickled or copied, because its actors are of the process that "
            "made it: make another one with the same arguments"
        )


def in_turn(
    method: Callable[Concatenate[_Pool, _Arguments], _Result],
) -> Callable[Concatenate[_Pool, _Arguments], _Result]:
    """A method that waits until calls of other threads are over."""

    @wraps(method)
    def call(pool: _Pool, /, *arguments: _Arguments.args, **keywords: _Arguments.kwargs) -> _Result:
        with pool._actors.turn:
            return method(pool, *arguments, **keywords)

    return call
