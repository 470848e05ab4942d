"""Drivers of ParallelPool's own pools and of the rivals: Gymnasium, EnvPool, ale-py.

Rivals get the same options where they have them under some name. A rival that is not installed, or
does not have the environment, raises `Absent`, which says so.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from parallel_pool.benchmarking.actions import draw_actions
from parallel_pool.benchmarking.drivers import Driver, LockstepDriver, QueueDriver
from parallel_pool.errors import ParallelPoolError

MAX_PROCESSES = 128
"""Of Gymnasium's AsyncVectorEnv, which has one per environment: thousands exhaust the memory."""


class Absent(ParallelPoolError):
    """A rival cannot take part; the text says why."""


@dataclass(frozen=True)
class Task:
    """What all contestants are to do."""

    task_id: str
    """An id of ParallelPool, canonical or bare."""
    num_envs: int
    batch_size: int | None = None
    """None or num_envs: in lockstep."""
    num_threads: int | None = None
    """None: as each contestant likes."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Of the environment, under ParallelPool's names."""

    @property
    def is_async(self) -> bool:
        """Whether batches are smaller than the pool."""
        return self.batch_size is not None and self.batch_size < self.num_envs

    @property
    def rows(self) -> int:
        """Environment steps per call."""
        return self.batch_size or self.num_envs

    @property
    def bare_id(self) -> str:
        """The id without the family: what Gymnasium and EnvPool call the environment."""
        return self.task_id.rpartition("/")[2]

    @property
    def sizes(self) -> dict[str, int]:
        """The keyword arguments of a pool that are not options of the environment."""
        sizes = {
            "num_envs": self.num_envs,
            "batch_size": self.batch_size,
            "num_threads": self.num_threads,
        }
        return {name: value for name, value in sizes.items() if value is not None}


def drive(
    name: str,
    env: Any,
    task: Task,
    *,
    actions: Sequence[Any] | None = None,
    integers: Any = None,
    takes_env_ids: bool = True,
) -> Driver:
    """A driver of a pool that has the methods of Gymnasium's or EnvPool's.

    actions: None draws them; integers: of this dtype. takes_env_ids: see QueueDriver.
    """
    if actions is None:
        actions = draw_actions(env.single_action_space, task.rows, integers=integers)
    if task.is_async:
        return QueueDriver(
            name, env, task.num_envs, task.rows, actions, takes_env_ids=takes_env_ids
        )
    return LockstepDriver(name, env, task.num_envs, actions)


def parallel_pool(
    task: Task,
    *,
    view: str = "gymnasium",
    name: str = "ParallelPool",
    actions: Sequence[Any] | None = None,
) -> Driver:
    """ParallelPool in one of its views, "gymnasium" or "gym"."""
    from parallel_pool.making import make

    env = make(task.task_id, view, **task.sizes, **task.options)
    integers = np.int32 if view == "gym" else None
    return drive(name, env, task, actions=actions, integers=integers)


def envpool(task: Task, *, name: str = "EnvPool") -> Driver:
    """EnvPool, with those of the options that it has."""
    module = _module("envpool")
    known = module.list_all_envs()
    if task.bare_id not in known:
        raise Absent(f"EnvPool has no {task.bare_id}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # gymnasium's remarks on its spaces
        accepted = module.make_spec(task.bare_id).config._fields
        options = {key: value for key, value in _effective(task).items() if key in accepted}
        env = module.make(task.bare_id, env_type="gymnasium", **{**options, **task.sizes})
        return drive(name, _EnvPoolSpaces(env), task, integers=np.int32)


class _EnvPoolSpaces:
    """EnvPool's `action_space` is that of one environment."""

    def __init__(self, env: Any) -> None:
        self.single_action_space = env.action_space
        for method in ("step", "send", "recv", "async_reset", "reset", "close"):
            setattr(self, method, getattr(env, method))


def ale(task: Task, *, name: str = "ale-py") -> Driver:
    """ale-py's vector environment of the same game."""
    options = _effective(task)
    if "game" not in options:
        raise Absent(f"{task.bare_id} is not a game of ale-py's")
    module = _module("ale_py.vector_env")
    quiet_ale()
    arguments = {theirs: options[ours] for ours, theirs in _ALE_NAMES.items() if ours in options}
    frames = options.get("frame_skip", 4)
    if options.get("max_episode_steps"):
        arguments["max_num_frames_per_episode"] = options["max_episode_steps"] * frames
    env = module.AtariVectorEnv(options["game"], **arguments, **task.sizes)
    return drive(name, env, task, takes_env_ids=False)


_ALE_NAMES = {
    "episodic_life": "episodic_life",
    "frame_skip": "frameskip",
    "full_action_space": "full_action_space",
    "gray_scale": "grayscale",
    "img_height": "img_height",
    "img_width": "img_width",
    "noop_max": "noop_max",
    "repeat_action_probability": "repeat_action_probability",
    "reward_clip": "reward_clipping",
    "stack_num": "stack_num",
    "use_fire_reset": "use_fire_reset",
}


def gymnasium_vector(task: Task, mode: str, *, name: str | None = None) -> Driver:
    """Gymnasium's own; `mode` is "sync", "async" or "vector_entry_point" (written with numpy).

    There are no asynchronous batches in Gymnasium: always in lockstep.
    """
    if mode == "async" and task.num_envs > MAX_PROCESSES:
        raise Absent(
            f"{task.num_envs} environments would be as many processes; {MAX_PROCESSES} at most"
        )
    import gymnasium

    in_step = Task(task.task_id, task.num_envs, options=task.options)  # no batch_size
    name = name or f"Gymnasium {mode}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # remarks on the environments' versions and spaces
        if mode == "vector_entry_point":
            env: Any = gymnasium.make_vec(task.bare_id, task.num_envs, vectorization_mode=mode)
            return drive(name, env, in_step)
        factory = _gymnasium_factory(task)
        kinds = {"sync": gymnasium.vector.SyncVectorEnv, "async": gymnasium.vector.AsyncVectorEnv}
        env = kinds[mode]([factory] * task.num_envs)
        return drive(name, env, in_step)


def _gymnasium_factory(task: Task) -> Callable[[], Any]:
    import gymnasium

    options = _effective(task)
    if "game" in options:
        _module("ale_py")
        _module("cv2")
        return partial(_atari_of_gymnasium, options)
    if task.bare_id not in gymnasium.registry:
        raise Absent(f"Gymnasium has no {task.bare_id}")
    return partial(gymnasium.make, task.bare_id)


def _atari_of_gymnasium(options: Mapping[str, Any]) -> Any:
    """One environment with the wrappers that stand for the options; no fire at reset."""
    import ale_py
    import gymnasium
    from gymnasium import wrappers

    quiet_ale()
    gymnasium.register_envs(ale_py)
    camel = "".join(part.capitalize() for part in options["game"].split("_"))
    env: Any = gymnasium.make(
        f"ALE/{camel}-v5",
        frameskip=1,
        repeat_action_probability=options.get("repeat_action_probability", 0.0),
        full_action_space=options.get("full_action_space", False),
        max_num_frames_per_episode=108_000,
    )
    env = wrappers.AtariPreprocessing(
        env,
        noop_max=options.get("noop_max", 30),
        frame_skip=options.get("frame_skip", 4),
        screen_size=(options.get("img_width", 84), options.get("img_height", 84)),
        terminal_on_life_loss=options.get("episodic_life", False),
        grayscale_obs=options.get("gray_scale", True),
    )
    if options.get("reward_clip"):
        env = wrappers.TransformReward(env, lambda reward: float(np.sign(float(reward))))
    return wrappers.FrameStackObservation(env, options.get("stack_num", 4))


def quiet_ale() -> None:
    """No banner of the emulator for every game that is loaded."""
    module = _module("ale_py")
    module.ALEInterface.setLoggerMode(module.LoggerMode.Error)


def _effective(task: Task) -> dict[str, Any]:
    """The options with ParallelPool's defaults for those not given, so that rivals do the same."""
    from parallel_pool.making import make_spec

    try:
        spec = make_spec(task.task_id, **task.options)
    except ParallelPoolError:
        return dict(task.options)  # an environment that only the rivals have, or one in Python
    names = [each["name"] for each in spec.declared_options]
    effective = {name: getattr(spec.config, name) for name in (*names, "max_episode_steps")}
    return {name: value for name, value in effective.items() if value is not None}


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        raise Absent(f"{package} is not installed ({error})") from None


RIVALS: dict[str, dict[str, Callable[[Task], Driver]]] = {
    "gymnasium": {
        "Gymnasium sync": partial(gymnasium_vector, mode="sync"),
        "Gymnasium async": partial(gymnasium_vector, mode="async"),
    },
    "envpool": {"EnvPool": envpool},
    "ale": {"ale-py": ale},
}
"""What `parallel-pool bench --against` knows, by the word for it and by the driver's name."""
