"""The simulation of a task that runs in Python: the package mujoco."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from parallel_pool_tasks.errors import refused
from parallel_pool_tasks.program.ops import inputs
from parallel_pool_tasks.simulation import Simulation


class RealSimulation(Simulation):
    """Reads, writes and calls at once."""

    def read(self, name: str, places: np.ndarray[Any, Any]) -> Any:
        """See Simulation."""
        if name == "time":
            return np.float64(self._data.time)
        return getattr(self._data, name).reshape(-1)[np.array(places, order="C")]

    def write(self, name: str, places: np.ndarray[Any, Any], value: Any) -> None:
        """See Simulation."""
        if name not in inputs():
            raise refused(f"MuJoCo computes mjData.{name}, so a task writes what it follows from")
        if name == "time":
            self._data.time = float(value)
        else:
            getattr(self._data, name).reshape(-1)[places] = value

    def step(self, count: int = 1) -> None:
        """See Simulation."""
        mujoco.mj_step(self._model, self._data, count)

    def forward(self) -> None:
        """See Simulation."""
        mujoco.mj_forward(self._model, self._data)

    def step1(self) -> None:
        """See Simulation."""
        mujoco.mj_step1(self._model, self._data)

    def step2(self) -> None:
        """See Simulation."""
        mujoco.mj_step2(self._model, self._data)

    def control_step(self, count: int = 1) -> None:
        """See Simulation."""
        left = count
        if self._model.opt.integrator != mujoco.mjtIntegrator.mjINT_RK4:
            self.step2()
            left -= 1
        if left:
            self.step(left)
        self.step1()

    def rne_post_constraint(self) -> None:
        """See Simulation."""
        mujoco.mj_rnePostConstraint(self._model, self._data)
