"""Errors of running pools. Apart from `errors`, because these are also Gymnasium's errors, and the import of
Gymnasium is too slow for `parallel-pool list`.
"""

from __future__ import annotations

from typing import Any

import gymnasium  # noqa: F401  # whole: a part does not wait for a thread that is importing it
from gymnasium.error import (
    AlreadyPendingCallError,
    ClosedEnvironmentError,
    NoAsyncCallError,
    ResetNeeded,
)

from parallel_pool.errors import ParallelPoolError


class AlreadyPendingError(ParallelPoolError, AlreadyPendingCallError):
    """An environment has a pending result that was not received. Nothing was sent."""

    def __init__(self, message: str, name: str = "send") -> None:
        AlreadyPendingCallError.__init__(self, message, name)


class NothingPendingError(ParallelPoolError, NoAsyncCallError):
    """`recv` would wait forever: too few environments have a pending result."""

    def __init__(self, message: str, name: str = "recv") -> None:
        NoAsyncCallError.__init__(self, message, name)


class ResetNeededError(ParallelPoolError, ResetNeeded):
    """An environment was stepped, saved, drawn or read before its first reset, or after it failed or ended."""


class ClosedPoolError(ParallelPoolError, ClosedEnvironmentError):
    """The pool was used after `close()`, or closed while `recv` was waiting."""


class ForkedPoolError(ParallelPoolError, RuntimeError):
    """The pool was made before the process forked. Make a new pool in the child."""


class ThreadPoolInUseError(ParallelPoolError, RuntimeError):
    """A ThreadPool was closed while open pools use it. Nothing was closed."""


class EnvBuildError(ParallelPoolError, RuntimeError):
    """An environment could not be built; no pool was made."""


class EnvAccessError(ParallelPoolError, RuntimeError):
    """An environment could not be drawn, or one of its arrays could not be read or written."""


class NotOfferedError(ParallelPoolError, NotImplementedError):
    """The environment's plugin does not support this operation."""


class StateError(ParallelPoolError, ValueError):
    """An environment cannot save its state, or a state does not fit the environment."""


class StuckEnvError(ParallelPoolError, RuntimeError):
    """A step that exceeded `step_timeout` has still not returned, so its environment was sent nothing."""


class WorkerCrashWarning(RuntimeWarning):
    """A worker process died (isolation="process").

    The rows of its environments are zeros, truncated, with `info["worker_crashed"]`; the environments begin
    new episodes in another process.
    """


class EnvError(ParallelPoolError, RuntimeError):
    """One or more environments of a batch failed.

    `failures`: the error of each, by environment id. `result`: the whole batch, as `recv` would have
    returned it; the rows of the failed environments are zeros with `truncated` set. Failed environments must
    be reset before their next step; the others continue.
    """

    _failed = "environment"

    def __init__(self, failures: dict[int, str], result: Any = None) -> None:
        # In the order of the environments, whichever failed first.
        self.failures = dict(sorted(failures.items()))
        self.result = result
        said = "; ".join(f"{self._failed} {each}: {text}" for each, text in self.failures.items())
        super().__init__(
            f"{said}. The others' results are in this error's `result`; {self._advice(list(self.failures))}"
        )

    def _advice(self, ids: list[int]) -> str:
        return f"go on with reset(env_id={ids})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.failures, self.result)


class EnvTimeoutError(EnvError, TimeoutError):
    """One or more environments of a batch did not return within `step_timeout`.

    An EnvError. Threads cannot be stopped: such an environment accepts neither actions nor resets
    (StuckEnvError) until its step returns, if ever. After that it can be used again when it is reset.
    """

    def _advice(self, ids: list[int]) -> str:
        return (
            f"go on with the others (env_id=), as {ids} can only be reset once their steps are over, "
            "or close this pool and make a new one"
        )


class SimulationError(EnvError):
    """One or more sequences of `simulate` failed: their results are those of the steps before.

    `failures`: the error of each, by sequence. `result`: the whole Simulation. The pool is as it was.
    """

    _failed = "sequence"

    def _advice(self, ids: list[int]) -> str:
        return "the pool's own environments are as they were"


REFUSALS = (
    AlreadyPendingError,
    IndexError,
    NotOfferedError,
    ResetNeededError,
    StuckEnvError,
    TypeError,
    ValueError,
)
"""What the native pool raises before it sends anything."""
