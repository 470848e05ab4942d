"""The actor of a RayPool: one pool."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from parallel_pool import EnvError
from parallel_pool.pool_api import GymnasiumPool, map_tree

from parallel_pool_ray.cluster import where_this_is
from parallel_pool_ray.sharding import Shard

_TOLD_ELSEWHERE = ("env_id", "_env_id", "final_obs", "_final_obs", "final_obs_dense")


@dataclass
class ActorResult:
    """The result of one call, in as few and as large arrays as possible."""

    obs: Any
    reward: Any = None
    """None: the result of a reset."""
    terminated: Any = None
    truncated: Any = None
    info: dict[str, Any] | None = None
    final_obs: Any = None
    """The rows of `info["_final_obs_dense"]` only, in order."""
    failures: dict[int, str] | None = None
    """The failures of an EnvError, by row."""
    seconds: float = 0.0
    """Seconds that the pool took."""


class PoolActor:
    """Steps parts of its pool. The pool is made by the first call, so that its errors reach the caller."""

    def __init__(self, shard: Shard) -> None:
        self._made: GymnasiumPool | None = None
        self._shard = shard

    @property
    def _pool(self) -> GymnasiumPool:
        if self._made is None:
            self._made = self._shard.make()
        return self._made

    def begin(self) -> dict[str, Any]:
        """Makes the pool, and returns its node and process."""
        return {**where_this_is(), "threads": self._pool.config["num_threads"]}

    def step(self, action: Any, ids: Any) -> ActorResult:
        """Steps these environments."""
        begin = time.perf_counter()
        result, failures = _with_failures(ids, self._pool.step, action, ids)
        seconds = time.perf_counter() - begin
        obs, reward, terminated, truncated, info = result
        final = None
        if "final_obs_dense" in info:
            ended = info["_final_obs_dense"]
            if ended.any():
                final = map_tree(lambda array: array[ended], info["final_obs_dense"])
        for name in _TOLD_ELSEWHERE:
            info.pop(name, None)
        return ActorResult(obs, reward, terminated, truncated, info, final, failures, seconds)

    def reset(self, ids: Any, seeds: Any, options: Any) -> ActorResult:
        """Resets these environments."""
        begin = time.perf_counter()
        result, failures = _with_failures(ids, self._pool.reset, ids, seed=seeds, options=options)
        seconds = time.perf_counter() - begin
        obs, info = result
        for name in _TOLD_ELSEWHERE:
            info.pop(name, None)
        return ActorResult(obs, info=info, failures=failures, seconds=seconds)


def _with_failures(
    ids: Any, call: Callable[..., Any], *arguments: Any, **keywords: Any
) -> tuple[Any, dict[int, str] | None]:
    """The result of a call, which an EnvError has too, and the failures by row."""
    try:
        return call(*arguments, **keywords), None
    except EnvError as error:
        rows = {int(env): row for row, env in enumerate(ids)}
        return error.result, {rows[env]: said for env, said in error.failures.items()}
