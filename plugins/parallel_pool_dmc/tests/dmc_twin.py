"""Steps a pool and one environment of dm_control per lane with the same actions; all must be equal.

Equal means every bit: observations with their keys in order, rewards, discounts, step types. A pool and
dm_control begin the next episode alike, in the step after a LAST one.
"""

from __future__ import annotations

import copy
import functools
import warnings
from collections.abc import Callable
from typing import Any, TypeAlias

import dm_env
import gymnasium
import mujoco
import numpy as np
import parallel_pool
from dm_control.mujoco.wrapper import core
from parallel_pool_dmc._tasks import TASKS, Task
from parallel_pool_dmc._versions import require_suite
from test_envs.lockstep import Lockstep

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

Policy: TypeAlias = Callable[[list[dm_env.TimeStep]], np.ndarray[Any, Any]]
"""The actions after the TimeSteps of all lanes."""

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
    """A task of dm_control through Shimmy, which a reset with a seed makes anew: its only way to be seeded."""

    def __init__(self, name: str) -> None:
        self._task = BY_NAME[name]
        self._env: Any = None

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        """See gymnasium.Env."""
        if seed is not None:
            self._env = shimmy_of(reference(self._task, seed))
        return self._env.reset()

    def step(self, action: Any) -> Any:
        """See gymnasium.Env."""
        return self._env.step(action)


def shimmy_of(env: Any) -> Any:
    """A gymnasium.Env of one of dm_control's."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # at its first import, and of float64 as dtype of a space
        from shimmy.dm_control_compatibility import DmControlCompatibilityV0

        return DmControlCompatibilityV0(env)


def control_timestep(name: str) -> float:
    """Seconds between two actions, as the table has it: compiling a model to ask it is dear."""
    task = BY_NAME[name]
    return task.control_timestep or 1 / task.fps


class Twin:
    """environment i of the pool against dm_control's with random=seed + i."""

    def __init__(
        self,
        name: str,
        seed: int,
        lanes: int = 3,
        pool_options: dict[str, Any] | None = None,
        **arguments: Any,
    ) -> None:
        task = BY_NAME[name]
        self.compared = Lockstep(f"dmc/{name}", seed)
        self.references = [reference(task, seed + lane, **arguments) for lane in range(lanes)]
        environment = arguments.pop("environment_kwargs", None)
        self.pool = parallel_pool.make_dm(
            f"dmc/{name}",
            num_envs=lanes,
            num_threads=2,
            seed=seed,
            task_kwargs=arguments,
            environment_kwargs=environment,
            **(pool_options or {}),
        )
        spec = self.references[0].action_spec()
        self._low, self._high = np.maximum(spec.minimum, -3), np.minimum(spec.maximum, 3)

    def run(
        self,
        episodes: int,
        draw_seed: int = 0,
        scale: float = 1.1,
        policy: Policy | None = None,
        more: int = 0,
    ) -> int:
        """So many episodes of each, with random actions, some beyond the bounds. Gives the steps taken.

        policy: gives the actions instead. more: steps of the next episode.
        """
        draw = np.random.default_rng(draw_seed)
        shape = (len(self.references), *self._low.shape)
        act = policy or (lambda _: draw.uniform(scale * self._low, scale * self._high, shape))
        expected = [env.reset() for env in self.references]
        got = self.pool.reset()
        self.compared.step = "reset"
        self._same(got, expected)
        steps = ended = 0
        while ended < episodes or more > 0:
            more -= ended == episodes
            actions = act(expected)
            expected = [env.step(a) for env, a in zip(self.references, actions, strict=True)]
            got = self.pool.step(actions)
            steps += 1
            self.compared.step = f"{steps} (episode {ended})"
            self._same(got, expected)
            ended += expected[0].last()
        return steps

    def _same(self, got: Any, expected: list[dm_env.TimeStep]) -> None:
        seen = got.observation.obs
        for lane, wanted in enumerate(expected):
            same = functools.partial(self.compared.same, lane)
            same("step_type", got.step_type[lane], int(wanted.step_type), dtype=False)
            reward = 0.0 if wanted.reward is None else float(wanted.reward)
            same("reward", got.reward[lane], reward, dtype=False)
            discount = 1.0 if wanted.discount is None else wanted.discount
            same("discount", got.discount[lane], discount, dtype=False)
            assert list(seen) == list(wanted.observation), self.compared.place(lane)
            for key, value in wanted.observation.items():
                same(key, seen[key][lane], np.asarray(value, np.float64), bits=True)

    def close(self) -> None:
        self.pool.close()
