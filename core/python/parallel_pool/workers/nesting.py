"""Keeps worker processes from starting worker processes without end."""

from __future__ import annotations

import sys

MOST = 2
"""Environments of a program's pool may have pools with worker processes, and those in them may not."""

depth = 0
"""How many worker processes this process is inside of. Set by `worker_process`."""


def expect_end() -> None:
    """Raises EnvBuildError in a worker process whose own workers might do the same, and theirs too."""
    if depth == 0:
        return
    # It imports Gymnasium, and most workers need none of it.
    from parallel_pool.pool_errors import EnvBuildError

    module = _being_imported()
    if module is not None:
        raise EnvBuildError(
            f"the module {module} makes a pool with worker processes when it is imported, and worker processes "
            "import it: make the pool under "
            '`if __name__ == "__main__":`, or in a function'
        )
    if depth >= MOST:
        raise EnvBuildError(
            f"this is a worker process inside of {depth - 1} other, and starts none: an environment that makes "
            "pools of its own kind would start processes without end"
        )


def _being_imported() -> str | None:
    """The innermost module that is being imported and, in this thread, calls us."""
    frame = sys._getframe()
    while frame.f_back is not None:
        frame = frame.f_back
        # What Python itself looks at to explain circular imports.
        if getattr(frame.f_globals.get("__spec__"), "_initializing", False):
            return str(frame.f_globals["__name__"])
    return None
