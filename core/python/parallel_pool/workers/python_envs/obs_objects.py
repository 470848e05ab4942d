"""Observations, or parts of them, that are no arrays: they travel with the infos of their row."""

from __future__ import annotations

import copy
import pickle
import struct
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from parallel_pool.config.python_env import PythonEnv
from parallel_pool.schema.fields import Field
from parallel_pool.schema.object_rows import ObjectRows
from parallel_pool.schema.result_tree import (
    Computed,
    FieldColumn,
    FinalColumn,
    HostColumn,
    TakenInfos,
)
from parallel_pool.workers import forks
from parallel_pool.workers.python_envs.row_checks import Write
from parallel_pool.workers.python_envs.serializer import InProcessStore

_SIZE = struct.Struct("=Q")


class SeenObjects:
    """The worker's side: the objects that environments observed in one call, by lane."""

    def __init__(self, env: PythonEnv) -> None:
        self.any = bool(env.objects("obs"))
        self._pack = env.serializer.pack
        # An environment in a thread may change what it observed.
        self._shared = isinstance(env.serializer, InProcessStore)
        self._row: list[Any] = []
        self._packed: dict[int, bytes] = {}

    def add(self, value: Any) -> None:
        """The next object of a row."""
        self._row.append(value)

    def kept(self, write: Write) -> Write:
        """`write`, after which the objects that it added are kept. Raises what keeps one from being sent."""
        if not self.any:
            return write
        count = forks.count

        def write_and_keep(lane: int, obs: Any) -> None:
            self._row.clear()
            try:
                write(lane, obs)
                self._packed[lane] = self._pack(
                    copy.deepcopy(self._row) if self._shared else [*self._row]
                )
            finally:  # objects may fork where they are copied
                if forks.count != count:
                    forks.end_child()

        return write_and_keep

    def taken(self) -> dict[int, bytes]:
        """The rows since the last call, packed, by lane."""
        packed, self._packed = self._packed, {}
        return packed


def joined(objects: Mapping[int, bytes], infos: bytes) -> bytes:
    """One text of packed objects, by environment, and packed infos, which may be empty."""
    head = pickle.dumps(objects)
    return _SIZE.pack(len(head)) + head + infos


def apart(text: bytes) -> tuple[dict[int, bytes], bytes]:
    """The packed objects and the packed infos of `joined`."""
    (size,) = _SIZE.unpack_from(text)
    begin = _SIZE.size + size
    return pickle.loads(text[_SIZE.size : begin]), text[begin:]


def object_rows(
    env: PythonEnv,
    opened: Callable[[bytes], Any],
    warn: Callable[[], None],
    number: int,
    field: Field,
    *,
    final: bool,
    same_step: bool,
) -> Computed:
    """The node of the objects of this field; final: the last ones of episodes that ended.

    opened, warn: of the `InfoJoiner`.
    """
    now, last = FieldColumn(env.handle_field), FinalColumn(env.handle_field)
    taken = TakenInfos((now, last) if same_step else (now,), opened)
    absent = "" if isinstance(field["space"], spaces.Text) else None
    made = partial(_rows, warn, env.objects("obs").index(number), absent)
    rows = Computed(made, (taken, last if final else now, HostColumn("env_id")))
    # An info, in which Gymnasium's wrappers look for arrays.
    return Computed(_where_ended, (rows, HostColumn("ended"))) if final else rows


def _rows(
    warn: Callable[[], None],
    place: int,
    absent: Any,
    taken: dict[int, dict[int, Any]] | None,
    handles: npt.NDArray[Any],
    env_ids: npt.NDArray[Any],
) -> ObjectRows:
    """absent: of rows without an object, such as those of environments that failed."""
    warn()
    rows = [
        (taken or {}).get(handle, {}).get(~env)
        for handle, env in zip(handles.tolist(), env_ids.tolist(), strict=True)
    ]
    return ObjectRows(absent if row is None else row[place] for row in rows)


def _where_ended(rows: ObjectRows, ended: npt.NDArray[np.bool_]) -> npt.NDArray[np.object_]:
    """An object array: the rows of episodes that ended, and None in the others."""
    array = rows.array()
    array[~ended] = None
    return array
