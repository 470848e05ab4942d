"""A process that is forked while its threads make and step pools for the first time.

    python forking.py FAMILY IDS FORKS SEED

IDS are in JSON. Each child lists, describes, makes and steps an environment of the
family, and ends in time. The first ones are forked while this process imports all that it needs. Exit status 0:
all children did. What they say otherwise goes to standard error, with the stack of one that hangs.
"""

import faulthandler
import gc
import itertools
import json
import os
import sys
import threading
import time
import traceback
import warnings
from random import Random

import numpy as np  # noqa: F401  # a library that is half loaded is an error: see docs/failures.md
import parallel_pool

LIMIT = 90.0
"""Seconds that a child has: it may have to import everything, on a busy machine."""
AT_ONCE = 4


def use(family: str, id: str, steps: int) -> None:
    assert id in parallel_pool.list_all_envs(family)
    space = parallel_pool.make_spec(id).action_space
    with parallel_pool.make(id, num_envs=2, num_threads=2, seed=1) as pool:
        pool.reset()
        for _ in range(steps):
            pool.step([space.sample() for _ in range(2)])


def work(family: str, ids: list[str], stop: threading.Event) -> None:
    for id in itertools.cycle(ids):
        if stop.is_set():
            return
        use(family, id, 20)


def child(family: str, id: str, ends_as_usual: bool) -> None:
    """Does not return, unless the child is to end as every Python does."""
    faulthandler.dump_traceback_later(LIMIT, exit=True)
    try:
        use(family, id, 5)
        gc.collect()  # what is left of the parent's pools
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    if not ends_as_usual:
        os._exit(0)


def main(family: str, ids: str, forks: str, seed: str) -> int:
    """How many children did not end well."""
    warnings.simplefilter("ignore", DeprecationWarning)  # of a fork with threads
    random = Random(int(seed))
    names = json.loads(ids)
    stop = threading.Event()
    threads = [
        threading.Thread(target=work, args=(family, names[k:] + names[:k], stop)) for k in range(2)
    ]
    for thread in threads:
        thread.daemon = True  # a child has only their remains
        thread.start()
    running: list[int] = []
    failed = 0
    for number in range(int(forks)):
        time.sleep(random.uniform(0.0, 0.05))
        pid = os.fork()
        if pid == 0:
            child(family, random.choice(names), ends_as_usual=number % 2 == 1)
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
