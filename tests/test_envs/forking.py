"""A process that is forked while its threads make and step pools for the first time.

    python forking.py IDS FORKS SEED

IDS are in JSON; the threads use one after the other. A child is forked soon after each of them was begun, and
then lists, describes, makes and steps it too, and ends in time. Exit status 0: all children did. What they say
otherwise goes to standard error, with the stack of one that hangs.
"""

import faulthandler
import gc
import itertools
import json
import os
import queue
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Iterator
from random import Random

import numpy as np  # noqa: F401  # a library that is half loaded is an error: see docs/failures.md
import parallel_pool

LIMIT = 90.0
"""Seconds that a child has: it may have to import everything, on a busy machine."""
AT_ONCE = 4


def use(id: str, steps: int) -> None:
    assert id in parallel_pool.list_all_envs(id.partition("/")[0])
    space = parallel_pool.make_spec(id).action_space
    with parallel_pool.make(id, num_envs=2, num_threads=2, seed=1) as pool:
        pool.reset()
        for _ in range(steps):
            pool.step([space.sample() for _ in range(2)])


def work(ids: Iterator[str], begun: queue.SimpleQueue[str], stop: threading.Event) -> None:
    while not stop.is_set():
        begun.put(id := next(ids))
        use(id, 20)


def child(id: str, ends_as_usual: bool) -> None:
    """Does not return, unless the child is to end as every Python does."""
    faulthandler.dump_traceback_later(LIMIT, exit=True)
    try:
        use(id, 5)
        gc.collect()  # what is left of the parent's pools
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    if not ends_as_usual:
        os._exit(0)


def main(ids: str, forks: str, seed: str) -> int:
    """How many children did not end well."""
    warnings.simplefilter("ignore", DeprecationWarning)  # of a fork with threads
    random = Random(int(seed))
    names = itertools.cycle(json.loads(ids))
    begun: queue.SimpleQueue[str] = queue.SimpleQueue()
    stop = threading.Event()
    threads = [threading.Thread(target=work, args=(names, begun, stop)) for _ in range(2)]
    for thread in threads:
        thread.daemon = True  # a child has only their remains
        thread.start()
    running: list[int] = []
    failed = 0
    for number in range(int(forks)):
        id = begun.get(timeout=LIMIT)
        time.sleep(random.uniform(0.0, 0.05))
        pid = os.fork()
        if pid == 0:
            child(id, ends_as_usual=number % 2 == 1)
            return 0
        running.append(pid)
        while len(running) == AT_ONCE or (number + 1 == int(forks) and running):
            failed += os.waitstatus_to_exitcode(os.waitpid(running.pop(0), 0)[1]) != 0
    stop.set()
    for thread in threads:
        thread.join()
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
