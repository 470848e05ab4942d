"""Steps a watched pool in its own thread, and takes commands: pause, one step, back in time, speed."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any, Self

from parallel_pool import NotOfferedError, StateError
from parallel_pool.errors import OptionError, ParallelPoolError

from parallel_pool_watch.live.history import History
from parallel_pool_watch.mosaic import Picture
from parallel_pool_watch.watch import Episode, Watch

_EPISODES = 400
"""The number of the latest ended episodes that `status` reports."""
_PICTURES_PER_SECOND = 25
_SPEEDS = 240
"""The number of measurements of the speed that `status` reports, one every half second."""


class Player:
    """Owns a Watch. No other thread may use it, because pools and OpenGL belong to one thread.

    build: makes the Watch, in the player's thread. encode: converts a picture to bytes. Use the player as a
    context manager.
    """

    def __init__(self, build: Callable[[], Watch], encode: Callable[[Picture], bytes]) -> None:
        self._build, self._encode = build, encode
        self._orders: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._changed = threading.Condition()
        self._frame: tuple[int, bytes] = 0, b""
        self._status: dict[str, Any] = {}
        self._wanted = False
        self._failure: BaseException | None = None
        self._ready = threading.Event()
        self._history = History()
        self._episodes: deque[Episode] = deque(maxlen=_EPISODES)
        self._speeds: deque[tuple[float, float]] = deque(maxlen=_SPEEDS)
        self._paused = False
        self._target = 0.0
        self._no_states: str | None = None
        self._error: str | None = None
        self._since = self._begun = 0.0
        self._stepped = self._jumps = self._furthest = 0
        self._thread = threading.Thread(target=self._run, name="watching", daemon=True)

    def __enter__(self) -> Self:
        """Returns when the pool is made. Raises the errors of making it."""
        self._thread.start()
        self._ready.wait()
        if self._failure is not None:
            self._thread.join()
            raise self._failure
        return self

    def __exit__(self, *_: object) -> None:
        self._orders.put(None)
        self._thread.join()

    # ---- for other threads ------------------------------------------------------------------------

    def order(self, what: str, value: Any = None) -> None:
        """Queues "play", "pause", "step", "go_to" a step, or "speed" in steps per second (0: no limit).

        Raises OptionError for other commands. Commands are executed in order.
        """
        if what in ("play", "pause", "step") and value is None:
            self._orders.put(getattr(self, f"_{what}"))
        elif what == "go_to" and type(value) is int and value >= 0:
            self._orders.put(lambda: self._go_to(value))
        elif what == "speed" and type(value) in (int, float) and 0 <= value < 1e9:
            self._orders.put(lambda: self._set_speed(value))
        else:
            raise OptionError(f"no such order: {what} {value!r}")

    def frame(self, after: int, timeout: float) -> tuple[int, bytes] | None:
        """(number, encoded picture), newer than number `after`; None if there is none within the timeout.

        Pictures are drawn only after the first call.
        """
        with self._changed:
            self._wanted = True
            self._changed.wait_for(lambda: self._frame[0] > after, timeout)
            return self._frame if self._frame[0] > after else None

    def status(self) -> dict[str, Any]:
        """The state of the player as JSON-compatible values."""
        with self._changed:
            return dict(self._status)

    # ---- in the thread ----------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            with self._build() as self._watch:
                self._target = float(self._watch.fps)
                self._since = self._begun = time.monotonic()
                self._remember()
                self._show()
                self._ready.set()
                self._loop()
        except BaseException as error:  # while it is made or first drawn: for __enter__ to raise
            self._failure = error
            self._ready.set()

    def _loop(self) -> None:
        drawn_at = -1.0
        drawn_step: tuple[int, int] | None = None
        next_step = time.monotonic()
        while True:
            now = time.monotonic()
            picture_due = drawn_at + 1 / _PICTURES_PER_SECOND
            shown = (self._watch.steps, self._jumps)
            if self._wanted and shown != drawn_step and now >= picture_due:
                self._try(self._show)
                drawn_at, drawn_step = time.monotonic(), shown
            until = 0.05 if self._paused else max(0.0, min(0.05, next_step - now))
            try:
                order = self._orders.get(until > 0, until)
            except Empty:
                order = self._nothing
            if order is None:
                return
            order()
            now = time.monotonic()
            next_step = min(next_step, now + self._pace)
            if not self._paused and now >= next_step:
                self._advance()
                # Late steps are not made up for: a slow moment is no reason to race.
                next_step = max(now, next_step + self._pace)
            self._measure()

    @property
    def _pace(self) -> float:
        return 1 / self._target if self._target else 0.0

    def _nothing(self) -> None:
        pass

    def _play(self) -> None:
        self._paused, self._error = False, None

    def _pause(self) -> None:
        self._paused = True
        self._tell()

    def _step(self) -> None:
        self._paused, self._error = True, None
        self._advance()
        self._tell()

    def _set_speed(self, value: float) -> None:
        self._target = float(value)
        self._tell()

    def _go_to(self, step: int) -> None:
        """Pauses, restores the last saved moment at or before `step`, and steps from there."""
        step = min(step, self._furthest)
        moment = self._history.at(step)
        if moment is None:
            return
        self._paused, self._error = True, None
        self._watch.go_to(moment)
        self._jumps += 1
        while self._watch.steps < step:
            if not self._try(self._watch.step):
                break
        self._tell()

    def _advance(self) -> None:
        step = self._watch.steps
        self._history.forget_after(step)
        while self._episodes and self._episodes[-1].step > step:
            self._episodes.pop()
        if self._try(lambda: self._episodes.extend(self._watch.step())):
            self._stepped += 1
            self._furthest = self._watch.steps
            self._remember()

    def _try(self, do: Callable[[], Any]) -> bool:
        """Returns True if the call succeeded. An error is reported by `status`, and pauses."""
        try:
            do()
        except Exception as error:
            known = isinstance(error, ParallelPoolError)
            self._paused = True
            self._error = str(error) if known else f"{type(error).__name__}: {error}"
            self._tell()
            return False
        return True

    def _remember(self) -> None:
        if self._no_states is None and self._history.due(self._watch.steps):
            try:
                self._history.add(self._watch.save())
            except (NotOfferedError, StateError) as error:
                self._no_states = str(error)

    def _measure(self) -> None:
        now = time.monotonic()
        if now - self._since < 0.5:
            return
        if not self._paused:
            rate = self._stepped * self._watch.pool.num_envs / (now - self._since)
            self._speeds.append((round(now - self._begun, 2), round(rate, 1)))
        self._since, self._stepped = now, 0
        self._tell()

    def _show(self) -> None:
        encoded = self._encode(self._watch.picture())
        with self._changed:
            self._frame = self._frame[0] + 1, encoded
            self._wanted = False
            self._changed.notify_all()
        self._tell()

    def _tell(self) -> None:
        watch = self._watch
        status = {
            "id": watch.pool.config["task_id"],
            "num_envs": watch.pool.num_envs,
            "step": watch.steps,
            "paused": self._paused,
            "target": self._target,
            "first": self._history.first,
            "furthest": self._furthest,
            "no_states": self._no_states,
            "error": self._error,
            "episodes": list(self._episodes),
            "speeds": list(self._speeds),
        }
        with self._changed:
            self._status = status
