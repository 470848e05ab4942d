"""Several threads at work together, and how many there are."""

import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest


def in_threads(*work: Callable[[], None]) -> None:
    """Runs them together, beginning at one moment, and raises what they raised."""
    gate = threading.Barrier(len(work))
    with ThreadPoolExecutor(len(work), initializer=gate.wait) as threads:
        running = [threads.submit(each) for each in work]
    for each in running:
        each.result()


def interrupted(call: Callable[[], object], seconds: float = 0.5) -> float:
    """Calls, and sends this process Ctrl-C meanwhile. Gives the seconds until it was heard."""
    sent: list[float] = []

    def send() -> None:
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(seconds, send)
    with pytest.raises(KeyboardInterrupt):
        timer.start()
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
