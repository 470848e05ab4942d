"""The simulation while a task is traced: reads, writes and calls of the engine become instructions."""

from __future__ import annotations

from typing import Any

import numpy as np

from parallel_pool_tasks.errors import refused
from parallel_pool_tasks.program.tape import Operand, Tape, runs
from parallel_pool_tasks.simulation import Geoms, RayOptions, Simulation, type_of
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
        dtype = _FLOAT64 if name == "time" else type_of(getattr(self._data, name))
        op = {"f": "load", "i": "load_int", "b": "load_bool"}[dtype.kind]
        first = self._tape.fresh(flat.size)
        for start, count, place, stride in runs(flat):
            if stride == 0 and count > 1:  # one place, read several times
                for i in range(count):
                    self._tape.emit(op, dtype, 1, first + start + i, f"{name}+{place}")
            else:
                self._tape.emit(op, dtype, count, first + start, f"{name}+{place}")
        return Value(self._tape, np.arange(first, first + flat.size).reshape(places.shape), dtype)

    def put(self, name: str, places: np.ndarray[Any, Any], value: Any) -> None:
        """See Simulation."""
        boolean = name != "time" and type_of(getattr(self._data, name)).kind == "b"
        op = "store_bool" if boolean else "store"
        self._store(op, f"sim.{name}", name, places, value)

    def put_in_model(self, name: str, places: np.ndarray[Any, Any], value: Any) -> None:
        """See Simulation."""
        self._store("write_model", f"sim.model.{name}", name, places, value)

    def call(self, op: str, *numbers: int) -> None:
        """See Simulation."""
        if op == "set_const" and self._tape.blocks:
            raise refused("sim.set_const() is for no block of when, until or substeps")
        self._tape.emit(op, _FLOAT64, *numbers)

    def of_contacts(self, op: str, first: Geoms, second: Geoms) -> Value:
        """See Simulation."""
        dtype = np.dtype(np.int64) if op == "n_contacts" else _FLOAT64
        result = self._tape.fresh(1)
        sets = ["*" if each is None else ",".join(map(str, each)) for each in (first, second)]
        self._tape.emit(op, dtype, result, *sets)
        return Value(self._tape, result, dtype)

    def rays(
        self, points: Any, directions: Any, shape: tuple[int, ...], options: RayOptions
    ) -> tuple[Value, Value]:
        """See Simulation."""
        count = shape[0] if shape else 1
        operands = []
        for each in (points, directions):
            registers = registers_of(self._tape, each, _FLOAT64)
            operand = self._tape.operand(registers.reshape(-1), may_be_one=False)
            operands.append(Operand(operand.first, one=registers.ndim == 1))
        first = self._tape.fresh(2 * count)
        groups = (*options.geomgroup, options.flg_static)
        bits = sum(1 << i for i, each in enumerate(groups) if each)
        self._tape.emit("ray", _FLOAT64, count, first, *operands, options.bodyexclude + 1, bits)
        found = np.arange(first, first + 2 * count).reshape(2, *shape)
        return Value(self._tape, found[0], _FLOAT64), Value(self._tape, found[1], np.int64)

    def velocity(self, kind: str, number: int, local: bool) -> Value:
        """See Simulation."""
        first = self._tape.fresh(6)
        self._tape.emit("object_velocity", _FLOAT64, first, f"{kind}:{number}", int(local))
        return Value(self._tape, np.arange(first, first + 6), _FLOAT64)

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
