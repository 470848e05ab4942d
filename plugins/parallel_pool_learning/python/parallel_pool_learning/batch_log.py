"""Replays of asynchronous runs: a log of which environments were in which batch, and a pool that repeats it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from parallel_pool import NothingPendingError
from parallel_pool.errors import OptionError
from parallel_pool.pool_api import GymnasiumPool, concatenated, reordered

from parallel_pool_learning.arrays import as_numpy
from parallel_pool_learning.pools import expect_numpy


class BatchLog:
    """The environments of every batch that an asynchronous pool has returned, in order.

        log = BatchLog()
        obs, reward, terminated, truncated, info = log.note(envs.recv())

    The results of an environment depend only on its seed and its actions. Asynchronous runs with the same
    seeds and policy differ only in the order of the environments, so the seeds and this log are enough to
    repeat a run.
    """

    def __init__(self, batches: Sequence[Sequence[int]] = ()) -> None:
        self.batches = [np.asarray(each, np.int32) for each in batches]

    def note(self, result: Any) -> Any:
        """Adds the environments of a result of `recv` (view "gymnasium" or "gym") and returns the result."""
        self.batches.append(as_numpy(result[-1]["env_id"]).copy())
        return result

    def save(self, path: str | Path) -> None:
        """Writes the log as JSON: a list of lists of environment numbers."""
        Path(path).write_text(json.dumps([each.tolist() for each in self.batches]))

    @classmethod
    def load(cls, path: str | Path) -> BatchLog:
        """Reads a log that `save` has written."""
        return cls(json.loads(Path(path).read_text()))


class ReplayedPool:
    """A pool that returns the batches of a `BatchLog`: the same environments in the same order.

    envs: a synchronous pool of the view "gymnasium" with the arguments and seeds of the logged pool, except
    batch_size. Call `async_reset` and `send` before `recv`, as with the logged pool. The environments are
    stepped when their batch is received.
    """

    def __init__(self, envs: GymnasiumPool, log: BatchLog) -> None:
        if not isinstance(envs, GymnasiumPool) or envs.is_async:
            raise OptionError(
                "a log is replayed with a synchronous pool of view 'gymnasium': leave batch_size out"
            )
        expect_numpy(envs.definition, "a replay")
        self.envs = envs
        self._batches = iter(log.batches)
        self._received = 0
        self._actions: dict[int, Any] = {}
        self._resets: dict[int, Any] = {}

    def async_reset(self, env_id: Any = None, *, seed: Any = None) -> None:
        """Requests a reset of all environments, as the pool's `async_reset`."""
        ids = self._ids(env_id)
        seeds = self.envs.definition.spread(seed, ids)
        self._resets |= dict(zip(ids, seeds, strict=True))

    def send(self, action: Any, env_id: Any = None) -> None:
        """Stores actions for `env_id`, as the pool's `send`: arrays with one row per environment."""
        self._actions |= dict(zip(self._ids(env_id), action, strict=True))

    def recv(self) -> Any:
        """Returns the next batch of the log.

        Raises NothingPendingError if an environment of this batch has no action or reset pending, and at the
        end of the log.
        """
        batch = next(self._batches, None)
        if batch is None:
            raise NothingPendingError(f"the log has {self._received} batches, and no more")
        order: list[int] = batch.tolist()
        for env in order:
            if env not in self._actions and env not in self._resets:
                raise NothingPendingError(
                    f"batch {self._received} of the log has environment {env}, which was sent nothing"
                )
        parts = []
        resets = [env for env in order if env in self._resets]
        steps = [env for env in order if env not in self._resets]
        if resets:
            self.envs.async_reset(resets, seed=[self._resets.pop(env) for env in resets])
            parts.append(self.envs.recv())
        if steps:
            actions = np.stack([self._actions.pop(env) for env in steps])
            parts.append(self.envs.step(actions, steps))
        self._received += 1
        if len(parts) == 1:
            return parts[0]
        places = {env: row for row, env in enumerate(resets + steps)}
        return reordered(concatenated(parts), [places[env] for env in order])

    def close(self) -> None:
        """Closes the pool."""
        self.envs.close()

    def _ids(self, env_id: Any) -> list[int]:
        ids: npt.NDArray[Any] = (
            self.envs.all_env_ids if env_id is None else np.atleast_1d(np.asarray(env_id))
        )
        return [int(each) for each in ids]
