"""What is timed: something that can be stepped for a while and says how far it came."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any

Result = tuple[Any, Any, Any, Any, dict[str, Any]]
"""Observation, reward, terminated, truncated, info: one row per environment."""

Observer = Callable[[Result], None]
"""Told of every result. Its time does not count, unless the pool works on meanwhile."""

_CHUNK_SECONDS = 0.002


@dataclass(frozen=True)
class Slice:
    """A stretch of stepping. `calls`: of `step`, or of `recv` for asynchronous pools."""

    env_steps: int = 0
    calls: int = 0
    seconds: float = 0.0

    def __add__(self, other: Slice) -> Slice:
        return Slice(
            self.env_steps + other.env_steps,
            self.calls + other.calls,
            self.seconds + other.seconds,
        )

    @property
    def rate(self) -> float:
        """Environment steps per second."""
        return self.env_steps / self.seconds if self.seconds else 0.0


class Driver(ABC):
    """Steps one pool. `rows`: environment steps per call. `run` between `resume` and `settle`."""

    env: Any = None
    """The pool, where there is a Python object."""
    actions: Sequence[Any] = ()
    """What it is stepped with, in turn."""

    def __init__(self, name: str, rows: int) -> None:
        self.name = name
        self.rows = rows

    def resume(self, observe: Observer | None = None) -> None:  # noqa: B027, nothing to do
        """Gets going again after a rest; not timed."""

    def settle(self) -> None:  # noqa: B027, nothing to wait for
        """Returns when nothing works in the background any more; not timed."""

    def run(self, seconds: float, observe: Observer | None = None) -> Slice:
        """Steps for at least `seconds`.

        Without an observer the clock is read every few milliseconds only, so that it costs nothing.
        """
        if observe is not None:
            return self._observed(seconds, observe)
        calls = 0
        chunk = 1
        begin = now = time.perf_counter()
        end = begin + seconds
        while now < end:
            self.advance(chunk)
            calls += chunk
            before, now = now, time.perf_counter()
            if now - before < _CHUNK_SECONDS / 2:
                chunk *= 2
        return Slice(calls * self.rows, calls, now - begin)

    def _observed(self, seconds: float, observe: Observer) -> Slice:
        calls = 0
        spent = 0.0
        begin = now = time.perf_counter()
        while now - begin < seconds:
            before = time.perf_counter()
            result = self.advance(1)
            spent += time.perf_counter() - before
            observe(result)
            calls += 1
            now = time.perf_counter()
        # In an asynchronous pool the environments go on while the result is observed.
        return Slice(calls * self.rows, calls, now - begin if self.is_async else spent)

    is_async = False

    @abstractmethod
    def advance(self, calls: int) -> Any:
        """Makes so many calls and gives the last result."""

    @abstractmethod
    def close(self) -> None:
        """Frees the pool."""


class ByCpu(Driver):
    """Calls of `play`, timed by the CPU time of this process: of pools with one thread."""

    def __init__(
        self, name: str, rows: int, play: Callable[[], Any], close: Callable[[], Any] = lambda: None
    ) -> None:
        super().__init__(name, rows)
        self._play, self._close = play, close

    @classmethod
    def of(cls, build: Callable[[], Driver], calls: int) -> ByCpu:
        """What `build` makes; it makes that number of calls between two looks at the clock."""
        made = build()
        return cls(made.name, calls * made.rows, lambda: made.advance(calls), made.close)

    def run(self, seconds: float, observe: Observer | None = None) -> Slice:
        calls, begin = 0, time.process_time()
        while (spent := time.process_time() - begin) < seconds:
            self._play()
            calls += 1
        return Slice(calls * self.rows, calls, spent)

    def advance(self, calls: int) -> Any:
        return [self._play() for _ in range(calls)][-1]

    def close(self) -> None:
        self._close()


class LockstepDriver(Driver):
    """`step` with an action for every environment. Resets the pool at once."""

    def __init__(self, name: str, env: Any, num_envs: int, actions: Sequence[Any]) -> None:
        super().__init__(name, num_envs)
        self.env = env
        self.actions = actions
        self._actions = cycle(actions)
        env.reset()

    def advance(self, calls: int) -> Any:
        """Makes so many steps of all environments and gives the last result."""
        step = self.env.step
        result = None
        for action in islice(self._actions, calls):
            result = step(action)
        return result

    def close(self) -> None:
        """Frees the pool."""
        self.env.close()


class QueueDriver(Driver):
    """`recv` a batch, `send` it actions. Starts a reset of all environments at once.

    takes_env_ids: False for pools with a `send` that always takes actions for the batch received last.
    """

    is_async = True

    def __init__(
        self,
        name: str,
        env: Any,
        num_envs: int,
        batch_size: int,
        actions: Sequence[Any],
        *,
        takes_env_ids: bool = True,
    ) -> None:
        super().__init__(name, batch_size)
        self.env = env
        self.actions = actions
        self._actions = cycle(actions)
        self._num_envs = num_envs
        self._takes_env_ids = takes_env_ids
        self._seconds_per_call = 0.0
        if takes_env_ids:
            env.async_reset()
            self._env_ids = env.recv()[-1]["env_id"]
        else:
            self._env_ids = env.reset()[-1]["env_id"]

    def resume(self, observe: Observer | None = None) -> None:
        """Receives what was done during the rest; not timed."""
        # What finished during the rest would count as made in no time.
        for _ in range(2 * -(-self._num_envs // self.rows)):
            result = self.advance(1)
            if observe is not None:
                observe(result)

    def settle(self) -> None:
        """Waits as long as what is on its way takes; not timed."""
        # There is no way to ask that all pools know, so wait as long as the work in flight takes.
        in_flight = self._num_envs / self.rows - 1
        time.sleep(1.5 * in_flight * self._seconds_per_call)

    def run(self, seconds: float, observe: Observer | None = None) -> Slice:
        """Steps for at least `seconds`, and notes how long a call takes."""
        done = super().run(seconds, observe)
        self._seconds_per_call = done.seconds / done.calls
        return done

    def advance(self, calls: int) -> Any:
        """Sends and receives so many batches and gives the last one."""
        env = self.env
        result: Any = None
        for action in islice(self._actions, calls):
            if self._takes_env_ids:
                env.send(action, self._env_ids)
            else:
                env.send(action)
            result = env.recv()
            self._env_ids = result[-1]["env_id"]
        return result

    def close(self) -> None:
        """Frees the pool."""
        self.env.close()
