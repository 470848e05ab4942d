"""The place where a process draws: any of its threads with OpenGL by software, else one thread of its own.

The driver of a GPU switches contexts between the threads of a process at a high price: four threads draw a
fifth of the pictures of one. Software does not mind. An unknown driver is treated as a GPU's.
"""

from __future__ import annotations

import atexit
import sys
import threading
import weakref
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, TypeVar

from parallel_pool.plugin_api import PerProcess

PICTURE_SECONDS = 10.0
"""A picture that takes longer will never come: drivers hang when several processes draw with one GPU."""
OTHER_SECONDS = 60.0
"""The limit for what is done once: libraries that are loaded, contexts, models that are handed to OpenGL."""
_LOOKS = 20
"""A caller looks this many times in such a time whether the thread has gone on."""
_SOFTWARE = ("llvmpipe", "softpipe", "mesa offscreen", "software rasterizer")
"""The names of OpenGL by software begin so, in small letters; OSMesa gives one of them."""

T = TypeVar("T")


class _Call:
    """A call that somebody waits for."""

    def __init__(self, run: Callable[[], Any]) -> None:
        self.run = run
        self.done = threading.Lock()  # held until then; an Event is slower
        self.done.acquire()
        self.result: Any = None
        self.error: BaseException | None = None
        self.left = False
        """Nobody waits any more."""


class DrawingThread:
    """The thread of one process that draws. It finds out first whether there has to be one.

    Until `drawn_by` is called, and from then on if that is no software, calls are made in the thread.
    """

    def __init__(self) -> None:
        self.current: object = None
        """The owner of the context that is current in the thread. For its calls."""
        self.draws: str | None = None
        """The name of what draws, from OpenGL ("" if it has none); None: nothing has been drawn."""
        self.any_thread = sys.platform == "darwin"
        """Calls are made where they come from. On macOS that is the main thread, the only one with windows."""
        self.open: weakref.WeakSet[Any] = weakref.WeakSet()
        """The views that have OpenGL's contexts."""
        self._kept: list[Any] = []
        self.lost: str | None = None
        """The reason why nothing can be drawn any more."""
        self._thread: threading.Thread | None = None
        self._calls: SimpleQueue[_Call | None] = SimpleQueue()
        self._call: _Call | None = None
        # The thread has begun this, another object each time: a number, and seconds that are enough for it.
        self._doing = (0, OTHER_SECONDS)
        self._turn = threading.RLock()  # handlers of signals take it, too

    @property
    def inside(self) -> bool:
        """True in the thread."""
        return threading.current_thread() is self._thread

    def call(self, run: Callable[[], T]) -> T:
        """Makes a call where this process draws, waits, and returns or raises what it does.

        Handlers of signals run meanwhile. If one raises, pictures that have not begun are not drawn. Raises
        EnvAccessError if drawing hangs, and at once if it did before, or in a forked child.
        """
        if self.any_thread or self.inside:
            return run()
        call = _Call(run)
        try:
            with self._turn:
                anywhere = self.any_thread
                if not anywhere:
                    self._put(call)
            if not anywhere:
                self._wait(call)
        except BaseException:
            call.left = True
            raise
        if anywhere:
            return run()
        if self.any_thread and self._thread is not None:
            self._thread.join(PICTURE_SECONDS)  # it has just ended; a fork should not find it
        if call.error is not None:
            raise call.error
        result: T = call.result
        return result

    def post(self, run: Callable[[], object]) -> None:
        """Makes a call in the thread some time, if there is one. Garbage collection may call it: no lock."""
        if self._thread is not None and not self.any_thread:
            self._calls.put(_Call(run))

    def begins(self, seconds: float, *, wanted: bool = True) -> None:
        """Said in the thread: something begins that takes longer than this only if it never ends.

        Raises RuntimeError if nobody waits for it. wanted: False for what must be done all the same.
        """
        if self.inside:
            if self.lost is not None or (wanted and self._call is not None and self._call.left):
                raise RuntimeError("nobody waits for this picture any more")
            self._doing = (self._doing[0] + 1, seconds)

    def drawn_by(self, name: str) -> None:
        """Decides: `name` is what draws."""
        with self._turn:
            if self.draws is None:
                self.any_thread = self.any_thread or is_software(name)
                if self.any_thread:
                    self._calls.put(None)  # behind the calls of others that came before
            self.draws = name

    def _put(self, call: _Call) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="drawing for all", daemon=True)
        if self._thread.ident is None:
            try:
                self._thread.start()
            except RuntimeError as error:
                raise _access_error(
                    f"cannot start the thread that draws: {error}; allow more threads (`ulimit -u`)"
                ) from error
        self._check(self._thread)
        self._calls.put(call)

    def _check(self, thread: threading.Thread) -> None:
        if self.lost is not None:
            raise _access_error(self.lost)
        if not thread.is_alive():
            raise _access_error("this pool was made before the process forked: make a new one here")

    def _wait(self, call: _Call) -> None:
        # Looks are counted, not seconds, which pass while a process is stopped, too.
        doing, looks, thread = self._doing, 0, self._thread
        assert thread is not None
        while not call.done.acquire(timeout=doing[1] / _LOOKS):
            if not thread.is_alive() and call.done.acquire(blocking=False):
                return  # done at the last moment
            self._check(thread)
            looks = looks + 1 if doing is self._doing else 0
            doing = self._doing
            if looks >= _LOOKS:
                self._lose(doing[1])

    def _lose(self, seconds: float) -> None:
        what = self.draws or "OpenGL"
        self.lost = (
            f"{what} has not drawn a picture in {seconds:g} s, so nothing is drawn in this process any more. "
            "Drivers hang when several processes draw with one GPU: let one process draw, give each its GPU by "
            "MUJOCO_EGL_DEVICE_ID, or draw by software (MUJOCO_GL=osmesa), and start the program again"
        )
        # The process must not wait for the driver at its end, so nothing of OpenGL is destroyed any more: the
        # thread that hangs keeps this object, and so the views.
        self._kept = list(self.open)
        for module, end in (("mujoco.egl.egl_ext", "eglTerminate"), ("glfw", "terminate")):
            function = getattr(sys.modules.get(module), end, None)
            if function is not None:
                atexit.unregister(function)
        raise _access_error(self.lost)

    def _work(self) -> None:
        while self.lost is None and (call := self._calls.get()) is not None:
            self._call = call
            self._doing = (self._doing[0] + 1, OTHER_SECONDS)
            try:
                call.result = call.run()
            except BaseException as error:  # it is the caller's
                call.error = error
            call.done.release()
            self._call = None
            del call  # the references of a call must not outlive it here


def is_software(name: str) -> bool:
    """True if any thread may draw with the OpenGL that calls itself so."""
    return name.lower().startswith(_SOFTWARE)


_here = PerProcess(DrawingThread)


def here() -> DrawingThread:
    """This process's."""
    return _here.here


def _access_error(message: str) -> Exception:
    from parallel_pool import EnvAccessError  # late: with it comes Gymnasium

    return EnvAccessError(message)
