"""Memory of batches that is used again once nobody has any of its arrays."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from parallel_pool.learning.arrays import map_tree

ALIGNMENT = 128


class Ring:
    """Blocks of bytes. One is free when all arrays made of it are gone; while none is, there is one more."""

    def __init__(self) -> None:
        self._blocks: list[npt.NDArray[np.uint8]] = []

    def __len__(self) -> int:
        return len(self._blocks)

    @property
    def nbytes(self) -> int:
        """Of all blocks."""
        return sum(block.nbytes for block in self._blocks)

    def arrays(
        self, wanted: Sequence[tuple[tuple[int, ...], npt.DTypeLike]]
    ) -> list[npt.NDArray[Any]]:
        """Writable arrays of these shapes and dtypes, one after the other in one block, with any contents."""
        begins, size = [], 0
        for shape, dtype in wanted:
            begins.append(size)
            size += -(-int(np.prod(shape)) * np.dtype(dtype).itemsize // ALIGNMENT) * ALIGNMENT
        block = self._free(size)
        return [
            np.ndarray(shape, dtype, buffer=block, offset=begin)
            for begin, (shape, dtype) in zip(begins, wanted, strict=True)
        ]

    def copy_of(self, tree: Any) -> Any:
        """The same nested dicts and tuples, their arrays in one block. What is no array stays."""
        leaves: list[Any] = []
        map_tree(lambda leaf: leaves.append(leaf) if isinstance(leaf, np.ndarray) else None, tree)
        room = iter(self.arrays([(leaf.shape, leaf.dtype) for leaf in leaves]))

        def copied(leaf: Any) -> Any:
            if not isinstance(leaf, np.ndarray):
                return leaf
            array = next(room)
            np.copyto(array, leaf)
            return array

        return map_tree(copied, tree)

    def _free(self, size: int) -> npt.NDArray[np.uint8]:
        for number in range(len(self._blocks)):
            # The list and the argument itself: every array made of it, or of one of those, is one more.
            if sys.getrefcount(self._blocks[number]) <= 2:
                if self._blocks[number].nbytes >= size:
                    return self._blocks[number]
                del self._blocks[number]  # too small by now
                break
        whole = np.empty(size + ALIGNMENT, np.uint8)
        begin = -whole.ctypes.data % ALIGNMENT
        # Its owner is `whole`, so arrays made of this hold this: no view that numpy could see through.
        self._blocks.append(np.frombuffer(memoryview(whole.data)[begin : begin + size], np.uint8))
        return self._blocks[-1]
