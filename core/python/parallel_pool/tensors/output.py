"""Results of a pool with output="torch": as tensors of the CPU, or of a device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parallel_pool.tensors.convert import tensor_converter
from parallel_pool.tensors.devices import Cuda
from parallel_pool.tensors.transfer import Blocks, Transfer


class TensorOutput:
    """Converters of results. `blocks` is set when there is a pool."""

    blocks: Blocks

    def __init__(self, device: str | None) -> None:
        """device: what is meant where none is named; None: the CPU. Raises LibraryError, OptionError."""
        self.on_the_cpu = tensor_converter()
        self._device = "cpu" if device is None else device
        self._cuda = None if self._device == "cpu" else Cuda(self._device)
        self._transfers: dict[str, Transfer] = {}

    def converter(self, device: Any = None, non_blocking: bool = True) -> Callable[[Any], Any]:
        """A function from results of arrays to those of tensors on a device. Raises OptionError.

        non_blocking: the copy may still be under way; what the caller's current stream does comes after it.
        """
        name = self._device if device is None else str(device)
        if name == "cpu":
            return self.on_the_cpu
        transfer = self._transfers.get(name)
        if transfer is None:
            cuda = self._cuda if name == self._device and self._cuda else Cuda(name)
            transfer = self._transfers[name] = Transfer(cuda, self.blocks)
        move = transfer.move
        return lambda result: move(result, non_blocking)
