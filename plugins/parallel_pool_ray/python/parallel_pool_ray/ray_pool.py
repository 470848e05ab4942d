"""One pool with environments in several actors of Ray."""

from __future__ import annotations

import time
import weakref
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from parallel_pool import EnvError, NothingPendingError
from parallel_pool.errors import OptionError
from parallel_pool.pool_api import spread, undisturbed

from parallel_pool_ray.actor_group import ActorGroup
from parallel_pool_ray.assembling import Assembler
from parallel_pool_ray.cluster import connect
from parallel_pool_ray.errors import LostEnvsError
from parallel_pool_ray.pool_actor import PoolActor
from parallel_pool_ray.request_tracker import RequestTracker
from parallel_pool_ray.requests import Request
from parallel_pool_ray.sharding import Sharding, actor_resources, raises_on_loss
from parallel_pool_ray.turns import OneByOne, in_turn

Result = tuple[Any, Any, Any, Any, dict[str, Any]]


class RayPool(OneByOne, VectorEnv[Any, Any, Any]):
    """`num_envs` environments in `pools` Ray actors, stepped as one pool: a `gymnasium.vector.VectorEnv`.

    Actor p has the environments p * n .. p * n + n - 1 (n = num_envs / pools), which calls name by these
    numbers. They are divided into `in_flight` lanes of equal size: while the results of one lane are
    transferred, the actor steps another lane.

    Args:
        task_id, num_envs: as for `parallel_pool.make`, and so are `options`.
        pools: the number of actors; num_envs must be a multiple of pools * in_flight.
        batch_size: rows per result, a multiple of the lane size. Below num_envs the pool is asynchronous:
            `recv` returns the lanes that finish first, and `send` takes whole lanes.
        seed: None: from entropy, and none for environments in Python; an int gives every actor, and every
            generation of it, different seeds.
        resources: of each actor; its pool has as many threads as the actor has CPUs.
        strategy: how Ray places the actors: "SPREAD", "PACK", "STRICT_SPREAD" or "STRICT_PACK".
        on_loss: "truncate": the environments of a lost actor are truncated, with `info["lost"]`, and continue
            in a new actor. "raise": LostEnvsError, and they need a reset.
        max_restarts: how often each actor may be replaced.
        timeout: seconds after which an actor that has not answered a call counts as lost; None: no limit.
        start_timeout: seconds until an actor's first answer.
        address: of the cluster, if Ray is not connected already.

    `info` has `env_id`, `pool_id`, `generation` and `lost`, and with infos="all" also the pool's own info; in
    SameStep mode it has `final_obs_dense`, but no `final_obs`. Arrays are writable and belong to the caller.

    Raises what `parallel_pool.make` raises, and ClusterError.
    """

    def __init__(
        self,
        task_id: str | Sequence[str],
        num_envs: int,
        *,
        pools: int,
        batch_size: int | None = None,
        in_flight: int = 2,
        seed: Any = None,
        resources: Mapping[str, float] | None = None,
        strategy: str = "SPREAD",
        on_loss: str = "truncate",
        max_restarts: int = 3,
        timeout: float | None = 60.0,
        start_timeout: float = 300.0,
        address: str | None = None,
        **options: Any,
    ) -> None:
        resources = actor_resources(resources, options)
        sharding = Sharding("RayPool", task_id, num_envs, pools, seed, options)
        sharding.expect_one_pool()
        self._raises = raises_on_loss(on_loss)
        if in_flight < 1 or sharding.rows % in_flight:
            raise OptionError(
                f"in_flight is {in_flight}, and each of {pools} pools has {sharding.rows} environments: pass "
                "what divides them"
            )
        self.lane_size = sharding.rows // in_flight
        rows = num_envs if batch_size in (None, 0) else int(batch_size or 0)
        if not 0 < rows <= num_envs or rows % self.lane_size:
            raise OptionError(
                f"batch_size is {rows}, expected a multiple of {self.lane_size}, the environments that come "
                f"together (num_envs / pools / in_flight), up to {num_envs}"
            )
        connect(address)
        self._config = sharding.config
        self.num_envs, self.batch_size, self.is_async = num_envs, rows, rows < num_envs
        self.autoreset_mode = AutoresetMode(self._config.arguments.autoreset_mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode}
        self.render_mode = None
        self.spec = sharding.spec
        self.single_observation_space = sharding.spec.observation_space
        self.single_action_space = sharding.spec.action_space
        self.observation_space = batch_space(self.single_observation_space, rows)
        self.action_space = batch_space(self.single_action_space, rows)
        same_step = self._config.keeps_last
        self._assembler = Assembler(self.single_observation_space, same_step=same_step)
        self._actors = ActorGroup(
            PoolActor,
            pools,
            arguments=lambda pool, generation: (sharding.shard(pool, generation),),
            resources=resources,
            strategy=strategy,
            timeout=timeout,
            start_timeout=start_timeout,
            max_restarts=max_restarts,
        )
        self._release = weakref.finalize(self, self._actors.close)
        self._tracker = RequestTracker(
            self._actors, sharding, in_flight, self.autoreset_mode, raises=self._raises
        )
        self._batches = self._rows_received = 0
        try:
            self.places = self._actors.begin()
        except BaseException:
            self._release()
            raise

    @property
    def all_env_ids(self) -> npt.NDArray[np.int32]:
        """0 .. num_envs - 1."""
        return np.arange(self.num_envs, dtype=np.int32)

    @in_turn
    def send(self, action: Any, env_id: Any = None) -> None:
        """Starts a step of the environments `env_id` (None: all) and returns at once.

        action: one row per environment, in the order of env_id. Raises ValueError, TypeError, IndexError,
        AlreadyPendingError or ResetNeededError before anything is sent; LostPoolError if the actor of an
        environment is lost and may not be replaced.
        """
        self._actors.expect_open()
        ids = self._tracker.ids(env_id)
        self._send(action, ids, by_lane=self.is_async)

    @in_turn
    def async_reset(
        self, env_id: Any = None, *, seed: Any = None, options: dict[str, Any] | None = None
    ) -> None:
        """Starts a reset of the environments `env_id` (None: all) and returns; `recv` returns the results."""
        self._actors.expect_open()
        ids = self._tracker.ids(env_id)
        self._begin_reset(ids, seed, options)

    @in_turn
    def recv(self, timeout: float | None = None) -> Result:
        """Returns the next batch: the result of the oldest call; in an asynchronous pool the lanes done first.

        timeout: seconds after which TimeoutError is raised; pending results stay pending. Raises
        NothingPendingError, EnvError, LostEnvsError.
        """
        self._actors.expect_open()
        count = self.batch_size // self.lane_size if self.is_async else 1
        if len(self._tracker.requests) < count:
            raise NothingPendingError(
                f"{len(self._tracker.requests)} of {count} parts of a batch are on their way: send or reset "
                "more"
            )
        end = None if timeout is None else time.monotonic() + timeout
        looked = False
        while True:
            chosen = self._tracker.finished(count, in_order=not self.is_async)
            if chosen:
                return self._hand_out(chosen)
            left = None if end is None else end - time.monotonic()
            if left is not None and left <= 0 and looked:
                raise TimeoutError(f"no batch within {timeout} seconds; it stays on its way")
            self._tracker.look(None if left is None else max(left, 0.0))
            looked = True

    @in_turn
    def step(self, actions: Any, env_id: Any = None) -> Result:
        """Returns (obs, reward, terminated, truncated, info), one row per environment."""
        self._actors.expect_open()
        return self._wait_for(self._send(actions, self._tracker.ids(env_id), by_lane=False))

    @in_turn
    def reset(
        self, env_id: Any = None, *, seed: Any = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Resets the environments `env_id` (None: all) and returns (obs, info), one row for each.

        seed: an int gives each actor different seeds; a list has one seed per environment. Lost environments
        are reset in a new actor.
        """
        self._actors.expect_open()
        requests = self._begin_reset(self._tracker.ids(env_id), seed, options)
        try:
            obs, _, _, _, info = self._wait_for(requests)
        except EnvError as error:
            error.result = error.result[0], error.result[4]
            raise
        return obs, info

    def stats(self) -> dict[str, Any]:
        """A dict with the state of the actors and counters.

        `places`: node, process and threads of each actor when it started; `generations`; `losses`;
        `lost_envs`; received `batches` and `rows`; `in_flight`: pending calls; `seconds_waited` for actors;
        `seconds_stepped` by all pools together; `ring_bytes`, `ring_batches`: the memory of batches.
        """
        return {
            "places": self.places,
            "generations": [each.generation for each in self._actors.members],
            "losses": self._actors.losses,
            "last_loss": self._tracker.last_loss,
            "lost_envs": self._tracker.lost_envs,
            "batches": self._batches,
            "rows": self._rows_received,
            "in_flight": sum(len(each.waiting) for each in self._actors.members),
            "seconds_waited": self._actors.seconds_waited,
            "seconds_stepped": self._tracker.seconds_stepped,
            "ring_batches": len(self._assembler.buffers),
            "ring_bytes": self._assembler.buffers.nbytes,
        }

    def close_extras(self, **_: Any) -> None:
        """Called by `close`, once: ends the actors and releases their resources."""
        self._release()

    def __len__(self) -> int:
        return self.num_envs

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        ids = self._config.task_id
        return f"RayPool({ids!r}, num_envs={self.num_envs}, pools={len(self._actors.members)})"

    def _begin_reset(
        self, ids: npt.NDArray[np.int64], seed: Any, options: dict[str, Any] | None
    ) -> list[Request]:
        if options and "reset_mask" in options:
            raise OptionError(
                "a RayPool takes no reset_mask: name environments, reset(env_id=[...])"
            )
        whole = seed is None or np.ndim(seed) == 0
        seeds = seed if whole else spread(seed, len(ids))
        if seed is not None and whole:
            spread(seed, 1)
        return undisturbed(partial(self._tracker.reset, by_lane=self.is_async), ids, seeds, options)

    def _send(self, action: Any, ids: npt.NDArray[np.int64], *, by_lane: bool) -> list[Request]:
        # Half a request could neither be received nor be taken back.
        return undisturbed(partial(self._tracker.step, by_lane=by_lane), action, ids)

    def _wait_for(self, requests: Sequence[Request]) -> Result:
        while not all(request.done for request in requests):
            self._tracker.look(None)
        return self._hand_out(requests)

    def _hand_out(self, requests: Sequence[Request]) -> Result:
        for request in requests:
            for part in request.parts:
                if part.error is not None:
                    self._tracker.forget(requests)
                    raise part.error
        result = self._assembler.batch(requests)
        self._batches += 1
        self._rows_received += len(result[1])
        failures = {env: said for each in requests for env, said in each.failures.items()}
        ended = [part for request in requests for part in request.parts if part.ends]
        self._tracker.forget(requests)
        if ended and self._raises:
            lost = {
                int(env): f"lost with actor {part.pool} ({self._tracker.last_loss})"
                for part in ended
                for env in part.ids
            }
            raise LostEnvsError({**failures, **lost}, result)
        if failures:
            raise EnvError(failures, result)
        return result
