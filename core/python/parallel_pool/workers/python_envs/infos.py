"""Infos of Python environments, put into results as Gymnasium's vector environments do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from parallel_pool import _core
from parallel_pool.config.python_env import INFO_HANDLE, Serializer
from parallel_pool.pool_errors import EnvError


class PoolWithInfos:
    """A native pool whose rows may carry handles for infos; its results have the infos instead.

    Costs a look at the handles where no environment gave an info.
    """

    def __init__(self, pool: _core.Pool, serializer: Serializer) -> None:
        self._pool = pool
        self._serializer = serializer

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
        handles = info.pop(INFO_HANDLE)
        del info[f"_{INFO_HANDLE}"]
        wanted = set(handles.tolist())
        final: dict[str, Any] | None = info.get("final_info")
        last = handles
        if final is not None:
            last = final.pop(INFO_HANDLE)
            del final[f"_{INFO_HANDLE}"]
            wanted.update(last.tolist())
        wanted.discard(0)
        if not wanted:
            return
        order = list(wanted)
        texts = self._pool.take_infos(order)
        loaded = {
            handle: self._serializer.open(text)
            for handle, text in zip(order, texts, strict=True)
            if text
        }
        envs = info["env_id"].tolist()
        if final is not None:
            _add(final, last, envs, loaded)
        _add(info, handles, envs, loaded)


def as_it_is_now(info: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of an info that crosses uncopied, and of what `merge` copies: dicts and arrays.

    An environment may fill one again and again. In SAME_STEP mode it does so before `merge`.
    """
    return {
        key: as_it_is_now(value)
        if isinstance(value, dict)
        else value.copy()
        if isinstance(value, np.ndarray)
        else value
        for key, value in info.items()
    }


def _add(
    info: dict[str, Any],
    handles: npt.NDArray[np.int64],
    envs: list[int],
    loaded: dict[int, dict[int, dict[str, Any]]],
) -> None:
    ours = set(info)
    given: list[tuple[int, dict[str, Any]]] = []
    for row, (handle, env) in enumerate(zip(handles.tolist(), envs, strict=True)):
        theirs = loaded.get(handle, {}).get(env)
        if theirs:
            if not ours.isdisjoint(theirs):
                theirs = {name: value for name, value in theirs.items() if name not in ours}
            given.append((row, theirs))
    merge(info, given, len(envs))


def merge(info: dict[str, Any], given: Sequence[tuple[int, Mapping[str, Any]]], rows: int) -> None:
    """Adds the infos of some rows to those of all, as `VectorEnv._add_info` does row by row.

    Key by key, which takes a fraction of the time where environments give the same keys.
    """
    columns: dict[str, tuple[list[int], list[Any]]] = {}
    for row, each in given:
        for key, value in each.items():
            column = columns.get(key)
            if column is None:
                column = columns[key] = ([], [])
            column[0].append(row)
            column[1].append(value)
    for key, (where, values) in columns.items():
        first = values[0]
        if isinstance(first, dict) and key != "final_obs":
            nested: dict[str, Any] = {}
            merge(nested, list(zip(where, values, strict=True)), rows)
            info[key] = nested
        elif key != "final_obs" and (
            type(first) in (int, float, bool) or isinstance(first, np.number)
        ):
            array = np.zeros(rows, type(first))
            array[where] = values
            info[key] = array
        else:
            if key != "final_obs" and isinstance(first, np.ndarray):
                array = np.zeros((rows, *first.shape), first.dtype)
            else:
                array = np.full(rows, None, object)
            for row, value in zip(where, values, strict=True):
                array[row] = value
            info[key] = array
        mask = np.zeros(rows, np.bool_)
        mask[where] = True
        info[f"_{key}"] = mask
