"""The simulation while a task is traced: reads, writes and calls of the engine become instructions."""

from __future__ import annotations

from typing import Any

import numpy as np

from parallel_pool_tasks.errors import refused
from parallel_pool_tasks.program.tape import Tape, runs
from parallel_pool_tasks.simulation import Simulation
from parallel_pool_tasks.trace.ufuncs import registers_of
from parallel_pool_tasks.trace.value import Value

_FLOAT64 = np.dtype(np.float64)


class TracedSimulation(Simulation):
    """Records what a task does to its simulation."""

    def __init__(self, tape: Tape, model: Any, data: Any) -> None:
        super().__init__(model, data)
        self._tape = tape

    def read(self, name: str, places: np.ndarray[Any, Any]) -> Value:
        """See Simulation."""
        flat = places.reshape(-1)
        if not flat.size:
            raise refused(f"nothing is read of sim.{name}")
        first = self._tape.fresh(flat.size)
        for start, count, place, stride in runs(flat):
            if stride == 0 and count > 1:  # one place, read several times
                for i in range(count):
                    self._tape.emit("load", _FLOAT64, 1, first + start + i, f"{name}+{place}")
            else:
                self._tape.emit("load", _FLOAT64, count, first + start, f"{name}+{place}")
        return Value(
            self._tape, np.arange(first, first + flat.size).reshape(places.shape), _FLOAT64
        )

    def write(self, name: str, places: np.ndarray[Any, Any], value: Any) -> None:
        """See Simulation."""
        registers = registers_of(self._tape, value, _FLOAT64)
        try:
            registers = np.broadcast_to(registers, places.shape).reshape(-1)
        except ValueError:
            raise refused(
                f"{registers.shape} numbers are written to a part of sim.{name} of shape {places.shape}"
            ) from None
        for start, count, place, stride in runs(places.reshape(-1)):
            if stride == 0 and count > 1:
                raise refused(f"sim.{name} is written twice in one place")
            operand = self._tape.operand(registers[start : start + count])
            self._tape.emit("store", _FLOAT64, count, f"{name}+{place}", operand)

    def step(self, count: int = 1) -> None:
        """See Simulation."""
        self._tape.emit("mj_step", _FLOAT64, _whole(count))

    def forward(self) -> None:
        """See Simulation."""
        self._tape.emit("forward", _FLOAT64)

    def step1(self) -> None:
        """See Simulation."""
        self._tape.emit("mj_step1", _FLOAT64)

    def step2(self) -> None:
        """See Simulation."""
        self._tape.emit("mj_step2", _FLOAT64)

    def control_step(self, count: int = 1) -> None:
        """See Simulation."""
        self._tape.emit("control_step", _FLOAT64, _whole(count))

    def rne_post_constraint(self) -> None:
        """See Simulation."""
        self._tape.emit("rne_post_constraint", _FLOAT64)


def _whole(count: Any) -> int:
    if isinstance(count, Value) or int(count) != count or not 1 <= count <= 10_000:
        raise refused(f"a number of steps is {count!r}, expected a whole number, 1 .. 10,000")
    return int(count)
