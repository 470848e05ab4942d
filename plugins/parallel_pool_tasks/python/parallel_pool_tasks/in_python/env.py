"""A task as a `gymnasium.Env` that runs its methods as they are."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import gymnasium
import mujoco
import numpy as np
from parallel_pool_mujoco import sdk

from parallel_pool_tasks.in_python.episode import RealEpisode, RealRandom
from parallel_pool_tasks.in_python.simulation import RealSimulation
from parallel_pool_tasks.models import bounds_of, compiled, seconds_of_a_step
from parallel_pool_tasks.results import as_observation, as_step, infos_of
from parallel_pool_tasks.task import Task
from parallel_pool_tasks.tunables import unpacked


class TaskEnv(gymnasium.Env[Any, Any]):
    """Equal to environment i of a pool with seed s, if its first reset has the seed s + i.

    It has no time limit. Pictures are those of mujoco.Renderer.
    """

    def __init__(
        self, task: Task, render_mode: str | None = None, overrides: Mapping[str, Any] | None = None
    ) -> None:
        self.task = task
        self.metadata = {"render_modes": ["rgb_array"], "render_fps": task.render_fps or 30}
        self.render_mode = render_mode
        self._renderer: Any = None
        self.model, _ = compiled(type(task))
        if overrides:
            self.model = sdk.overridden(self.model, overrides)
        task.dt = seconds_of_a_step(task, self.model)
        self.sim = RealSimulation(self.model)
        self.model, self.data = self.sim.own
        self.ep = RealEpisode()
        self.generator: Any = None
        low, high = np.array(bounds_of(type(task), self.model)).T
        dtype: Any = task.action_dtype
        self.action_space = gymnasium.spaces.Box(low.astype(dtype), high.astype(dtype), dtype=dtype)
        first, _ = self.reset(seed=0)
        self.generator = None
        arrays = first if isinstance(first, dict) else {"": first}
        spaces = {name: _space(np.asarray(each)) for name, each in arrays.items()}
        self.observation_space = (
            gymnasium.spaces.Dict(spaces) if isinstance(first, dict) else spaces[""]
        )

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """See gymnasium.Env. options: {"tunables": ...}, as `tune` has them."""
        if seed is not None or self.generator is None:
            legacy = self.task.generator == "RandomState"
            self.generator = RealRandom(
                np.random.RandomState(None if seed is None else seed & 0xFFFFFFFF)
                if legacy
                else np.random.default_rng(seed)
            )
        self.sim.begin(in_reset=True)
        self.ep.begin(in_reset=True, tunables=unpacked(type(self.task), options))
        with self.task.running():
            info = infos_of(
                self.task, "reset", self.task.reset(self.sim, self.generator, self.ep) or {}
            )
            return self._observed(), info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """See gymnasium.Env."""
        self.ep.begin(in_reset=False)
        self.sim.begin(in_reset=False)
        action = np.array(action, self.task.action_dtype)
        with self.task.running():
            step = as_step(self.task, self.task.step(self.sim, action, self.generator, self.ep))
            observed = self._observed()
        info = infos_of(self.task, "step", step.info)
        return observed, float(step.reward), bool(step.terminated), False, info

    def compute_reward(self, achieved_goal: Any, desired_goal: Any, info: Any) -> Any:
        """The class's own, which hindsight replay asks for, with a row for each goal."""
        return self.task.compute_reward(achieved_goal, desired_goal, info)

    def render(self) -> Any:
        """A uint8 array (480, 640, 3) with the render_mode "rgb_array", else None."""
        if self.render_mode is None:
            return None
        if self._renderer is None:
            self._renderer = mujoco.Renderer(self.model, 480, 640)
        self._renderer.update_scene(self.data)
        return self._renderer.render()

    def close(self) -> None:
        """See gymnasium.Env."""
        if self._renderer is not None:
            self._renderer.close()
            self._renderer = None

    def _observed(self) -> Any:
        shown = as_observation(self.task, self.task.observe(self.sim, self.generator, self.ep))
        return shown.get("", shown)


def reference(
    task: type[Task],
    *,
    render_mode: str | None = None,
    model_overrides: Mapping[str, Any] | str | None = None,
    **options: Any,
) -> TaskEnv:
    """The task in Python, with these of its options. model_overrides: as `make` has it. Raises TaskError."""
    given: Any = model_overrides
    overrides = json.loads(given or "{}") if isinstance(given, str) else given
    return TaskEnv(task(**options), render_mode, overrides)


def _space(array: np.ndarray[Any, Any]) -> gymnasium.Space[Any]:
    if array.dtype == bool:
        return gymnasium.spaces.MultiBinary(array.shape)
    dtype: Any = array.dtype
    if array.dtype.kind == "i":
        limits = np.iinfo(dtype)
        return gymnasium.spaces.Box(limits.min, limits.max, array.shape, dtype)
    return gymnasium.spaces.Box(-np.inf, np.inf, array.shape, dtype)
