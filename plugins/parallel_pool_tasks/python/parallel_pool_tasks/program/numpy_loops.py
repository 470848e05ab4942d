"""numpy's own loops of exp, sin, matmul and so on, for the library to call (src/numpy_loops.hpp).

A ufunc holds the addresses of its inner loops, in a struct that numpy's headers publish and that extension
modules are compiled with. It is tried first that they compute what numpy computes.
"""

from __future__ import annotations

import ctypes
import functools
from typing import Any

import numpy as np

from parallel_pool_tasks.program.ops import loops

_MAGIC = 0x706F6F6C6B736174
_TYPES = ((np.float64, "d"), (np.float32, "f"))


class _UFunc(ctypes.Structure):
    """The beginning of a PyUFuncObject, behind what every Python object begins with."""

    _fields_ = (
        ("object", ctypes.c_ssize_t * (object.__basicsize__ // ctypes.sizeof(ctypes.c_ssize_t))),
        ("nin", ctypes.c_int),
        ("nout", ctypes.c_int),
        ("nargs", ctypes.c_int),
        ("identity", ctypes.c_int),
        ("functions", ctypes.POINTER(ctypes.c_void_p)),
        ("data", ctypes.POINTER(ctypes.c_void_p)),
        ("ntypes", ctypes.c_int),
    )


class _Loop(ctypes.Structure):
    _fields_ = (("run", ctypes.c_void_p), ("data", ctypes.c_void_p))


_Run = ctypes.CFUNCTYPE(
    None,
    ctypes.POINTER(ctypes.c_void_p),
    ctypes.POINTER(ctypes.c_ssize_t),
    ctypes.POINTER(ctypes.c_ssize_t),
    ctypes.c_void_p,
)


@functools.cache
def _table() -> Any:
    """NumpyLoops. Its size is known when the library is."""
    found = [_tried(getattr(np, name), *each) for name in loops() for each in _TYPES]
    found += [_tried_product(*each) for each in _TYPES]

    class Table(ctypes.Structure):
        _fields_ = (("magic", ctypes.c_uint64), ("loops", _Loop * len(found)))

    return Table(_MAGIC, (_Loop * len(found))(*found))


def table_address() -> int:
    """The address of the process's one table, which lives as long as the process."""
    return ctypes.addressof(_table())


def is_there(name: str, dtype: np.dtype[Any]) -> bool:
    """Returns True if numpy's loop of this function was found, and computes what the function does."""
    row = len(loops()) if name == "matmul" else loops().index(name)
    return bool(_table().loops[2 * row + (dtype == np.float32)].run)


def _tried(ufunc: np.ufunc, dtype: Any, letter: str) -> _Loop:
    """The ufunc's loop for the dtype; an empty one if it does not do what the ufunc does."""
    loop = _held(ufunc, letter * ufunc.nin + "->" + letter)
    if not loop.run:
        return loop
    given = [np.linspace(0.1, 3.0 / (1 + i), 19, dtype=dtype) for i in range(ufunc.nin)]
    result = np.zeros(19, dtype)
    with np.errstate(all="ignore"):
        _run(loop, (*given, result), (19,), [result.itemsize] * ufunc.nargs)
        same = result.tobytes() == ufunc(*given).tobytes()
    return loop if same else _Loop()


def _tried_product(dtype: Any, letter: str) -> _Loop:
    loop = _held(np.matmul, f"{letter * 2}->{letter}")
    if not loop.run:
        return loop
    draw = np.random.default_rng(0)
    for m, k, n in ((1, 2, 1), (1, 3, 3), (3, 3, 1), (3, 3, 3), (1, 40, 1), (5, 12, 7)):
        left, right = draw.normal(size=(m, k)).astype(dtype), draw.normal(size=(k, n)).astype(dtype)
        result = np.zeros((m, n), dtype)
        strides = [each for array in (left, right, result) for each in array.strides]
        _run(loop, (left, right, result), (1, m, k, n), [0, 0, 0, *strides])
        if result.tobytes() != (left @ right).tobytes():
            return _Loop()
    return loop


def _run(
    loop: _Loop,
    arrays: tuple[np.ndarray[Any, Any], ...],
    counts: tuple[int, ...],
    strides: list[int],
) -> None:
    places = (ctypes.c_void_p * len(arrays))(*(each.ctypes.data for each in arrays))
    _Run(loop.run)(
        places,
        (ctypes.c_ssize_t * len(counts))(*counts),
        (ctypes.c_ssize_t * len(strides))(*strides),
        loop.data,
    )


def _held(ufunc: np.ufunc, signature: str) -> _Loop:
    """The ufunc's loop for these types; an empty one if the ufunc is not laid out as expected."""
    held = _UFunc.from_address(id(ufunc))
    expected = (ufunc.nin, ufunc.nout, ufunc.nargs, len(ufunc.types))
    if (held.nin, held.nout, held.nargs, held.ntypes) != expected or signature not in ufunc.types:
        return _Loop()
    number = ufunc.types.index(signature)
    return _Loop(held.functions[number], held.data[number] if held.data else None)
