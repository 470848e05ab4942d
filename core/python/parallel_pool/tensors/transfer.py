"""Results on their way to a GPU: out of memory that it reads itself, in their own stream, two at a time.

Large results are read where the environments wrote them: their batch is registered with CUDA when it is first
seen, and circulates. What does not lie in such a batch is first gathered in one pinned block.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol, Self

from parallel_pool.errors import OptionError
from parallel_pool.schema.trees import leaves, map_tree
from parallel_pool.tensors.convert import torch_module

_ALIGNMENT = 512
_COLUMN = 128
"""A batch is aligned to that, and so is each of its columns."""
REGISTERED = 256 << 10
"""Bytes of a batch from which it is registered: those have pages of their own, smaller ones share theirs."""
_GAP = 64 << 10
"""What lies between two columns and is not wanted is copied with them up to so many bytes."""

Blocks = Callable[[int, Callable[[int, int], Any]], tuple[int, int, Any] | None]
"""`_core.Pool.block`."""


class Device(Protocol):
    """The functions of torch that are used. Tests have a device with late copies."""

    def pinned(self, size: int) -> Any:
        """uint8 tensor of so many bytes that the device reads by itself."""

    def registered(self, begin: int, size: int) -> Any:
        """Has the device read that memory by itself as long as what is returned lives. None: it cannot."""

    def start(self, sources: list[Any]) -> tuple[list[Any], Any]:
        """Starts copies of pinned tensors: those on the device, and what says when all are done."""

    def wait(self, done: Any) -> None:
        """Until those copies are done."""

    def order(self, moved: list[Any], done: Any) -> None:
        """What the caller has the device do from now on comes after the copies."""


def torch_device(torch: Any, device: Any) -> Any:
    """The `torch.device` of that name. Raises OptionError."""
    try:
        return torch.device(device)
    except (RuntimeError, TypeError, ValueError) as error:
        raise OptionError(
            f"device is {device!r}, expected 'cpu', 'cuda' or 'cuda:N', or a torch.device"
        ) from error


class Cuda:
    """A device of torch.cuda, with a stream for copies."""

    def __init__(self, device: Any) -> None:
        torch = torch_module()
        self._device = torch_device(torch, device)
        if self._device.type != "cuda":
            raise OptionError(f"device is {device!r}, expected 'cpu', 'cuda' or 'cuda:N'")
        if not torch.cuda.is_available():
            raise OptionError(
                f"device is {device!r}, and torch finds no CUDA device here: leave it out"
            )
        self._torch = torch
        self._cuda = torch.cuda
        self._stream = self._cuda.Stream(self._device)

    def pinned(self, size: int) -> Any:
        """So many bytes of pinned memory, a tensor of uint8."""
        return self._torch.empty(size, dtype=self._torch.uint8, pin_memory=True)

    def registered(self, begin: int, size: int) -> Any:
        """The memory's registration; None where the driver refuses."""
        registration = Registration.of(self._cuda.cudart(), begin, size)
        if registration is None:
            with suppress(RuntimeError):  # that the next kernel would be blamed for
                self._torch.zeros(1, device=self._device)
        return registration

    def start(self, sources: list[Any]) -> tuple[list[Any], Any]:
        """Begins to copy; gives the tensors on the device, and the event of their end."""
        with self._cuda.stream(self._stream):
            moved = [source.to(self._device, non_blocking=True) for source in sources]
            done = self._cuda.Event()
            done.record(self._stream)
        return moved, done

    def wait(self, done: Any) -> None:
        """Returns when the copies have ended."""
        done.synchronize()

    def order(self, moved: list[Any], done: Any) -> None:
        """Makes what the current stream does next with the copies wait for their end."""
        stream = self._cuda.current_stream(self._device)
        stream.wait_event(done)
        for each in moved:
            each.record_stream(stream)


class Registration:
    """Memory that CUDA has registered, until this is let go of."""

    PORTABLE = 1
    """For every device: one batch may go to several."""

    def __init__(self, runtime: Any, begin: int) -> None:
        self._runtime = runtime
        self._begin = begin

    @classmethod
    def of(cls, runtime: Any, begin: int, size: int) -> Self | None:
        """None where CUDA refuses. runtime: `torch.cuda.cudart()`."""
        refused = int(runtime.cudaHostRegister(begin, size, cls.PORTABLE))
        return None if refused else cls(runtime, begin)

    def __del__(self) -> None:
        self._runtime.cudaHostUnregister(self._begin)


class Transfer:
    """Copies results to a device. A result's tensors there are views of the few blocks it was copied in."""

    def __init__(self, device: Device, blocks: Blocks | None = None) -> None:
        """blocks: the memory of the batches of the pool."""
        self._device = device
        self._blocks = blocks
        # Pinned memory, what is being copied from elsewhere, and what says when that is done.
        self._slots: list[tuple[Any, Any, Any]] = [(None, None, None)] * 2
        self._next = 0

    def __del__(self) -> None:
        for _, _, done in self._slots:
            if done is not None:
                self._device.wait(done)  # or batches would circulate while they are read

    def move(self, result: Any, non_blocking: bool) -> Any:
        """The result with its tensors on the device. non_blocking: the copy may still be under way; what the
        caller's current stream does with it comes after it.
        """
        tensors = [leaf for leaf in leaves(result) if _is_tensor(leaf)]
        number, self._next = self._next, 1 - self._next
        pinned, _, done = self._slots[number]
        if done is not None:
            self._device.wait(done)  # or what is being copied would be written
        sources, places = self._in_batch(tensors)
        offsets, size = {}, 0
        for index, tensor in enumerate(tensors):
            if index not in places:
                offsets[index] = size
                size += math.ceil(tensor.nbytes / _ALIGNMENT) * _ALIGNMENT
        if size > 0:
            if pinned is None or pinned.numel() < size:
                pinned = self._device.pinned(size)
            for index, offset in offsets.items():
                _place(pinned, offset, tensors[index]).copy_(tensors[index])
                places[index] = len(sources), offset
            sources.append(pinned[:size])
        moved, done = self._device.start(sources)
        self._slots[number] = pinned, tensors, done
        if non_blocking:
            self._device.order(moved, done)
        else:
            self._device.wait(done)
        views = [
            _place(moved[places[index][0]], places[index][1], tensor)
            for index, tensor in enumerate(tensors)
        ]
        rest = iter(views)
        return map_tree(lambda leaf: next(rest) if _is_tensor(leaf) else leaf, result)

    def _in_batch(self, tensors: list[Any]) -> tuple[list[Any], dict[int, tuple[int, int]]]:
        """The stretches of a registered batch that hold tensors, as tensors of bytes; and by number of a
        tensor, in which it is and where.
        """
        largest = max(tensors, key=lambda tensor: tensor.nbytes, default=None)
        if self._blocks is None or largest is None or not largest.is_contiguous():
            return [], {}
        block = self._blocks(largest.data_ptr(), self._lend)
        if block is None or block[2] is None:
            return [], {}
        begin, end = block[0], block[0] + block[1]
        inside = sorted(
            (tensor.data_ptr(), index)
            for index, tensor in enumerate(tensors)
            if begin <= tensor.data_ptr() < end and tensor.is_contiguous()
        )
        stretches: list[list[int]] = []
        places = {}
        for address, index in inside:
            if not stretches or address - stretches[-1][1] > _GAP:
                start = (
                    address - (address - begin) % _COLUMN
                )  # what follows is aligned as it is here
                stretches.append([start, address])
            stretches[-1][1] = max(stretches[-1][1], address + tensors[index].nbytes)
            places[index] = len(stretches) - 1, address - stretches[-1][0]
        return [_bytes_at(*stretch) for stretch in stretches], places

    def _lend(self, begin: int, size: int) -> Any:
        return self._device.registered(begin, size) if size >= REGISTERED else None


def _bytes_at(begin: int, end: int) -> Any:
    """Tensor of uint8 over memory that it does not own."""
    torch = torch_module()
    return torch.frombuffer((ctypes.c_uint8 * (end - begin)).from_address(begin), dtype=torch.uint8)


def _place(block: Any, offset: int, tensor: Any) -> Any:
    """Where in a block of bytes a tensor goes, as a tensor of its dtype and shape."""
    return block[offset : offset + tensor.nbytes].view(tensor.dtype).view(tensor.shape)


def _is_tensor(leaf: Any) -> bool:
    """Objects and texts are no tensors, and stay where they are."""
    return hasattr(leaf, "data_ptr")
