"""Several threads at work together, and how many there are."""

import os
import signal
import threading
import time
import traceback
from collections.abc import Callable

import pytest


def in_threads(*work: Callable[[], None]) -> None:
    """Runs them together, beginning at one moment, and raises what they raised."""
    errors: list[BaseException] = []
    gate = threading.Barrier(len(work))

    def run(each: Callable[[], None]) -> None:
        gate.wait()
        try:
            each()
        except BaseException as error:
            traceback.print_exc()
            errors.append(error)

    threads = [threading.Thread(target=run, args=(each,)) for each in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def interrupted(call: Callable[[], object], seconds: float = 0.5) -> float:
    """Calls, and sends this process Ctrl-C meanwhile. Gives the seconds until it was heard."""
    sent: list[float] = []

    def send() -> None:
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(seconds, send)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        call()
    heard = time.monotonic()
    timer.join()
    return heard - sent[0]


def refused_after(count: int) -> tuple[type[threading.Thread], list[threading.Thread]]:
    """Threads of which the system lets so many begin, and those that have begun."""
    begun: list[threading.Thread] = []

    class Refused(threading.Thread):
        def start(self) -> None:
            if len(begun) == count:
                raise RuntimeError("can't start new thread")
            begun.append(self)
            super().start()

    return Refused, begun


def threads_of_this_process() -> int:
    """Those that run. The system lists a thread for some moments after it was joined."""
    return sum(not _has_ended(thread) for thread in os.listdir("/proc/self/task"))


def until(condition: Callable[[], bool], seconds: float = 20) -> None:
    """Waits for something that will be so."""
    began = time.monotonic()
    while not condition():
        assert time.monotonic() - began < seconds, "it never came to be"
        time.sleep(0.01)


def _has_ended(thread: str) -> bool:
    try:
        with open(f"/proc/self/task/{thread}/stat") as file:
            # What follows the name, which may hold spaces: state, five numbers, flags.
            flags = int(file.read().rpartition(")")[2].split()[6])
    except (FileNotFoundError, ProcessLookupError):
        return True
    return flags & 0x4 != 0  # PF_EXITING: set before whoever joins it goes on
