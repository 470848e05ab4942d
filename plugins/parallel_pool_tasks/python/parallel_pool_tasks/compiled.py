"""The model as a task sees it: its numbers are those that were compiled, whatever a reset writes."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from parallel_pool_tasks.errors import refused
from parallel_pool_tasks.program.ops import members

Write = Callable[[str, np.ndarray[Any, Any], Any], None]
"""Takes a member of mjModel, such as "opt.gravity", places in it, and numbers for them."""


class Compiled:
    """Has the attributes and methods of an object of mujoco. What is assigned to goes to `write`."""

    def __init__(self, model: Any, given: Any, write: Write, path: str = "") -> None:
        """given: the model, or an object of it; path: where it is in the model, such as "opt."."""
        for name, value in (("_model", model), ("_given", given), ("_write", write)):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "_path", path)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._shown(getattr(self._given, name), name)
        except AttributeError:
            raise refused(f"mjModel has no {self._path}{name} here") from None

    def __setattr__(self, name: str, value: Any) -> None:
        found = getattr(self, name)
        if isinstance(found, Numbers):
            found[...] = value
        else:
            self._write(self._path + name, np.zeros((), np.int64), value)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Calls a method, such as `body`."""
        return self._shown(self._given(*args, **kwargs), "")

    def _shown(self, value: Any, name: str) -> Any:
        if isinstance(value, np.ndarray):
            array = value.view(Numbers)
            array.flags.writeable = False
            array.name = self._path + name
            array.write = functools.partial(_written, self._model, self._write)
            return array
        if value is None or isinstance(value, (bool, int, float, str, bytes, np.generic)):
            return value
        return Compiled(self._model, value, self._write, f"{name}." if name == "opt" else "")


def _in_place(name: str, operate: Callable[[Any, Any], Any]) -> Any:
    """`array[2:] *= 2` comes here, and then assigns what is returned."""

    def made(self: Numbers, other: Any) -> Any:
        if self.flags.writeable:
            return getattr(super(Numbers, self), name)(other)
        return operate(self, other)

    return made


class Numbers(np.ndarray):
    """An array of the model, which is read as any other. What is computed of it is an array of numpy."""

    name: str = ""
    write: Callable[[Numbers, Any, Any], None] | None = None

    def __array_finalize__(self, source: Any) -> None:
        self.name, self.write = getattr(source, "name", ""), getattr(source, "write", None)

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        return np.asarray(array)[()]

    def __setitem__(self, key: Any, value: Any) -> None:
        if self.flags.writeable or self.write is None:  # a copy
            super().__setitem__(key, value)
        else:
            self.write(self, key, value)

    __iadd__ = _in_place("__iadd__", operator.add)
    __isub__ = _in_place("__isub__", operator.sub)
    __imul__ = _in_place("__imul__", operator.mul)
    __itruediv__ = _in_place("__itruediv__", operator.truediv)
    __ifloordiv__ = _in_place("__ifloordiv__", operator.floordiv)
    __imod__ = _in_place("__imod__", operator.mod)
    __ipow__ = _in_place("__ipow__", operator.pow)


def _written(model: Any, write: Write, part: Numbers, key: Any, value: Any) -> None:
    """Writes to a part of an array of the model, such as `sim.model.body("torso").mass`."""
    first = part.__array_interface__["data"][0]
    for name in members():
        whole = functools.reduce(lambda each, one: getattr(each, one, None), name.split("."), model)
        if not isinstance(whole, np.ndarray) or whole.dtype != part.dtype:
            continue
        offset = first - whole.__array_interface__["data"][0]
        if not 0 <= offset < whole.nbytes:
            continue
        steps = [each // whole.itemsize * 8 for each in part.strides]
        flat = np.arange(whole.size)[offset // whole.itemsize :]
        places = np.lib.stride_tricks.as_strided(flat, part.shape, steps)
        try:
            return write(name, np.array(places[key]), value)
        except (IndexError, TypeError) as error:
            raise refused(f"sim.model.{part.name} has the shape {part.shape}: {error}") from None
    return write(part.name, np.zeros(part.shape, np.int64), value)
