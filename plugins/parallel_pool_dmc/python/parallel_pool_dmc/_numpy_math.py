"""numpy's own exp, log1p and so on, and its matmul, for the library to call (src/numpy_math.hpp).

A ufunc holds the addresses of its inner loops, in a struct that numpy's headers publish and that extension
modules are compiled with. It is tried first that they are there and compute what numpy computes.
"""

from __future__ import annotations

import ctypes
import functools

import numpy as np

NAMES = (
    "exp",
    "log",
    "log1p",
    "cos",
    "sin",
    "cosh",
    "tanh",
    "arccos",
    "arccosh",
    "arctanh",
    "arcsinh",
    "arctan2",
)
"""The functions in the order of NumpyTable, where matmul comes after them."""
MAGIC = 0x31706E6D70706D64


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


class _Table(ctypes.Structure):
    """NumpyTable."""

    _fields_ = (("magic", ctypes.c_uint64), ("loops", _Loop * (len(NAMES) + 1)))


@functools.cache
def _table() -> _Table:
    loops = [*(_loop(getattr(np, name)) for name in NAMES), _matmul_loop()]
    return _Table(MAGIC, (_Loop * len(loops))(*loops))


def table_address() -> int:
    """The address of the process's one table, which lives as long as the process."""
    return ctypes.addressof(_table())


def _loop(ufunc: np.ufunc) -> _Loop:
    """The ufunc's loop for float64; an empty one if it does not do what the ufunc does."""
    nin = ufunc.nin
    loop = _held_loop(ufunc, "d" * nin + "->d")
    if not loop.run:
        return loop
    run = _Run(loop.run)
    strides = (ctypes.c_ssize_t * (nin + 1))(*[8] * (nin + 1))
    with np.errstate(all="ignore"):
        for x in (0.0, 0.25, 0.7, 1.0, 1.5, 3.0):
            given, result = [np.array([x / (1 + i)]) for i in range(nin)], np.array([0.0])
            places = [each.ctypes.data for each in (*given, result)]
            arrays = (ctypes.c_void_p * (nin + 1))(*places)
            run(arrays, (ctypes.c_ssize_t * 1)(1), strides, loop.data)
            if result.tobytes() != ufunc(*given).tobytes():
                return _Loop()
    return loop


def _matmul_loop() -> _Loop:
    """The loop of np.matmul; an empty one if it does not do what `dot` does with vectors and matrices."""
    loop = _held_loop(np.matmul, "dd->d")
    if not loop.run:
        return loop
    run = _Run(loop.run)
    draw = np.random.default_rng(0)
    for vectors, rows, columns in ((1, 2, 1), (1, 3, 3), (3, 3, 3), (1, 12, 1), (1, 40, 1)):
        for _ in range(8):
            vector, matrix = draw.normal(size=(vectors, rows)), draw.normal(size=(rows, columns))
            result = np.zeros((vectors, columns))
            arrays = (ctypes.c_void_p * 3)(*(each.ctypes.data for each in (vector, matrix, result)))
            extents = (ctypes.c_ssize_t * 4)(1, vectors, rows, columns)
            strides = (0, 0, 0, 8 * rows, 8, 8 * columns, 8, 8 * columns, 8)
            run(arrays, extents, (ctypes.c_ssize_t * 9)(*strides), loop.data)
            if vectors == 1:
                vector = vector[0]
            expected = vector.dot(matrix if columns > 1 else matrix[:, 0])
            if result.tobytes() != np.asarray(expected).tobytes():
                return _Loop()
    return loop


def _held_loop(ufunc: np.ufunc, signature: str) -> _Loop:
    """The ufunc's loop for these types; an empty one if the ufunc is not laid out as expected."""
    held = _UFunc.from_address(id(ufunc))
    expected = (ufunc.nin, ufunc.nout, ufunc.nargs, len(ufunc.types))
    if (held.nin, held.nout, held.nargs, held.ntypes) != expected:
        return _Loop()
    number = ufunc.types.index(signature)
    return _Loop(held.functions[number], held.data[number] if held.data else None)
