"""Copies in Python of what a library simulates with, for renderers."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any

import numpy as np

from parallel_pool_mujoco.sdk.binding import member_offset, mujoco_library, require_mujoco

ARRAYS = ("mjmodel_address", "mjdata_buffer", "time")
"""What `SceneCopy` needs of an environment, as sdk/mujoco/arrays.hpp lists it."""
EDITS = "mjmodel_edits"
"""Besides, of an environment that changes its model."""


def unpacked(scene: np.ndarray[Any, Any]) -> dict[str, Any]:
    """A row that sdk/mujoco/scene.hpp has written, as the arrays of those names. Views."""
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
    """An MjData that takes over what another one has in its buffer: all that is drawn, but contacts.

    `data` is MuJoCo's object, `model` the one it belongs to. Derived positions are taken over as they
    are, not computed anew: they are of the middle of a step, and so are Gymnasium's pictures.
    """

    def __init__(self, model: Any) -> None:
        import mujoco

        self.model = model
        self.data = mujoco.MjData(model)
        self._compiled: dict[str, Any] = {}  # members that were edited once

    def take(self, arrays: Mapping[str, Any]) -> bool:
        """Takes over what `ARRAYS` names, and what was edited in the model: `EDITS`, if it is there.

        Edits may also be behind the buffer, as in a scene. True: a height field changed, which OpenGL has a
        copy of. Raises ValueError for another model's.
        """
        buffer = np.ascontiguousarray(arrays["mjdata_buffer"])
        found = ctypes.c_int64.from_address(self.data._address + member_offset("mjData.nbuffer"))
        size, end = found.value, (found.value + 7) // 8 * 8
        if buffer.nbytes < size:
            raise ValueError(f"{buffer.nbytes} bytes of data for a model that has {size}")
        start = ctypes.c_void_p.from_address(self.data._address + member_offset("mjData.buffer"))
        ctypes.memmove(start.value or 0, buffer.ctypes.data, size)
        self.data.time = float(arrays["time"])
        return self._edit(arrays.get(EDITS, buffer[end:]))

    def _edit(self, edits: np.ndarray[Any, Any]) -> bool:
        """What sdk/mujoco/model_edits.hpp has packed; the rest of the model is as it was compiled."""
        for name, compiled in self._compiled.items():
            getattr(self.model, name)[...] = compiled
        while edits.size and (name_size := int(edits[:8].view(np.int64)[0])) > 0:
            size = int(edits[8:16].view(np.int64)[0])
            name = edits[16 : 16 + name_size].tobytes().decode().removeprefix("mjModel.")
            first = 16 + (name_size + 7) // 8 * 8
            there = getattr(self.model, name)
            if name not in self._compiled:
                self._compiled[name] = there.copy()
            there.reshape(-1).view(np.uint8)[:size] = edits[first : first + size]
            edits = edits[first + (size + 7) // 8 * 8 :]
        return "hfield_data" in self._compiled
