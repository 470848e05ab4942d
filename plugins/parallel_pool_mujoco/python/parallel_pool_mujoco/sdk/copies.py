"""Copies of a library's models and data in Python, for renderers."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Mapping
from typing import Any

import numpy as np

from parallel_pool_mujoco.sdk.binding import member_offset, mujoco_library, require_mujoco

ARRAYS = ("mjmodel_address", "mjdata_buffer", "time")
"""The arrays of an environment that `SceneCopy` needs, as arrays.hpp lists them."""
EDITS = "mjmodel_edits"
"""The array that an environment has besides if it changes its model."""


def unpacked(scene: np.ndarray[Any, Any]) -> dict[str, Any]:
    """The arrays in a row that scene.hpp has written, by name: views of it."""
    return {
        "mjmodel_address": scene[:8].view(np.int64)[0],
        "time": scene[8:16].view(np.float64)[0],
        "mjdata_buffer": scene[16:],
    }


def model_at(address: int) -> Any:
    """An MjModel equal to the mjModel at `address`, which must be alive."""
    mujoco, library = require_mujoco(), mujoco_library()
    library.mj_sizeModel.argtypes = [ctypes.c_void_p]
    library.mj_sizeModel.restype = ctypes.c_int64
    size = library.mj_sizeModel(address)
    # Before MuJoCo 3.17 these sizes are ints.
    size = size & 0x7FFF_FFFF if size < 0 else size
    contents = ctypes.create_string_buffer(size)
    library.mj_saveModel(ctypes.c_void_p(address), None, contents, ctypes.c_int64(size))
    return mujoco.MjModel.from_binary_path("model.mjb", {"model.mjb": contents.raw})


class SceneCopy:
    """An MjData that takes over another one's buffer: all that is drawn, except contacts.

    `data` is MuJoCo's object, `model` the one it belongs to. Derived positions are taken over as they
    are, not computed anew: they are those of the middle of a step, as in Gymnasium's pictures.
    """

    def __init__(self, model: Any) -> None:
        import mujoco

        self.model = model
        self.data = mujoco.MjData(model)
        address = self.data._address
        size = ctypes.c_int64.from_address(address + member_offset("mjData.nbuffer")).value
        start = ctypes.c_void_p.from_address(address + member_offset("mjData.buffer")).value or 0
        self._buffer = np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(start))
        self._compiled: dict[str, Any] = {}  # members that were edited once

    def take(self, arrays: Mapping[str, Any]) -> bool:
        """Takes over the arrays of `ARRAYS`, and the edited numbers of the model: `EDITS`, if it is there.

        Edits may also be behind the buffer, as in a scene. Returns True if a height field changed, of which
        OpenGL has a copy. Raises ValueError for arrays of another model.
        """
        buffer, size = arrays["mjdata_buffer"], len(self._buffer)
        if len(buffer) < size:
            raise ValueError(f"{len(buffer)} bytes of data for a model that has {size}")
        self._buffer[:] = buffer[:size]
        self.data.time = float(arrays["time"])
        return self._edit(arrays.get(EDITS, buffer[(size + 7) // 8 * 8 :]))

    def _edit(self, edits: np.ndarray[Any, Any]) -> bool:
        """Writes numbers that model_edits.hpp has packed; the rest of the model is as it was compiled."""
        for name, compiled in self._compiled.items():
            _assign(self.model, name, compiled)
        while edits.size and (name_size := int(edits[:8].view(np.int64)[0])) > 0:
            size = int(edits[8:16].view(np.int64)[0])
            name = edits[16 : 16 + name_size].tobytes().decode().removeprefix("mjModel.")
            first = 16 + (name_size + 7) // 8 * 8
            there = _member(self.model, name)
            if name not in self._compiled:
                self._compiled[name] = np.copy(there)
            kind = (
                there.dtype if isinstance(there, np.ndarray) else f"{_LETTERS[type(there)]}{size}"
            )
            new = edits[first : first + size].view(kind)
            _assign(self.model, name, new.reshape(np.shape(there)))
            edits = edits[first + (size + 7) // 8 * 8 :]
        return "hfield_data" in self._compiled


_LETTERS = {float: "f", int: "i", bool: "u"}


def _member(model: Any, name: str) -> Any:
    return functools.reduce(getattr, name.split("."), model)


def _assign(model: Any, name: str, value: np.ndarray[Any, Any]) -> None:
    there = _member(model, name)
    if isinstance(there, np.ndarray):
        there[...] = value
    else:
        *owners, last = name.split(".")
        setattr(functools.reduce(getattr, owners, model), last, type(there)(value))
