"""Interrupts in the middle of whatever a program does, and a program that goes on all the same."""

import random
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from parallel_pool import EnvError, NothingPendingError
from test_envs.checks import leaves


class Interrupts:
    """Of calls that are made by `during`: each of them feels at most one at a time."""

    def __init__(self) -> None:
        self.interrupts = 0
        self.by_recv = False
        """Whether the last result is one of `recv` instead."""
        self._felt = False

    def strike(self, *_: object) -> None:
        if self._felt:
            self._felt = False
            self.interrupts += 1
            raise KeyboardInterrupt

    def during(self, call: Callable[[], Any], pool: Any) -> Any:
        """What `call`, which may send and receives, gives in the end, as a user gets it who is interrupted.

        An EnvError is a result too. Between the marks nothing may be called but what is tried: there Python
        looks for signals.
        """
        result, again = None, call
        self.by_recv = False
        try:
            while True:
                try:
                    self._felt = True
                    result = again()
                    self._felt = False
                    return result
                except KeyboardInterrupt:
                    if result is not None:
                        return result
                    again, self.by_recv = pool.recv, True
                except EnvError as error:
                    self._felt = False
                    return error
                except NothingPendingError:  # it was interrupted before it had sent anything
                    self._felt = False
                    if again is call:
                        raise
                    again, self.by_recv = call, False
        finally:
            self._felt = False


class Storm(Interrupts):
    """Interrupts some milliseconds apart."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__()
        self._over = True
        self._random = random.Random(seed)

    @contextmanager
    def rages(self) -> Iterator[None]:
        before = signal.signal(signal.SIGALRM, self.strike)
        self._over = False
        self._set()
        try:
            yield
        finally:
            self._over = True  # a last one that is on its way sets no other
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def _set(self) -> None:
        if not self._over:
            signal.setitimer(signal.ITIMER_REAL, self._random.uniform(0.001, 0.01))

    def strike(self, *_: object) -> None:
        self._set()
        super().strike()


class OneInterrupt(Interrupts):
    """Comes so many seconds after a call begins, if that is not over; in the main thread."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._seconds = seconds

    def during(self, call: Callable[[], Any], pool: Any) -> Any:
        before = signal.signal(signal.SIGALRM, self.strike)
        signal.setitimer(signal.ITIMER_REAL, self._seconds)
        try:
            return super().during(call, pool)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)


def play_all(
    env: Any, draw: Callable[[np.random.Generator], Any], steps: int, storm: Storm | None = None
) -> list[bytes | None]:
    """What so many steps of anything with `reset`, `step` and `recv` give, errors too, as bytes.

    draw: gives an action. Environments that failed are reset, and all when an episode of `env` is over.
    """
    rng, rows = np.random.default_rng(0), list[bytes | None]()

    def call(send: Callable[[], Any]) -> Any:
        return send() if storm is None else storm.during(send, env)

    call(env.reset)
    for _ in range(steps):
        action = draw(rng)
        try:
            result = call(lambda action=action: env.step(action))
        except EnvError as error:  # of a calm run
            result = error
        if isinstance(result, EnvError):
            failed = sorted(result.failures)
            rows += [str(result.failures).encode(), *as_bytes(result.result)]
            call(lambda failed=failed: env.reset(failed))
            continue
        rows += as_bytes(result)
        if over(result):
            call(env.reset)
    return rows


def as_bytes(tree: Any) -> list[bytes | None]:
    return [None if each is None else np.asarray(each).tobytes() for each in leaves(tree)]


def over(result: Any) -> bool:
    """Whether nothing can be stepped before a reset: an episode of one environment is over."""
    if hasattr(result, "step_type"):  # dm_env resets by itself
        return False
    ended = result[2], result[3]
    if isinstance(ended[0], dict):
        return bool(ended[0]) and all(ended[0][a] or ended[1][a] for a in ended[0])
    return isinstance(ended[0], bool) and any(ended)
