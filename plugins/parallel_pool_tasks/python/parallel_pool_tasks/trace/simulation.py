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

    def put(self, name: str, places: np.ndarray[Any, Any], value: Any) -> None:
        """See Simulation."""
        self._store("store", f"sim.{name}", name, places, value)

    def put_in_model(self, name: str, places: np.ndarray[Any, Any], value: Any) -> None:
        """See Simulation."""
        self._store("write_model", f"sim.model.{name}", name, places, value)

    def call(self, op: str, *numbers: int) -> None:
        """See Simulation."""
        if op == "set_const" and self._tape.blocks:
            raise refused("sim.set_const() is for no block of when, until or substeps")
        self._tape.emit(op, _FLOAT64, *numbers)

    def _store(
        self, op: str, shown: str, name: str, places: np.ndarray[Any, Any], value: Any
    ) -> None:
        registers = registers_of(self._tape, value, _FLOAT64)
        try:
            registers = np.broadcast_to(registers, places.shape).reshape(-1)
        except ValueError:
            raise refused(
                f"{registers.shape} numbers are written to a part of {shown} of shape {places.shape}"
            ) from None
        for start, count, place, stride in runs(places.reshape(-1)):
            if stride == 0 and count > 1:
                raise refused(f"{shown} is written twice in one place")
            operand = self._tape.operand(registers[start : start + count])
            self._tape.emit(op, _FLOAT64, count, f"{name}+{place}", operand)
