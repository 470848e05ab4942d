"""An asynchronous run once more: which environments were in which batch, and a pool that answers so again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from parallel_pool.errors import OptionError
from parallel_pool.pool_errors import NothingPendingError
from parallel_pool.views.gathering import concatenated, reordered
from parallel_pool.views.gymnasium import GymnasiumPool


class BatchLog:
    """The environments of every batch that a pool has handed out, in their order.

        log = BatchLog()
        obs, reward, terminated, truncated, info = log.note(envs.recv())

    What each environment does depends on its seed and its actions only, so this and the seeds are all that
    makes an asynchronous run different from the next.
    """

    def __init__(self, batches: Sequence[Sequence[int]] = ()) -> None:
        self.batches = [np.asarray(each, np.int32) for each in batches]

    def note(self, result: Any) -> Any:
        """Takes down whose rows these are, and gives back the result of `recv`, of view "gymnasium" or
        "gym"."""
        self.batches.append(result[-1]["env_id"].copy())
        return result

    def save(self, path: str | Path) -> None:
        """Writes JSON: a list of lists."""
        Path(path).write_text(json.dumps([each.tolist() for each in self.batches]))

    @classmethod
    def load(cls, path: str | Path) -> BatchLog:
        """What `save` wrote."""
        return cls(json.loads(Path(path).read_text()))


class ReplayedPool:
    """Answers as the pool did that a `BatchLog` was made of, batch for batch, row for row.

    envs: a synchronous pool of view "gymnasium" with the arguments and seeds of that one, but for batch_size.
    As there, `async_reset` and `send` come before `recv`; the environments work when their batch is received.
    """

    def __init__(self, envs: GymnasiumPool, log: BatchLog) -> None:
        if not isinstance(envs, GymnasiumPool) or envs.is_async:
            raise OptionError(
                "a log is replayed with a synchronous pool of view 'gymnasium': leave batch_size out"
            )
        self.envs = envs
        self._batches = iter(log.batches)
        self._received = 0
        self._actions: dict[int, Any] = {}
        self._resets: dict[int, Any] = {}

    def async_reset(self, env_id: Any = None, *, seed: Any = None) -> None:
        """As the pool's."""
        ids = self._ids(env_id)
        seeds = self.envs._seeds(seed, env_id) or [None] * len(ids)
        self._resets |= dict(zip(ids, seeds, strict=True))

    def send(self, action: Any, env_id: Any = None) -> None:
        """As the pool's; actions are arrays, one row for each environment."""
        self._actions |= dict(zip(self._ids(env_id), action, strict=True))

    def recv(self) -> Any:
        """The next batch of the log. Raises NothingPendingError where one of its environments was sent
        nothing, or the log is at its end."""
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
