"""Errors of pools on several machines."""

from __future__ import annotations

from parallel_pool import EnvError
from parallel_pool.errors import ParallelPoolError


class ClusterError(ParallelPoolError, RuntimeError):
    """No Ray cluster answers at the address, its free resources are not enough, or the connection has ended."""


class LostPoolError(ParallelPoolError, RuntimeError):
    """An actor was lost more often than `max_restarts` allows; its environments are gone.

    `pool_id`: the number of the actor. The other actors continue.
    """

    def __init__(self, message: str, pool_id: int) -> None:
        super().__init__(message)
        self.pool_id = pool_id

    def __reduce__(self) -> tuple[type[LostPoolError], tuple[str, int]]:
        return type(self), (str(self), self.pool_id)


class LostEnvsError(EnvError):
    """Environments were lost with their actor, and on_loss is "raise".

    A kind of EnvError: `failures` has the reason by environment, and `result` the whole batch, in which the
    rows of the lost environments are truncated, with the last received observation and `info["lost"]`. These
    environments need a reset, which starts them in a new actor, with other seeds.
    """
