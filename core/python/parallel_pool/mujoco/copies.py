"""Copies in Python of what a library simulates with, for renderers."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from parallel_pool.mujoco.binding import member_offset, mujoco_library, require_mujoco

ARRAYS = ("mjmodel_address", "mjdata_buffer", "time")
"""What `SceneCopy` needs of an environment, as sdk/mujoco/arrays.hpp lists it."""


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

    def take(self, buffer: np.ndarray[Any, Any], time: float) -> None:
        """Takes over the arrays `mjdata_buffer` and `time`. Raises ValueError for another model's."""
        size = ctypes.c_int64.from_address(self.data._address + member_offset("mjData.nbuffer"))
        # A scene is padded to eight bytes.
        if not 0 <= buffer.nbytes - size.value < 8:
            raise ValueError(f"{buffer.nbytes} bytes of data for a model that has {size.value}")
        start = ctypes.c_void_p.from_address(self.data._address + member_offset("mjData.buffer"))
        ctypes.memmove(start.value or 0, np.ascontiguousarray(buffer).ctypes.data, size.value)
        self.data.time = float(time)
