"""Results on their way to a GPU: by pinned memory, in a stream of their own, two at a time."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from parallel_pool.errors import OptionError
from parallel_pool.tensors.convert import torch_module

_ALIGNMENT = 512


class Device(Protocol):
    """What is asked of torch; tests have one whose copies are done late."""

    def pinned(self, size: int) -> Any:
        """uint8 tensor of so many bytes that the device reads by itself."""

    def start(self, source: Any) -> Any:
        """Starts a copy of a pinned tensor: the tensor on the device, and what says when it is done."""

    def wait(self, done: Any) -> None:
        """Until that copy is done."""

    def order(self, moved: Any, done: Any) -> None:
        """What the caller has the device do from now on comes after the copy."""


class Cuda:
    """A device of torch.cuda, with a stream for copies."""

    def __init__(self, device: Any) -> None:
        torch = torch_module()
        self._device = torch.device(device)
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

    def start(self, source: Any) -> Any:
        """Begins to copy; gives the tensor on the device, and the event of its end."""
        with self._cuda.stream(self._stream):
            moved = source.to(self._device, non_blocking=True)
            done = self._cuda.Event()
            done.record(self._stream)
        return moved, done

    def wait(self, done: Any) -> None:
        """Returns when the copy has ended."""
        done.synchronize()

    def order(self, moved: Any, done: Any) -> None:
        """Makes what the current stream does next with the copy wait for its end."""
        stream = self._cuda.current_stream(self._device)
        stream.wait_event(done)
        moved.record_stream(stream)


class Transfer:
    """Copies results to a device. A result's tensors there are views of one block, copied at once."""

    def __init__(self, device: Device) -> None:
        self._device = device
        # Pinned memory, and what its last copy waits for.
        self._slots: list[tuple[Any, Any]] = [(None, None), (None, None)]
        self._next = 0

    def move(self, result: Any, non_blocking: bool) -> Any:
        """The result with its tensors on the device. non_blocking: the copy may still be under way; what the
        caller's current stream does with it comes after it.
        """
        tensors = list(_tensors(result))
        offsets, size = [], 0
        for tensor in tensors:
            offsets.append(size)
            size += math.ceil(tensor.nbytes / _ALIGNMENT) * _ALIGNMENT
        number, self._next = self._next, 1 - self._next
        block, done = self._slots[number]
        if done is not None:
            self._device.wait(done)  # or what is being copied would be written
        if block is None or block.numel() < size:
            block = self._device.pinned(max(size, 1))
        for tensor, offset in zip(tensors, offsets, strict=True):
            _place(block, offset, tensor).copy_(tensor)
        moved, done = self._device.start(block[:size])
        self._slots[number] = block, done
        if non_blocking:
            self._device.order(moved, done)
        else:
            self._device.wait(done)
        places = iter(
            [_place(moved, offset, tensor) for tensor, offset in zip(tensors, offsets, strict=True)]
        )
        return _replaced(result, places)


def _place(block: Any, offset: int, tensor: Any) -> Any:
    """Where in a block of bytes a tensor goes, as a tensor of its dtype and shape."""
    return block[offset : offset + tensor.nbytes].view(tensor.dtype).view(tensor.shape)


def _tensors(result: Any) -> Iterator[Any]:
    if isinstance(result, Mapping | tuple):
        for member in result.values() if isinstance(result, Mapping) else result:
            yield from _tensors(member)
    elif hasattr(result, "data_ptr"):
        yield result


def _replaced(result: Any, places: Iterator[Any]) -> Any:
    """The result with the next of these in place of each tensor; objects and texts stay where they are."""
    if isinstance(result, Mapping):
        return {name: _replaced(member, places) for name, member in result.items()}
    if isinstance(result, tuple):
        members = [_replaced(member, places) for member in result]
        return type(result)(*members) if hasattr(result, "_fields") else tuple(members)
    return next(places) if hasattr(result, "data_ptr") else result
