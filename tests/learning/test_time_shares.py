"""Shares of the parts of a loop, by a clock that only the test moves, and by events of a stand-in for CUDA."""

from types import SimpleNamespace
from typing import Any

import pytest
from parallel_pool import OptionError
from parallel_pool_learning import TimeShares, time_shares


class Clock:
    """Of the program. `gpu`: of a device, which gets to an event when the test says so."""

    now = gpu = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(time_shares, "perf_counter", clock)
    return clock


def test_each_moment_counts_for_the_innermost_part(clock: Clock) -> None:
    shares = TimeShares()
    clock.now = 100  # before the first part, which does not count
    with shares.part("update"):
        clock.now += 1
        with shares.part("steps"):
            clock.now += 5
        clock.now += 2
    clock.now += 2
    with pytest.raises(ValueError), shares.part("steps"):
        clock.now += 10
        raise ValueError
    assert shares.seconds() == {"update": 3, "steps": 15, "other": 2}
    assert shares.shares() == {"update": (0.15, None), "steps": (0.75, None), "other": (0.1, None)}
    assert str(shares).splitlines() == [
        "part    clock",
        "update  15.0%",
        "steps   75.0%",
        "other   10.0%",
    ]


def test_events_are_waited_for_when_shares_are_asked_for(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[Any] = []

    class Event:
        def __init__(self, enable_timing: bool) -> None:
            assert enable_timing

        def record(self, stream: str) -> None:
            self.at, self.stream = clock.gpu, stream

        def query(self) -> bool:
            return self.at < 1

        def synchronize(self) -> None:
            waited.append(self.at)

        def elapsed_time(self, last: Any) -> float:
            return 1e3 * (last.at - self.at)

    cuda = SimpleNamespace(Event=Event, current_stream=lambda device: f"of {device}")
    cuda.is_available = lambda: True
    torch = SimpleNamespace(cuda=cuda, device=lambda name: SimpleNamespace(type=name.split(":")[0]))
    monkeypatch.setattr(time_shares, "torch_module", lambda: torch)
    shares = TimeShares("cuda:1")
    for _ in range(4):
        with shares.part("policy", gpu=True):
            clock.now += 1
            clock.gpu += 0.5
    assert waited == [0.5]  # which had happened
    assert shares.shares()["policy"] == (1.0, 0.5)
    assert waited == [0.5, 1.0, 1.5, 2.0]
    assert str(shares).splitlines()[1] == "policy 100.0%  50.0%"
    cuda.is_available = lambda: False
    with pytest.raises(OptionError, match="finds no CUDA device here"):
        TimeShares("cuda")
