"""Rollouts from several actors of Ray, each with a pool and a copy of the policy."""

from __future__ import annotations

import pickle
import weakref
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self

from parallel_pool.errors import OptionError

from parallel_pool_ray.actor_group import ActorGroup, Answer, Refusal
from parallel_pool_ray.arrivals import Arrivals
from parallel_pool_ray.buffer_pool import BufferPool
from parallel_pool_ray.cluster import connect, ray
from parallel_pool_ray.errors import LostPoolError
from parallel_pool_ray.policies import is_torch, travelling
from parallel_pool_ray.progress_line import ProgressLine
from parallel_pool_ray.rollout_actor import Fragment, RolloutActor, RolloutConfig
from parallel_pool_ray.rollout_statistics import RolloutStatistics
from parallel_pool_ray.sharding import Sharding, actor_resources, raises_on_loss
from parallel_pool_ray.turns import OneByOne, in_turn

CALL_SECONDS = 0.02
"""Seconds of a call of `stream`: shorter fragments are sent together, because each call costs Ray a
millisecond."""


class RolloutPool(OneByOne):
    """`num_envs` environments in `pools` Ray actors, which send fragments of `num_steps` steps.

        with RolloutPool("CartPole-v1", policy, num_envs=64, num_steps=64, pools=4) as rollouts:
            for fragment in rollouts.collect():  # one of each actor, with the weights pushed last
                learn(fragment)
            rollouts.push(policy.state_dict())

    policy: returns (action, value) or (action, value, extras) for a batch of observations. A torch module; or
    a function `policy(weights, obs, rng)`, such as one of JAX, with its `weights`; or any callable
    `policy(obs)`. It is sent to each actor once. The other arguments are those of `RolloutBuffer` and
    `RayPool`. autoreset_mode is "SameStep" or "NextStep".

    If an actor is lost, its unfinished fragments are lost too. A new actor, of the next generation, with
    other seeds and the latest weights, replaces it. With on_loss="raise" a LostPoolError is raised once
    before that.
    """

    def __init__(
        self,
        task_id: str | Sequence[str],
        policy: Any,
        num_envs: int,
        *,
        num_steps: int,
        pools: int,
        weights: Any = None,
        gamma: float = 0.99,
        gae_lambda: float = 0.95,
        in_flight: int = 2,
        seed: Any = None,
        resources: Mapping[str, float] | None = None,
        strategy: str = "SPREAD",
        on_loss: str = "truncate",
        max_restarts: int = 3,
        timeout: float | None = 600.0,
        start_timeout: float = 300.0,
        address: str | None = None,
        progress: bool = False,
        **options: Any,
    ) -> None:
        resources = actor_resources(resources, options)
        options.setdefault("autoreset_mode", "SameStep")
        sharding = Sharding("RolloutPool", task_id, num_envs, pools, seed, options)
        if sharding.config.arguments.autoreset_mode == "Disabled":
            raise OptionError(
                "a rollout goes on after an end: autoreset_mode='SameStep' or 'NextStep'"
            )
        self._raises = raises_on_loss(on_loss)
        for name, value in (("num_steps", num_steps), ("in_flight", in_flight)):
            if value < 1:
                raise OptionError(f"{name} is {value!r}, expected at least 1")
        connect(address)
        config = RolloutConfig(policy, weights is not None, num_steps, gamma, gae_lambda)
        try:
            kept_config: Any = ray.put(config)
        except (TypeError, pickle.PicklingError) as error:
            raise OptionError(
                f"the policy {policy!r} cannot be pickled ({error}), so it does not reach another process: "
                "keep what is of this process out of it"
            ) from error
        self._config = sharding.config
        self.num_envs, self.num_steps = num_envs, num_steps
        self.spec = sharding.spec
        self.version = 0
        self._policy = policy
        self._weights: list[Any] = []
        self._takes_weights = (
            weights is not None or is_torch(policy) or hasattr(policy, "set_weights")
        )
        self._in_flight = in_flight
        self._actors = ActorGroup(
            RolloutActor,
            pools,
            arguments=lambda pool, generation: (
                sharding.shard(pool, generation),
                kept_config,
                (pool, generation),
                sharding.policy_seed(pool, generation),
            ),
            resources=resources,
            strategy=strategy,
            timeout=timeout,
            start_timeout=start_timeout,
            max_restarts=max_restarts,
        )
        self._release = weakref.finalize(self, self._actors.close)
        self._buffers = BufferPool()
        self._line = ProgressLine() if progress else None
        self._arrived = Arrivals(pools)
        self._changed = set[int]()  # actors that may need further calls
        self._statistics = RolloutStatistics(num_steps * sharding.rows)
        try:
            self.places = self._actors.begin()
            if weights is not None:
                self.push(weights)
                self.version = 0
        except BaseException:
            self._release()
            raise

    @in_turn
    def push(self, weights: Any) -> int:
        """Uses these weights for fragments that start from now on. Returns their version: 1, 2, ...

        weights: a torch module or its state_dict if the policy is a module; otherwise what the policy takes.
        """
        self._actors.expect_open()
        if not self._takes_weights:
            raise OptionError(
                f"the policy {self._policy!r} takes no weights: it is to be a torch module, to have "
                "set_weights(weights), or to be made with weights= and called as policy(weights, obs, rng)"
            )
        self._weights = [ray.put(travelling(self._policy, weights))]
        self.version += 1
        return self.version

    @in_turn
    def collect(self) -> list[Fragment]:
        """One fragment of each actor, in order; they start now, with the weights pushed last.

        Pending fragments of `stream` are returned first. Raises what the policy or the environments raise;
        LostPoolError if an actor is lost and may not be replaced, or once per loss with on_loss="raise". The
        next call continues.
        """
        self._actors.expect_open()
        pools = range(len(self._actors.members))
        for pool in pools:
            if self._actors.is_gone(pool):
                raise self._gone(pool)
        missing = set(pools)
        while missing := {pool for pool in missing if not self._arrived.count(pool)}:
            for pool in missing:
                if not self._under_way(pool):
                    self._roll(pool, 0.0)
            self._look()
        return [self._hand_out(pool) for pool in pools]

    def stream(self) -> Iterator[Fragment]:
        """Yields fragments without end, in the order in which they arrive.

        Each actor has `in_flight` pending calls, so it stops if its fragments are not taken. A call returns
        one fragment, or with short fragments as many as take 20 ms, with the same weights. Raises as
        `collect`; the next `stream` continues with the pending fragments.
        """
        with self._actors.turn:
            self._changed.update(range(len(self._actors.members)))
        while True:
            fragment = self._next()
            if fragment is not None:
                yield fragment

    @in_turn
    def _next(self) -> Fragment | None:
        """The next fragment of `stream`; None: none yet, after events were processed."""
        self._actors.expect_open()
        for pool in self._changed:
            while not self._actors.is_gone(pool) and self._calls(pool) < self._in_flight:
                self._roll(pool, CALL_SECONDS)
        self._changed.clear()
        first = self._arrived.first_actor()
        if first is not None:
            return self._hand_out(first)
        if all(self._actors.is_gone(pool) for pool in range(len(self._actors.members))):
            raise self._gone(0)
        self._look()
        return None

    def stats(self) -> dict[str, Any]:
        """A dict with the state of the actors and counters.

        Since the start: `fragments`, `steps`, `steps_per_second`, `episodes`, `losses`, `lost_calls`,
        `seconds_rolled` by all actors and `seconds_waited` for them. `mean_return`: of the last 100 episodes.
        `version`: of the weights. `mean_lag`: how many weights were pushed between the start and the arrival of
        a fragment. `generations` and `places` of the actors.
        """
        return self._statistics.as_dict() | {
            "version": self.version,
            "losses": self._actors.losses,
            "generations": [each.generation for each in self._actors.members],
            "places": self.places,
            "seconds_waited": self._actors.seconds_waited,
        }

    def close(self) -> None:
        """Ends the actors. A second call has no effect."""
        self._release()
        self._arrived.clear()
        if self._line is not None:
            self._line.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _calls(self, pool: int) -> int:
        """The number of this actor's calls that are pending or have fragments that were not returned yet."""
        return self._under_way(pool) + self._arrived.count(pool)

    def _under_way(self, pool: int) -> int:
        member = self._actors.members[pool]
        return len(member.waiting) + len(member.held)

    def _roll(self, pool: int, seconds: float) -> None:
        self._actors.call(pool, pool, "roll", self.version, self._weights, seconds)

    def _look(self) -> None:
        """Waits for events, and processes them."""
        self._actors.wait(None)
        while self._actors.events:
            event = self._actors.events.popleft()
            if isinstance(event, Answer):
                self._arrived.add(event.token, event.value)
            elif isinstance(event, Refusal):
                raise event.error
            else:
                self._changed.add(event.pool)
                self._statistics.lost_calls += len(event.tokens)
                if event.final:
                    raise self._gone(event.pool, event.cause)
                if self._raises:
                    raise LostPoolError(
                        f"pool {event.pool} was lost ({event.cause}), and what {len(event.tokens)} calls were "
                        "for; collect() goes on with its successor",
                        event.pool,
                    )

    def _gone(self, pool: int, cause: str = "it was told before") -> LostPoolError:
        return LostPoolError(
            f"pool {pool} was lost for good ({cause}): its max_restarts are used up; stream() goes on with the "
            "others, or pass more",
            pool,
        )

    def _hand_out(self, pool: int) -> Fragment:
        """A fragment that has arrived, copied into memory of the buffers."""
        fragment = Fragment(**self._buffers.copy_of(self._arrived.first_of(pool)))
        self._arrived.drop_first_of(pool)
        self._changed.add(pool)
        self._statistics.add(fragment, self.version)
        if self._line is not None and self._line.is_due():
            self._line.show(self._told())
        return fragment

    def _told(self) -> str:
        stats = self.stats()
        return (
            f"{stats['fragments']:,} fragments, {stats['steps']:,} steps ({stats['steps_per_second']:,.0f}/s), "
            f"mean return {stats['mean_return']:.1f}, weights {stats['version']} "
            f"(lag {stats['mean_lag']:.1f}), {stats['losses']} actors lost"
        )
