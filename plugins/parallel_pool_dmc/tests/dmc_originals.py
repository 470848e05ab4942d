"""dm_control's own tasks, and how they are played."""

import copy
import functools
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import dm_env
import gymnasium
import mujoco
import numpy as np
from dm_control.mujoco.wrapper import core
from parallel_pool.testing import Play
from parallel_pool_dmc._tasks import TASKS, Task
from parallel_pool_dmc._versions import require_suite
from test_envs.originals import Beside

suite = require_suite()


@functools.cache
def _compiled(text: Any, assets: tuple[tuple[str, bytes], ...]) -> Any:
    return mujoco.MjModel.from_xml_string(text, dict(assets))


def _copy_of_compiled(
    xml_path: None = None, xml_string: Any = None, assets: Any = None
) -> mujoco.MjModel:
    """As dm_control's function of the core module, but a text is compiled once: it is most of a comparison."""
    assert xml_path is None
    return copy.copy(_compiled(xml_string, tuple((assets or {}).items())))


core._get_model_ptr_from_xml = _copy_of_compiled

BY_NAME = {f"{task.domain}-{task.name}": task for task in TASKS}
NAMES = list(BY_NAME)


def reference(task: Task, seed: int, **arguments: Any) -> Any:
    """dm_control's own. arguments: of the task, or sizes of its model; `environment_kwargs` apart."""
    environment = arguments.pop("environment_kwargs", None)
    if "n_links" in arguments:
        return suite.swimmer.swimmer(random=seed, environment_kwargs=environment, **arguments)
    if "n_bodies" in arguments:
        cost = suite.lqr._CONTROL_COST_COEF
        return suite.lqr._make_lqr(
            control_cost_coef=cost, random=seed, environment_kwargs=environment, **arguments
        )
    env = suite.load(task.domain, task.name, {"random": seed, **arguments}, environment)
    if task.name == "escape":
        # Each reset hands the new terrain to OpenGL, with or without a picture to draw.
        env.physics._make_rendering_contexts = lambda: None
    return env


class OfDmControl(gymnasium.Env[Any, Any]):
    """A task of dm_control, which a reset with a seed makes anew: its only way to be seeded."""

    bare: Any

    def __init__(
        self, name: str, task_kwargs: Any = None, environment_kwargs: dict[str, Any] | None = None
    ) -> None:
        self._task = BY_NAME[name]
        self._arguments = {**(task_kwargs or {}), "environment_kwargs": environment_kwargs}

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        if seed is not None:
            self.bare = reference(self._task, seed, **self._arguments)
        return observed(self.bare.reset()), {}

    def step(self, action: Any) -> Any:
        """See gymnasium.Env. Flags say as much as dm_control's discounts."""
        answer = self.bare.step(action)
        over, ended = answer.last(), answer.discount == 0
        assert answer.discount == (not ended) and over >= ended
        return observed(answer), answer.reward, ended, over and not ended, {}


def observed(answer: dm_env.TimeStep) -> dict[str, Any]:
    """With numbers as arrays, as the pool has them."""
    return {key: np.asarray(value, np.float64) for key, value in answer.observation.items()}


def shimmy_of(env: Any) -> Any:
    """A gymnasium.Env of one of dm_control's."""
    with warnings.catch_warnings(action="ignore"):  # at its import, and of spaces of float64
        from shimmy.dm_control_compatibility import DmControlCompatibilityV0

        return DmControlCompatibilityV0(env)


def control_timestep(name: str) -> float:
    """Seconds between two actions, as the table has it: compiling a model to ask it is dear."""
    task = BY_NAME[name]
    return task.control_timestep or 1 / task.fps


def beyond_bounds(play: Play) -> Any:
    """Random actions, some of them a little too large."""
    space = play.pool.single_action_space
    low, high = np.maximum(space.low, -3), np.minimum(space.high, 3)
    return play.draw.uniform(1.1 * low, 1.1 * high, (play.pool.num_envs, *space.shape))


def played(
    beside: Beside,
    name: str,
    *,
    seed: int,
    lanes: int = 3,
    steps: int = 0,
    episodes: int = 0,
    policy: Callable[[Play], Any] = beyond_bounds,
    environment_kwargs: dict[str, Any] | None = None,
    **arguments: Any,
) -> Play:
    """Beside dm_control. arguments: of the task, or sizes of its model."""
    return beside(
        f"dmc/{name}",
        partial(OfDmControl, name),
        policy,
        num_envs=lanes,
        seed=seed,
        steps=steps,
        episodes=episodes,
        task_kwargs=arguments,
        environment_kwargs=environment_kwargs,
    )
