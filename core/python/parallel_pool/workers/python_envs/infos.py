"""Puts the infos of Python environments into results, as Gymnasium's vector environments do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from parallel_pool.caller import warn_caller
from parallel_pool.config.python_env import PythonEnv, Serializer
from parallel_pool.errors import LostInfoWarning
from parallel_pool.schema.result_tree import (
    Extended,
    FieldColumn,
    FinalColumn,
    HostColumn,
    TakenInfos,
)


class WorkerInfos:
    """The parts of result trees that add those infos, each at the end of its dict.

    Rows have handles, and without an info nothing but a look at them is done. A handle can be opened once, and
    may stand for the last info of an episode and for infos of other rows: so both are opened together.
    """

    def __init__(self, env: PythonEnv, *, final: bool) -> None:
        """final: whether the last infos of episodes that ended are in a dict of their own."""
        opened = opener(env.serializer)
        now, last = FieldColumn(env.handle_field), FinalColumn(env.handle_field)
        env_id = HostColumn("env_id")
        taken = TakenInfos((now, last) if final else (now,), opened)
        add = partial(_add, set())
        self.step = Extended(add, (taken, now, env_id))
        self.final = Extended(add, (taken, last, env_id))
        self.reset = Extended(add, (TakenInfos((now,), opened), now, env_id))


def opener(serializer: Serializer) -> Callable[[bytes], Any]:
    """A function that opens infos. It leaves out those that cannot be opened, with a warning."""

    def opened(text: bytes) -> Any:
        try:
            return serializer.open(text)
        except Exception as error:
            warn_caller(
                "infos of Python environments came from a worker process and cannot be opened in this one, so "
                f"they are left out: {type(error).__name__}: {error}",
                LostInfoWarning,
            )
            return {}

    return opened


def as_it_is_now(info: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of an info that is sent uncopied: of its dicts and arrays, which `merge` copies too.

    The environment may fill the same dict again, in SAME_STEP mode even before `merge`.
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
    said: set[Any],
    info: dict[str, Any],
    taken: dict[int, dict[int, dict[str, Any]]],
    handles: npt.NDArray[np.int64],
    env_ids: npt.NDArray[np.int32],
) -> None:
    """Adds the infos `taken`, by handle and environment, except for names that the info has already.

    said: the names of which a warning was issued.
    """
    ours, envs = set(info), env_ids.tolist()
    given: list[tuple[int, dict[str, Any]]] = []
    for row, (handle, env) in enumerate(zip(handles.tolist(), envs, strict=True)):
        theirs = taken.get(handle, {}).get(env)
        if theirs:
            if not ours.isdisjoint(theirs):
                _warn_once(said, ours.intersection(theirs))
                theirs = {name: value for name, value in theirs.items() if name not in ours}
            given.append((row, theirs))
    merge(info, given, len(envs))


def _warn_once(said: set[Any], names: set[Any]) -> None:
    for name in sorted(names - said):
        said.add(name)
        warn_caller(
            f"infos of Python environments have the key {name!r}, under which the pool's own is kept, so "
            "theirs is left out: rename it in a wrapper",
            LostInfoWarning,
        )


def merge(info: dict[str, Any], given: Sequence[tuple[int, Mapping[str, Any]]], rows: int) -> None:
    """Adds the infos of some rows to those of all, as `VectorEnv._add_info` does row by row.

    Key by key, which takes a fraction of the time if environments have the same keys.
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
