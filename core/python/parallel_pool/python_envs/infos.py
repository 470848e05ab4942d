"""Infos of Python environments, put into results as Gymnasium's vector environments do."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import VectorEnv

from parallel_pool import _core
from parallel_pool.pool_errors import EnvError
from parallel_pool.python_envs.description import TICKET


class PoolWithInfos:
    """A native pool whose rows may carry tickets for infos; its results have the infos instead.

    Costs a look at the tickets where no environment gave an info.
    """

    def __init__(self, pool: _core.Pool) -> None:
        self._pool = pool

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pool, name)

    def step(self, action: Any, env_id: Any = None) -> Any:
        return self._answer(self._pool.step, action, env_id)

    def recv(self, timeout: float | None = None) -> Any:
        return self._answer(self._pool.recv, timeout)

    def reset(self, *arguments: Any) -> Any:
        return self._answer(self._pool.reset, *arguments)

    def _answer(self, call: Any, *arguments: Any) -> Any:
        try:
            result = call(*arguments)
        except EnvError as error:
            self._complete(error.result[-1])
            raise
        self._complete(result[-1])
        return result

    def _complete(self, info: dict[str, Any]) -> None:
        tickets = info.pop(TICKET)
        del info[f"_{TICKET}"]
        if "final_info" in info:
            final = info["final_info"]
            self._add(final, final.pop(TICKET))
            del final[f"_{TICKET}"]
        self._add(info, tickets)

    def _add(self, info: dict[str, Any], tickets: npt.NDArray[np.int64]) -> None:
        if not tickets.any():
            return
        adder = _Adder(len(tickets))
        ours = set(info)
        for row, text in enumerate(self._pool.take_infos(tickets)):
            if not text:
                continue
            theirs = pickle.loads(text)
            for name in ours.intersection(theirs):
                del theirs[name]
            adder._add_info(info, theirs, row)


class _Adder:
    """The part of a VectorEnv that merges infos."""

    def __init__(self, num_envs: int) -> None:
        self.num_envs = num_envs

    _add_info: Any = VectorEnv._add_info
