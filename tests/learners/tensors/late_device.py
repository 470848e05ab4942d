"""A stand-in for a GPU whose copies are as late as they may be, and pools whose results go there."""

import ctypes
from collections.abc import Callable
from typing import Any

import pytest
import torch
from parallel_pool.tensors import output
from test_envs.pools import make


class Late:
    """A device whose copies are done when they are waited for, and not before: the slowest there can be.

    at_once: they are done when they begin.
    """

    def __init__(self, *, registers: bool = True, at_once: bool = False) -> None:
        self.registers, self.at_once = registers, at_once
        self.blocks: list[Any] = []
        self.leases: list[Lease] = []
        self.sources: list[Any] = []
        self.said: list[str] = []

    def pinned(self, size: int) -> Any:
        self.blocks.append(torch.empty(size, dtype=torch.uint8))
        return self.blocks[-1]

    def registered(self, begin: int, size: int) -> Any:
        if not self.registers:
            return None
        self.leases.append(Lease(begin, size))
        return Token(self.leases[-1])

    def start(self, sources: list[Any]) -> tuple[list[Any], Any]:
        self.sources = sources
        moved = [torch.full_like(source, 255) for source in sources]
        done: list[Callable[[], Any]] = [
            lambda to=to, source=source: to.copy_(source)
            for to, source in zip(moved, sources, strict=True)
        ]
        if self.at_once:
            self.wait(done)
        self.said.append("start")
        return moved, done

    def wait(self, done: list[Callable[[], Any]]) -> None:
        self.said.append("wait")
        while done:
            done.pop()()

    def order(self, moved: list[Any], done: list[Callable[[], Any]]) -> None:
        del moved, done
        self.said.append("order")

    def constant(self, value: bool, dtype: Any) -> Any:
        return torch.full((), value, dtype=dtype)


class Lease:
    """Memory that a device was told of; it still has to be memory when the device is told to forget it."""

    def __init__(self, begin: int, size: int) -> None:
        self.begin, self.size, self.ended = begin, size, False

    def end(self) -> None:
        ctypes.string_at(self.begin, self.size)  # ends the process where nothing is
        self.ended = True


class Token:
    """Ends a lease when it is let go of."""

    def __init__(self, lease: Lease) -> None:
        self.lease = lease

    def __del__(self) -> None:
        self.lease.end()


@pytest.fixture
def pool_on(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """`pool_on(device, ...)`: a pool whose device "cuda" is that one."""

    def made(device: Late, **arguments: Any) -> Any:
        monkeypatch.setattr(output, "Cuda", lambda _: device)
        return make(output="torch", device="cuda", **arguments)

    return made
