"""What a pool raises while it runs. Apart from `errors`, because these also are Gymnasium's own errors,
and importing those costs what `parallel-pool list` must not pay.
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
    """An environment has a result on its way that was not received. Nothing was sent."""

    def __init__(self, message: str, name: str = "send") -> None:
        AlreadyPendingCallError.__init__(self, message, name)


class NothingPendingError(ParallelPoolError, NoAsyncCallError):
    """`recv` would wait for ever: too few environments are at work."""

    def __init__(self, message: str, name: str = "recv") -> None:
        NoAsyncCallError.__init__(self, message, name)


class ResetNeededError(ParallelPoolError, ResetNeeded):
    """An environment was stepped that was never reset, or that failed and was not reset since."""


class ClosedPoolError(ParallelPoolError, ClosedEnvironmentError):
    """The pool was used after `close()`, or closed while a `recv` was waiting."""


class ForkedPoolError(ParallelPoolError, RuntimeError):
    """The pool was made before the process forked. Make it in the child."""


class ThreadPoolInUseError(ParallelPoolError, RuntimeError):
    """A ThreadPool was closed while pools that use it are open. Nothing was closed."""


class EnvBuildError(ParallelPoolError, RuntimeError):
    """An environment could not be built; no pool came to be."""


class EnvAccessError(ParallelPoolError, RuntimeError):
    """An environment could not be drawn, or one of its arrays not be read or written."""


class NotOfferedError(ParallelPoolError, NotImplementedError):
    """The environment's plugin does not have this ability."""


class StateError(ParallelPoolError, ValueError):
    """An environment cannot save its state, or a state does not fit where it is to be restored."""


class StuckEnvError(ParallelPoolError, RuntimeError):
    """An environment whose step exceeded `step_timeout` has not returned from it since; nothing was sent."""


class WorkerCrashWarning(RuntimeWarning):
    """A worker process died (isolation="process"). Its environments come back truncated, in rows of
    zeros with `info["worker_crashed"]`, and begin new episodes in another process."""


class EnvError(ParallelPoolError, RuntimeError):
    """One or more environments of a batch failed.

    `failures`: what each said, by environment id. `result`: the whole batch, as `recv` would have
    returned it; the rows of the failed environments are zeros with `truncated` set. The failed ones
    are not stepped again before they are reset; the others go on.
    """

    def __init__(self, failures: dict[int, str], result: Any = None) -> None:
        # In the order of the environments, whichever failed first.
        self.failures = dict(sorted(failures.items()))
        self.result = result
        said = "; ".join(f"environment {env}: {text}" for env, text in self.failures.items())
        super().__init__(
            f"{said}. The others' results are in this error's `result`; {self._advice(list(self.failures))}"
        )

    def _advice(self, ids: list[int]) -> str:
        return f"go on with reset(env_id={ids})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.failures, self.result)


class EnvTimeoutError(EnvError, TimeoutError):
    """One or more environments of a batch gave no answer within `step_timeout`.

    As EnvError. Threads cannot be stopped: such an environment takes neither actions nor resets
    (StuckEnvError) until it returns from its step by itself, if ever. A step that was merely slow
    leaves an environment that a reset makes well again.
    """

    def _advice(self, ids: list[int]) -> str:
        return (
            f"go on with the others (env_id=), as {ids} can only be reset once their steps are over, "
            "or close this pool and make a new one"
        )
