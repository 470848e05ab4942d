"""Memory of batches, which is reused when none of a batch's arrays is referenced any more."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from parallel_pool.pool_api import leaves, map_tree

ALIGNMENT = 128


class BufferPool:
    """Blocks of bytes. A block is free when all its arrays are deleted; if none is free, one is allocated."""

    def __init__(self) -> None:
        self._blocks: list[npt.NDArray[np.uint8]] = []

    def __len__(self) -> int:
        return len(self._blocks)

    @property
    def nbytes(self) -> int:
        """The size of all blocks."""
        return sum(block.nbytes for block in self._blocks)

    def arrays(
        self, wanted: Sequence[tuple[tuple[int, ...], npt.DTypeLike]]
    ) -> list[npt.NDArray[Any]]:
        """Writable, uninitialized arrays of these shapes and dtypes, one after the other in one block."""
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
        """A copy of nested dicts and tuples with their arrays in one block; other values are kept."""
        arrays = [leaf for leaf in leaves(tree) if isinstance(leaf, np.ndarray)]
        room = iter(self.arrays([(each.shape, each.dtype) for each in arrays]))

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
