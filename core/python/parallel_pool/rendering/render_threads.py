"""Threads that draw. Each has a renderer of its own, which it makes, uses and closes itself.

OpenGL's contexts belong to threads: one that is used in several would have to be handed on each time, and
cannot be where a pool is stepped by threads of the user's. Drawing lets go of Python's lock.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Sequence
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, Generic, Protocol, TypeVar

from parallel_pool.pool_errors import ClosedPoolError, EnvAccessError

_LOOK_EVERY = 1.0
"""Seconds after which a caller looks whether the threads are still there."""


class _Closable(Protocol):
    def close(self) -> None: ...


Renderer = TypeVar("Renderer", bound=_Closable)
_Job = Callable[[Any], None]


class RenderThreads(Generic[Renderer]):
    """As many renderers as threads; the method `make` is called once in each.

    Raises what the first one raises.
    """

    def __init__(self, make: Callable[[], Renderer], threads: int) -> None:
        self._queues: list[SimpleQueue[_Job | None]] = [SimpleQueue() for _ in range(threads)]
        weak = weakref.WeakMethod(make)  # threads do not keep their owner alive
        self._threads = [
            threading.Thread(target=_work, args=(weak, queue), name="drawing", daemon=True)
            for queue in self._queues
        ]
        self._finalizer = weakref.finalize(self, _stop, self._queues)
        self._finalizer.atexit = False  # threads of a process that ends stay where they are
        try:
            for thread in self._threads:
                thread.start()
        except RuntimeError as error:
            _stop(self._queues)
            raise EnvAccessError(
                f"cannot start a thread that draws: {error}; allow more threads (`ulimit -u`, a container's "
                "pids.max) or memory for their stacks (`ulimit -v`)"
            ) from error
        try:
            self.wait([(0, lambda _: None)])
        except BaseException:
            self.close()
            raise

    def each(
        self, draw: Callable[[Renderer, int], None], items: Sequence[int], owners: Sequence[int]
    ) -> None:
        """Calls `draw(renderer, item)` for each item, those of one owner always in the same thread.

        Raises the first error, when all threads have come to an end.
        """
        shares: dict[int, list[int]] = {}
        for item, owner in zip(items, owners, strict=True):
            shares.setdefault(owner % len(self._queues), []).append(item)

        def draw_all(share: list[int], renderer: Renderer) -> None:
            for item in share:
                draw(renderer, item)

        self.wait([(number, partial(draw_all, share)) for number, share in shares.items()])

    @property
    def alive(self) -> bool:
        """Whether the threads work: not after `close`, and not in a process that was forked."""
        return self._finalizer.alive and all(thread.is_alive() for thread in self._threads)

    def close(self) -> None:
        """Closes the renderers and ends the threads. A second call has no effect."""
        if self._finalizer.detach() is not None:  # calling it does nothing once the process ends
            _stop(self._queues)
        for thread in self._threads:
            thread.join()

    def wait(self, jobs: Sequence[tuple[int, _Job]]) -> None:
        """Calls each job with the renderer of the thread of that number, in that thread, and waits for all.

        Handlers of signals run while this waits; what was begun comes to its end. Raises the first error;
        ClosedPoolError if the threads are ended meanwhile.
        """
        done: SimpleQueue[BaseException | None] = SimpleQueue()

        def report(job: _Job, renderer: Any) -> None:
            try:
                if isinstance(renderer, BaseException):
                    raise renderer
                job(renderer)
            except BaseException as error:  # it is the caller's
                done.put(error)
            else:
                done.put(None)

        for number, job in jobs:
            self._queues[number].put(partial(report, job))
        errors = [error for error in (self._next(done) for _ in jobs) if error is not None]
        if errors:
            raise errors[0]

    def _next(self, done: SimpleQueue[BaseException | None]) -> BaseException | None:
        while True:
            ended = not self.alive and not any(thread.is_alive() for thread in self._threads)
            try:
                return done.get(timeout=0 if ended else _LOOK_EVERY)
            except Empty:
                if ended:
                    return ClosedPoolError("the pool was closed while it drew")


def _work(make: Any, queue: SimpleQueue[_Job | None]) -> None:
    renderer: Any = None
    while (job := queue.get()) is not None:
        if renderer is None or isinstance(renderer, BaseException):
            try:
                renderer = make()()
            except BaseException as error:
                renderer = error
        job(renderer)
        del job  # the references of the job must not outlive it here
    if renderer is not None and not isinstance(renderer, BaseException):
        renderer.close()


def _stop(queues: Sequence[SimpleQueue[_Job | None]]) -> None:
    for queue in queues:
        queue.put(None)
