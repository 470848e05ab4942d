"""Puts the infos of Python environments into results, as Gymnasium's vector environments do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from parallel_pool.caller import warn_caller
from parallel_pool.config.python_env import Infos, PythonEnv
from parallel_pool.errors import LostInfoWarning
from parallel_pool.registry.described import one_line
from parallel_pool.schema.batches import bends_none, objects
from parallel_pool.schema.result_tree import (
    Extended,
    FieldColumn,
    FinalColumn,
    HostColumn,
    TakenInfos,
)
from parallel_pool.workers.python_envs.obs_objects import apart

_NUMBERS: dict[type, type] = {kind: np.dtype(kind).type for kind in (int, float, bool)}
_Lost = Callable[[int, Any, str], None]
"""Warns that an info is left out: its row, its key, and why."""


class WorkerInfos:
    """The parts of result trees that add those infos, each at the end of its dict.

    Rows have handles, and without an info nothing but a look at them is done. A handle can be opened once, and
    may stand for the last info of an episode and for infos of other rows: so both are opened together.
    """

    def __init__(self, joiner: InfoJoiner, *, final: bool) -> None:
        """final: whether the last infos of episodes that ended are in a dict of their own."""
        handle = joiner.env.handle_field
        now, last = FieldColumn(handle), FinalColumn(handle)
        env_id = HostColumn("env_id")
        taken = TakenInfos((now, last) if final else (now,), joiner.opened)
        self.step = Extended(joiner.add, (taken, now, env_id))
        self.final = Extended(joiner.add, (taken, last, env_id))
        self.reset = Extended(joiner.add, (TakenInfos((now,), joiner.opened), now, env_id))


class InfoJoiner:
    """Opens infos and joins them. An info that cannot be in a result is left out, and the rest is made.

    There is one warning for each key, with the first environment.
    """

    def __init__(self, env: PythonEnv) -> None:
        self.env = env
        self._sees_objects = bool(env.objects("obs"))
        self._said: set[Any] = set()
        self._unsaid: list[str] = []

    def opened(self, text: bytes) -> dict[int, Any]:
        """What rows have beside arrays: {env: info}, and {~env: objects that it observed}."""
        objects: dict[int, Any] = {}
        if self._sees_objects:
            packed, text = apart(text)
            for env, each in packed.items():
                try:
                    objects[~env] = self.env.serializer.open(each)
                except Exception as error:
                    self._nothing_of(f"objects that environment {env} observed", error)
        try:
            infos = self.env.serializer.open_infos(text, self._not_opened) if text else {}
        except Exception as error:
            infos = self._nothing_of("infos of a worker's environments", error)
        return {**infos, **objects} if objects else dict(infos)

    def add(
        self,
        info: dict[str, Any],
        taken: dict[int, Infos],
        handles: npt.NDArray[np.int64],
        env_ids: npt.NDArray[np.int32],
    ) -> None:
        """Adds the infos `taken`, by handle and environment, except for names that the info has already."""
        ours, envs = set(info), env_ids.tolist()
        given: list[tuple[int, Mapping[Any, Any]]] = []

        def lost(row: int, key: Any, why: str) -> None:
            self._warn(key, f"info[{key!r}] of environment {envs[row]} is left out: {why}")

        for row, (handle, env) in enumerate(zip(handles.tolist(), envs, strict=True)):
            theirs = taken.get(handle, {}).get(env)
            if theirs:
                if not ours.isdisjoint(theirs):
                    for name in sorted(ours.intersection(theirs)):
                        lost(row, name, "the pool's own is under this key: rename it in a wrapper")
                    theirs = {name: value for name, value in theirs.items() if name not in ours}
                given.append((row, theirs))
        try:
            merge(info, given, len(envs), lost)
        except Exception as error:
            self._nothing_of("infos of Python environments", error)
        self.warn()

    def warn(self) -> None:
        """Issues the warnings that were not issued yet.

        Together: a program may make warnings errors, and a result that raises again and again is given up.
        """
        unsaid, self._unsaid = self._unsaid, []
        for text in unsaid:
            warn_caller(text, LostInfoWarning)

    def _not_opened(self, env: int, key: Any, _: Any, error: Exception) -> None:
        why = f"it came from a worker process and cannot be opened in this one: {one_line(error)}"
        self._warn(key, f"info[{key!r}] of environment {env} is left out: {why}")

    def _nothing_of(self, infos: str, error: Exception) -> Infos:
        """Nothing, in place of infos that an exception ended."""
        if isinstance(error, MemoryError):
            raise error  # the next recv may find some
        self._warn(infos, f"{infos} are left out: {one_line(error)}")
        return {}

    def _warn(self, about: Any, text: str) -> None:
        if about not in self._said:
            self._said.add(about)
            self._unsaid.append(text)


def as_it_is_now(info: Mapping[Any, Any]) -> dict[Any, Any]:
    """A copy of an info that is sent uncopied: of its dicts and arrays, which `merge` copies too.

    The environment may fill the same dict again, in SAME_STEP mode even before `merge`. Raises RecursionError
    if it contains itself.
    """
    return {
        key: as_it_is_now(value)
        if isinstance(value, dict)
        else value.copy()
        if isinstance(value, np.ndarray)
        else value
        for key, value in info.items()
    }


def merge(
    info: dict[Any, Any],
    given: Sequence[tuple[int, Mapping[Any, Any]]],
    rows: int,
    lost: _Lost,
    *,
    inside: bool = False,
) -> None:
    """Adds the infos of some rows to those of all, as `VectorEnv._add_info` does row by row.

    Key by key, which takes a fraction of the time if environments have the same keys. Values for which
    Gymnasium's layout has no place become an object array. inside: of an info.
    """
    columns: dict[Any, tuple[list[int], list[Any]]] = {}
    for row, each in given:
        for key, value in each.items():
            column = columns.get(key)
            if column is None:
                column = columns[key] = ([], [])
            column[0].append(row)
            column[1].append(value)
    masks = {key: f"_{key}" for key in columns}
    for key, name in masks.items():
        if name in columns:
            lost(columns.pop(name)[0][0], name, f"the mask of {key!r} is under this key")
    for key, (where, values) in columns.items():
        try:
            column_of_all = _column(key, where, values, rows, lost)
        except Exception as error:
            if isinstance(error, MemoryError) or (inside and isinstance(error, RecursionError)):
                raise
            column_of_all = objects(where, values, rows)
        info[key] = column_of_all
        # As in Gymnasium, the keys 1 and "1" share it.
        info.setdefault(masks[key], np.zeros(rows, np.bool_))[where] = True


def _column(key: Any, where: list[int], values: list[Any], rows: int, lost: _Lost) -> Any:
    """As Gymnasium chooses it by the first value. Raises where it would bend or refuse another."""
    first, kind = values[0], type(values[0])
    if key == "final_obs":
        return objects(where, values, rows)
    if kind in _NUMBERS or issubclass(kind, (np.number, np.ndarray)):
        given = np.array(values)
        expected = first.dtype.type if kind is np.ndarray else _NUMBERS.get(kind, kind)
        # Numbers become texts and times, too.
        if given.dtype.type is not expected or given.dtype.kind not in "biufc":
            _expect_alike(given, values)
        column = np.zeros((rows, *given.shape[1:]), given.dtype)
        column[where] = given
        return column
    if issubclass(kind, dict):
        nested: dict[Any, Any] = {}
        merge(nested, list(zip(where, values, strict=True)), rows, lost, inside=True)
        return nested
    return objects(where, values, rows)


def _expect_alike(given: npt.NDArray[Any], values: list[Any]) -> None:
    """Raises TypeError if the dtype that numpy found for these values bends some, or is none of numbers."""
    huge = given.dtype == object and not isinstance(values[0], np.ndarray)
    if huge or not bends_none(given.dtype, [np.asarray(value) for value in values]):
        raise TypeError("no dtype holds all of these values")
