"""Several threads at work together."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable


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
