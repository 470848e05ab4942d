"""The devices that results are copied to: CUDA's, by torch."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Protocol, Self

from parallel_pool.errors import OptionError
from parallel_pool.tensors.convert import torch_module


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

    def constant(self, value: bool, dtype: Any) -> Any:
        """A tensor on the device without dimensions, which every stream may read from now on."""


def torch_device(torch: Any, device: Any) -> Any:
    """The `torch.device` of that name. Raises OptionError for what is none, and for CUDA that is not here."""
    try:
        found = torch.device(device)
    except (RuntimeError, TypeError, ValueError) as error:
        raise OptionError(
            f"device is {device!r}, expected 'cpu', 'cuda' or 'cuda:N', or a torch.device"
        ) from error
    if found.type == "cuda" and not torch.cuda.is_available():
        raise OptionError(
            f"device is {device!r}, and torch finds no CUDA device here: leave it out"
        )
    return found


class Cuda:
    """A device of torch.cuda, with a stream for copies."""

    def __init__(self, device: Any) -> None:
        torch = torch_module()
        self._device = torch_device(torch, device)
        if self._device.type != "cuda":
            raise OptionError(f"device is {device!r}, expected 'cpu', 'cuda' or 'cuda:N'")
        self._torch = torch
        self._cuda = torch.cuda
        if self._device.index is None:
            self._device = torch.device("cuda", torch.cuda.current_device())
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
        # Without torch's context manager, which takes longer than the copies.
        cuda = self._cuda
        current = cuda.current_stream()
        own = current if current.device == self._device else cuda.current_stream(self._device)
        cuda.set_stream(self._stream)
        try:
            moved = [source.to(self._device, non_blocking=True) for source in sources]
            done = cuda.Event()
            done.record(self._stream)
        finally:
            cuda.set_stream(own)
            if own is not current:
                cuda.set_stream(current)
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

    def constant(self, value: bool, dtype: Any) -> Any:
        """A tensor without dimensions; waits until it is there."""
        made = self._torch.full((), value, dtype=dtype, device=self._device)
        self._cuda.current_stream(self._device).synchronize()
        return made


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
