"""What goes wrong beyond one machine."""

from __future__ import annotations

from parallel_pool.errors import ParallelPoolError
from parallel_pool.pool_errors import EnvError


class ClusterError(ParallelPoolError, RuntimeError):
    """There is no Ray cluster at the address, or it has not enough free resources."""


class LostPoolError(ParallelPoolError, RuntimeError):
    """A pool of a cluster was lost more often than `max_restarts` allows; its environments are gone.

    `pool_id`: which. The others go on.
    """

    def __init__(self, message: str, pool_id: int) -> None:
        super().__init__(message)
        self.pool_id = pool_id

    def __reduce__(self) -> tuple[type[LostPoolError], tuple[str, int]]:
        return type(self), (str(self), self.pool_id)


class LostEnvsError(EnvError):
    """Environments were lost with the actor that they lived in, and on_loss is "raise".

    As EnvError: `failures` says why, by environment; `result` has the whole batch, where their rows are
    truncated, with the last observation that was received and `info["lost"]`. They need a reset, and then are
    others, of the next generation.
    """
