"""Actors that are replaced when they are lost, and their pending calls."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import RLock
from typing import Any

from parallel_pool import ClosedPoolError

from parallel_pool_ray.cluster import PlacementGroup, actor_options, ray
from parallel_pool_ray.errors import ClusterError, LostPoolError

_LONGEST_TICK = 1.0
"""Seconds. Time limits count at most this much between two looks, because this process may have been stopped
or busy with its learner; the actors were not late then."""


_PAUSE = 1.0
"""Seconds before an actor is started again that was lost before its first answer; four times as many each
time."""

_NAP = 0.05


@dataclass
class Answer:
    """The result of a call."""

    token: Any
    value: Any


@dataclass
class Refusal:
    """The exception that a call raised; the actor continues."""

    token: Any
    error: Exception


@dataclass
class Loss:
    """An actor is lost. The next generation replaces it, unless `final`."""

    pool: int
    cause: str
    tokens: list[Any]
    """The tokens of its pending calls; none of these calls is sent again."""
    final: bool


@dataclass
class Member:
    """One actor."""

    handle: Any = None
    generation: int = -1
    answered: bool = False
    gone: bool = False
    failed_starts: int = 0
    """The number of actors in a row that were lost before their first answer."""
    starts_at: float = 0.0
    """The time at which to start it, by the group's clock, if it has no handle yet."""
    held: list[tuple[Any, str, tuple[Any, ...]]] = field(default_factory=list)
    """Calls that wait for the start."""
    since: float = 0.0
    """The time at which its oldest call started, by the group's clock."""
    waiting: dict[Any, Any] = field(default_factory=dict)
    """The pending calls in order: reference -> token."""


class ActorGroup:
    """`count` actors of one class. `events` has the results of calls, in the order in which they arrived.

    arguments: a function from an actor's number and generation to the arguments of its class. timeout:
    seconds that a call may take (None: no limit); start_timeout: seconds until the first answer of an actor.
    max_restarts: how often each actor may be replaced.
    """

    def __init__(
        self,
        actor: type,
        count: int,
        *,
        arguments: Callable[[int, int], tuple[Any, ...]],
        resources: Mapping[str, float],
        strategy: str,
        timeout: float | None,
        start_timeout: float,
        max_restarts: int,
    ) -> None:
        self._placement = PlacementGroup(count, resources, strategy, start_timeout)
        self._class = ray.remote(actor)
        self._options = actor_options(resources)
        self._arguments = arguments
        self._timeout, self._start_timeout = timeout, start_timeout
        self._max_restarts = max_restarts
        self._clock, self._looked = 0.0, time.monotonic()
        self.members = [Member() for _ in range(count)]
        self.events: deque[Answer | Refusal | Loss] = deque()
        self.losses = 0
        self.seconds_waited = 0.0
        # Held during a call of the pool; a signal handler may call it again.
        self.turn = RLock()
        self._closed = False
        for number in range(count):
            self.members[number].generation = 0
            self._start(number)

    def is_gone(self, number: int) -> bool:
        """Returns True if this actor was lost and is not replaced."""
        return self.members[number].gone

    def begin(self) -> list[dict[str, Any]]:
        """Starts all actors and returns what `begin` of each returns. Raises what it raises."""
        places: dict[int, dict[str, Any]] = {}
        for number in range(len(self.members)):
            self.call(number, number, "begin")
        while len(places) < len(self.members):
            self.wait(None)
            event = self.events.popleft()
            if isinstance(event, Answer):
                places[event.token] = event.value
            elif isinstance(event, Refusal):
                raise event.error
            else:
                raise LostPoolError(f"pool {event.pool} could not begin: {event.cause}", event.pool)
        return [places[number] for number in range(len(self.members))]

    @property
    def busy(self) -> bool:
        """True if calls are pending."""
        return any(member.waiting or member.held for member in self.members)

    def call(self, number: int, token: Any, method: str, *arguments: Any) -> None:
        """Calls a method of the actor; an event with the token will have the result."""
        self.expect_open()
        member = self.members[number]
        if member.handle is None:
            member.held.append((token, method, arguments))
            return
        if not member.waiting:
            member.since = self._clock
        member.waiting[getattr(member.handle, method).remote(*arguments)] = token

    def wait(self, seconds: float | None) -> None:
        """Waits until there is an event, for at most `seconds` (None: no limit)."""
        end = None if seconds is None else time.monotonic() + seconds
        self._tick()
        while not self.events:
            self.expect_open()
            if not self.busy:
                return
            self._start_the_rested()
            calls = [ref for member in self.members for ref in member.waiting]
            left = _LONGEST_TICK / 2
            if end is not None:
                left = min(left, max(end - time.monotonic(), 0.0))
            begin = time.monotonic()
            done, rest = ray.wait(calls, num_returns=1, timeout=left) if calls else ([], [])
            if not calls:
                time.sleep(min(left, _NAP))
            if done and rest:  # whatever else is there, without waiting
                done = ray.wait(calls, num_returns=len(calls), timeout=0)[0]
            self.seconds_waited += time.monotonic() - begin
            self._tick()
            self._take(set(done))
            if not done:
                self._give_up_the_late()
                if end is not None and time.monotonic() >= end:
                    return

    def close(self) -> None:
        """Ends all actors. A thread that waits for them gets ClosedPoolError."""
        self._closed = True
        with self.turn:
            if self._placement.is_connected:
                for member in self.members:
                    if member.handle is not None:
                        ray.kill(member.handle)
            for member in self.members:
                member.handle = None
                member.waiting.clear()
                member.held.clear()
            self._placement.close()

    def expect_open(self) -> None:
        """Raises ClosedPoolError, or ClusterError after ray.shutdown(): Ray would connect anew by itself."""
        if self._closed:
            raise ClosedPoolError("the pool is closed")
        if not self._placement.is_connected:
            raise ClusterError(
                "ray.shutdown() has ended the connection to Ray that this pool was made on, and its actors "
                "with it: make a new pool"
            )

    def _start(self, number: int) -> None:
        member = self.members[number]
        chosen = self._class.options(**self._options, **self._placement.options(number))
        member.handle = chosen.remote(*self._arguments(number, member.generation))
        held, member.held = member.held, []
        for token, method, arguments in held:
            self.call(number, token, method, *arguments)

    def _start_the_rested(self) -> None:
        for number, member in enumerate(self.members):
            if member.handle is None and not member.gone and self._clock >= member.starts_at:
                self._start(number)

    def _tick(self) -> None:
        now = time.monotonic()
        self._clock += min(now - self._looked, _LONGEST_TICK)
        self._looked = now

    def _take(self, done: set[Any]) -> None:
        for number, member in enumerate(self.members):
            for ref in [ref for ref in member.waiting if ref in done]:
                if ref not in member.waiting:  # lost with the one before it
                    break
                try:
                    value = ray.get(ref)
                except ray.exceptions.RayTaskError as error:
                    if isinstance(error.cause, ray.exceptions.RayError):
                        self._lose(number, _said(error.cause))
                        break
                    self._answered(member, ref, Refusal(member.waiting[ref], error.cause))
                except ray.exceptions.RayError as error:
                    self._lose(number, _said(error))
                    break
                else:
                    self._answered(member, ref, Answer(member.waiting[ref], value))

    def _answered(self, member: Member, ref: Any, event: Answer | Refusal) -> None:
        # In this order: an interrupt between the two has the answer taken twice, not never.
        self.events.append(event)
        del member.waiting[ref]
        member.answered, member.failed_starts = True, 0
        member.since = self._clock

    def _give_up_the_late(self) -> None:
        for number, member in enumerate(self.members):
            limit = self._timeout
            if not member.answered:
                limit = self._start_timeout
            if member.waiting and limit is not None and self._clock - member.since > limit:
                self._lose(number, f"no answer within {limit:g} seconds")

    def _lose(self, number: int, cause: str) -> None:
        member = self.members[number]
        ray.kill(member.handle)  # it may be stopped, or have lost an answer only
        tokens = list(member.waiting.values())
        member.waiting.clear()
        self.losses += 1
        member.gone = member.generation >= self._max_restarts
        member.handle = None
        member.generation += 1
        # A node that is gone takes a while to be known as such, and whatever begins there fails at once.
        member.starts_at = self._clock
        if not member.answered:
            member.starts_at += _PAUSE * 4**member.failed_starts
            member.failed_starts += 1
        member.answered = False
        self.events.append(Loss(number, cause, tokens, member.gone))


def _said(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    told = " ... ".join(dict.fromkeys([*lines[:1], *lines[-1:]])) or "no reason was given"
    return f"{type(error).__name__}: {told}"
