"""The calls of a pool as a program makes them: through XLA's FFI, or through a callback into Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt
from parallel_pool import ClosedPoolError
from parallel_pool.pool_api import NativePool, ResultHandle, XlaTurn, leaves, with_leaves
from parallel_pool.pool_api import result_tree as nodes

from parallel_pool_jax.library import jax
from parallel_pool_jax.program_tree import columns_of

Shapes = Sequence[Any]
"""jax.ShapeDtypeStructs."""


class Backend(Protocol):
    """Makes the calls. Each takes and returns arrays, the handle first; see `core/src/xla/calls.hpp`."""

    def call(
        self, name: str, results: Shapes, arguments: Sequence[Any], aliases: Mapping[int, int]
    ) -> Sequence[Any]:
        """The results of the call `name`. aliases: which argument shares its memory with which result."""


@dataclass(frozen=True)
class Ffi:
    """Calls of the native pool from compiled code, without Python."""

    signature: str

    def call(
        self, name: str, results: Shapes, arguments: Sequence[Any], aliases: Mapping[int, int]
    ) -> Sequence[Any]:
        """The results of a call of XLA's FFI."""
        make = jax.ffi.ffi_call(
            f"parallel_pool.{name}",
            list(results),
            has_side_effect=True,
            input_output_aliases=dict(aliases),
        )
        given: Sequence[Any] = make(*arguments, signature=self.signature)
        return given


class Callback:
    """Calls of the pool's Python object by `jax.experimental.io_callback`: slower, and on every platform."""

    _pools: ClassVar[WeakValueDictionary[tuple[int, ...], NativePool]] = WeakValueDictionary()
    """By the part of a handle that says which pool it is of."""

    def __init__(
        self, pool: NativePool, signature: str, step: Any, reset: Any, actions: Any
    ) -> None:
        self._signature = signature
        self._pools[pool.xla([], [], "")[:2]] = pool
        self._trees = {"send": None, "recv": step, "step": step, "reset": reset}
        self._actions = actions

    def call(
        self, name: str, results: Shapes, arguments: Sequence[Any], aliases: Mapping[int, int]
    ) -> Sequence[Any]:
        """The results of a callback; aliases are for the FFI only."""
        del aliases

        def host(*given: Any) -> list[Any]:
            return self._host(name, results, [np.asarray(each) for each in given])

        answer: Sequence[Any] = jax.experimental.io_callback(host, list(results), *arguments)
        return answer

    def _host(
        self, name: str, results: Shapes, given: list[npt.NDArray[Any]]
    ) -> list[npt.NDArray[Any]]:
        handle = tuple(int(word) for word in given[0])
        turn = XlaTurn(handle, self._signature)
        try:
            pool = self._pools.get(handle[:2])
            if pool is None:
                raise ClosedPoolError("the pool of this handle is gone: it was garbage collected")
            rows = getattr(self, f"_{name}")(pool, turn, results[1:], given[1:])
            turn.done()
            return [np.array(turn.next(), np.uint32), *rows]
        finally:
            turn.end()

    def _send(
        self, pool: NativePool, turn: XlaTurn, results: Shapes, given: list[npt.NDArray[Any]]
    ) -> list[npt.NDArray[Any]]:
        del results
        pool.send(*self._action(given))
        turn.done()
        return []

    def _recv(
        self, pool: NativePool, turn: XlaTurn, results: Shapes, given: list[npt.NDArray[Any]]
    ) -> list[npt.NDArray[Any]]:
        del given
        handle = pool.recv()
        turn.done()
        return self._columns("recv", handle, results)

    def _step(
        self, pool: NativePool, turn: XlaTurn, results: Shapes, given: list[npt.NDArray[Any]]
    ) -> list[npt.NDArray[Any]]:
        action, env_id = self._action(given)
        handle = pool.step(action, env_id)
        turn.done()
        return self._columns("step", handle, results)

    def _reset(
        self, pool: NativePool, turn: XlaTurn, results: Shapes, given: list[npt.NDArray[Any]]
    ) -> list[npt.NDArray[Any]]:
        words = given[-1].astype(np.uint64) if len(given) in (1, 2 + len(results)) else None
        seeds = None if words is None else words[:, 0] | words[:, 1] << np.uint64(32)
        if len(given) <= 1:
            handle = pool.reset(None, None if seeds is None else seeds.tolist())
            turn.done()
            return self._columns("reset", handle, results)
        ids = np.flatnonzero(given[0])
        columns = [np.array(column) for column in given[1 : 1 + len(results)]]
        if ids.size == 0:
            return columns
        handle = pool.reset(ids, None if seeds is None else seeds[ids].tolist())
        turn.done()
        part = [type(result)((len(ids), *result.shape[1:]), result.dtype) for result in results]
        for column, rows in zip(columns, self._columns("reset", handle, part), strict=True):
            column[ids] = rows
        return columns

    def _action(self, given: list[npt.NDArray[Any]]) -> tuple[Any, Any]:
        """The action as the pool wants it, and env_id."""
        count = len(leaves(self._actions))
        action = with_leaves(self._actions, given[len(given) - count :])
        return action, given[0] if len(given) > count else None

    def _columns(self, name: str, handle: ResultHandle, results: Shapes) -> list[npt.NDArray[Any]]:
        tree = self._trees[name]
        found: dict[nodes.Node, Any] = {}
        _match(tree, handle.result, found)
        return [
            np.zeros(shape.shape, shape.dtype)  # this column is there in some batches only
            if column not in found
            else _fitting(found[column], shape)
            for column, shape in zip(columns_of(tree), results, strict=True)
        ]


def _fitting(column: npt.NDArray[Any], shape: Any) -> npt.NDArray[Any]:
    if column.shape != shape.shape:
        raise ValueError(
            f"the answer has {column.shape[0]} rows, and the program expects {shape.shape[0]}: say how many "
            "with recv(handle, rows)"
        )
    return np.asarray(column).astype(shape.dtype, copy=False)


def _match(tree: Any, result: Any, found: dict[nodes.Node, Any]) -> None:
    if isinstance(tree, nodes.Computed):
        return
    if isinstance(tree, nodes.Node):
        found[tree] = result
    elif isinstance(tree, Mapping):
        for name, member in tree.items():
            if name in result:
                _match(member, result[name], found)
    else:
        for member, part in zip(tree, result, strict=True):
            _match(member, part, found)
