"""Says where the time of a training goes: shares of its parts, by the clock and on a GPU."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any, NamedTuple

from parallel_pool.pool_api import torch_device, torch_module

OTHER = "other"


class Share(NamedTuple):
    """The part's share of the time since the first part began, both between 0 and 1."""

    clock: float
    """a share of the wall time, without the parts within it"""
    gpu: float | None
    """a share of the wall time, between the first and the last of its work on the GPU; None: not measured"""


class TimeShares:
    """Measures the parts of a loop, which may lie in each other; each moment counts for the innermost.

        shares = TimeShares(device)
        for _ in range(updates):
            for _ in range(num_steps):
                with shares.part("policy", gpu=True):
                    action = policy(obs)
                with shares.part("waiting"):
                    action = action.cpu()
                with shares.part("steps"):
                    obs, reward, *_ = envs.step(action)
            with shares.part("update", gpu=True):
                learn()
        print(shares)

    The clock runs on while a GPU works, so what waits for it shows as a part of its own only if the loop has
    one where it waits: `waiting` above. device: where `gpu=True` parts compute; with CUDA these also count the
    time between two events of its current stream, parts within them too. Nothing waits for these events before
    `shares` is called.

    Not for several threads. Raises LibraryError without torch where a device is named, and OptionError for
    what is no device here.
    """

    def __init__(self, device: Any = None) -> None:
        self._cuda: Any = None
        if device is not None:
            torch = torch_module()
            self._device = torch_device(torch, device)
            self._cuda = torch.cuda if self._device.type == "cuda" else None
        self._seconds: dict[str, float] = {}
        self._gpu_seconds: dict[str, float] = {}
        self._events: deque[tuple[str, Any, Any]] = deque()
        self._open: list[str] = []
        self._begin = self._since = perf_counter()
        self._begun = False

    @contextmanager
    def part(self, name: str, *, gpu: bool = False) -> Iterator[None]:
        """Counts what is done within for this part. gpu: it computes on the device."""
        self._count()
        if not self._begun:
            self._begun, self._begin = True, self._since
        self._seconds.setdefault(name, 0.0)
        first = self._event() if gpu and self._cuda else None
        self._open.append(name)
        try:
            yield
        finally:
            if first is not None:
                self._events.append((name, first, self._event()))
                self._collect(wait=False)
            self._count()
            self._open.pop()

    def seconds(self) -> dict[str, float]:
        """The seconds of each part, and those of none of them as "other"; all together are the wall time."""
        self._count()
        seconds = dict(self._seconds)
        wall = self._since - self._begin if self._begun else 0.0
        seconds[OTHER] = max(0.0, wall - sum(seconds.values()))
        return seconds

    def shares(self) -> dict[str, Share]:
        """By part: its `Share`. Waits for the GPU."""
        seconds = self.seconds()
        self._collect(wait=True)
        wall = sum(seconds.values()) or 1.0
        on_gpu = self._gpu_seconds
        return {
            name: Share(each / wall, on_gpu[name] / wall if name in on_gpu else None)
            for name, each in seconds.items()
        }

    def __str__(self) -> str:
        """A line for each part."""
        shares = self.shares()
        measured = any(share.gpu is not None for share in shares.values())
        width = max(map(len, shares))
        lines = [f"{'part':{width}}  clock" + ("    GPU" if measured else "")]
        for name, share in shares.items():
            gpu = "" if not measured else "      -" if share.gpu is None else f"{share.gpu:7.1%}"
            lines.append(f"{name:{width}} {share.clock:6.1%}{gpu}")
        return "\n".join(lines)

    def _event(self) -> Any:
        event = self._cuda.Event(enable_timing=True)
        event.record(self._cuda.current_stream(self._device))
        return event

    def _collect(self, *, wait: bool) -> None:
        """Adds up what has happened, so that events do not become many. wait: for all that is to happen."""
        while self._events and (wait or self._events[0][2].query()):
            name, first, last = self._events.popleft()
            last.synchronize()
            took = first.elapsed_time(last) / 1e3
            self._gpu_seconds[name] = self._gpu_seconds.get(name, 0.0) + took

    def _count(self) -> None:
        """The time since the last change counts for the innermost part that is open."""
        now = perf_counter()
        if self._open:
            self._seconds[self._open[-1]] += now - self._since
        self._since = now
