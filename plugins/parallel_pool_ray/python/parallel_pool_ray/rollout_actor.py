"""The actor of a RolloutPool: a pool, a RolloutBuffer and a policy."""

from __future__ import annotations

import time
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from parallel_pool import EnvError
from parallel_pool.pool_api import map_tree
from parallel_pool_learning.arrays import as_numpy
from parallel_pool_learning.rollout import Rollout
from parallel_pool_learning.rollout_buffer import RolloutBuffer

from parallel_pool_ray.cluster import ray, where_this_is
from parallel_pool_ray.policies import ConcurrentPolicy
from parallel_pool_ray.sharding import Shard


@dataclass(frozen=True)
class Fragment(Rollout):
    """A rollout of one actor: T steps of N environments, in contiguous numpy arrays that the caller owns.

    `env_id` and `episodes["env_id"]` are numbers among the environments of all actors.
    """

    env_id: Any
    """Shape (N,): the environments' numbers among those of all actors."""
    pool_id: int
    """The number of the actor."""
    generation: int
    """The number of times that the actor was replaced."""
    policy_version: int
    """The version of the weights that chose the actions: how many were pushed before."""
    failures: dict[int, str]
    """Errors of environments that failed, by `env_id`; their episodes were truncated, and they were reset."""
    seconds: float
    """Seconds that the fragment took, including the policy."""


@dataclass(frozen=True)
class RolloutConfig:
    """The settings that all actors share."""

    policy: Any
    takes_weights: bool
    num_steps: int
    gamma: float
    gae_lambda: float


class RolloutActor:
    """Collects rollouts. The pool is made by the first call, so that its errors reach the caller."""

    def __init__(
        self,
        shard: Shard,
        config: RolloutConfig,
        identity: tuple[int, int],
        policy_seed: int,
    ) -> None:
        self._shard, self._config, self._policy_seed = shard, config, policy_seed
        self._pool_id, self._generation = identity
        self._version = -1
        self._buffer: RolloutBuffer | None = None

    def begin(self) -> dict[str, Any]:
        """Makes the pool, and returns its node and process."""
        self._make()
        return {**where_this_is(), "threads": self._pool.config["num_threads"]}

    def _make(self) -> RolloutBuffer:
        if self._buffer is None:
            config = self._config
            self._pool = self._shard.make()
            self._policy = ConcurrentPolicy(
                config.policy, takes_weights=config.takes_weights, seed=self._policy_seed
            )
            self._buffer = RolloutBuffer(
                self._pool,
                config.num_steps,
                gamma=config.gamma,
                gae_lambda=config.gae_lambda,
                output=self._policy.output,
            )
            self._buffer.reset()
        return self._buffer

    def roll(self, version: int, weights: list[Any], seconds: float = 0.0) -> list[dict[str, Any]]:
        """The next fragment, and further ones until `seconds` have passed.

        weights: those of this version, as [] or a reference to them.
        """
        begin = time.perf_counter()
        buffer = self._make()
        if version != self._version:
            if weights:
                self._policy.load(ray.get(weights[0]))
            self._version = version
        fragments = [self._fragment(buffer)]
        while time.perf_counter() - begin < seconds:
            # The buffer overwrites the arrays of its last rollout.
            fragments[-1] = map_tree(_kept, fragments[-1])
            fragments.append(self._fragment(buffer))
        return fragments

    def _fragment(self, buffer: RolloutBuffer) -> dict[str, Any]:
        begin, failures = time.perf_counter(), dict[int, str]()
        while not buffer.full:
            action, value, extras = self._policy.act(buffer.obs)
            try:
                buffer.step(action, value, **extras)
            except EnvError as error:  # the step is kept, with the others' rows
                buffer.reset(list(error.failures))
                failures |= error.failures
        rollout = buffer.finish(self._policy.value)
        first = self._pool_id * len(self._pool)
        columns = {
            each.name: map_tree(as_numpy, getattr(rollout, each.name)) for each in fields(Rollout)
        }
        columns["episodes"] = {**rollout.episodes, "env_id": rollout.episodes["env_id"] + first}
        return {
            **columns,
            "env_id": np.arange(first, first + len(self._pool)),
            "pool_id": self._pool_id,
            "generation": self._generation,
            "policy_version": self._version,
            "failures": {first + env: said for env, said in failures.items()},
            "seconds": time.perf_counter() - begin,
        }


def _kept(leaf: Any) -> Any:
    return leaf.copy() if isinstance(leaf, np.ndarray) else leaf
