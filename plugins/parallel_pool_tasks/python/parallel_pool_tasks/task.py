"""`Task`, of which authors derive, and what its `step` returns."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from parallel_pool_tasks.errors import TaskError, refused

Model = str | Path | Callable[[], Any]
"""An XML file, or a function that returns an mjModel. A file without a folder lies beside the task's source."""


@dataclass
class Step:
    """The outcome of a step.

    reward: one number, or terms of it by name, each as (weight, value): their sum is the reward, and each
    product the info reward_NAME. terminated: one bool. info: numbers and arrays, the same at every step.
    """

    reward: Any
    terminated: Any = False
    info: Mapping[str, Any] = field(default_factory=dict)


class Task:
    """A task with MuJoCo: numpy code about one environment.

    A class says what it is by `id`, `model` and the attributes below, and what it does by `reset`, `observe`
    and `step`. Its annotated attributes are options of `parallel_pool.make`, with their defaults:

        class HalfCheetah(Task):
            id = "running/HalfCheetah-v0"
            model = gymnasium_model("half_cheetah.xml")
            frame_skip, max_episode_steps = 5, 1000
            ctrl_cost_weight: float = 0.1

    The methods run as they are (`parallel_pool_tasks.reference`), or are called once to be traced, and C++ runs
    what they did (`parallel_pool.make(HalfCheetah, num_envs=64)`): docs/tasks.md has the language.
    """

    id: ClassVar[str]
    """"family/Name-v0"."""
    model: ClassVar[Model]
    frame_skip: int
    """Steps of the simulation per action; an option of `make`."""
    frame_skip = 1
    max_episode_steps: ClassVar[int | None] = None
    generator: ClassVar[Literal["Generator", "RandomState"]] = "Generator"
    """Says which generator `rng` is: numpy's default_rng(seed), or RandomState(seed) as dm_control's."""
    action_dtype: ClassVar[Literal["float32", "float64"]] = "float32"
    action_space: ClassVar[tuple[Any, Any] | None] = None
    """The bounds of actions: numbers, as many as controls, or arrays of any size; None: the controls' own."""
    render_fps: ClassVar[float | None] = None
    tunables: ClassVar[Mapping[str, Any]] = {}
    """Floats and arrays of them by name, which `tune` changes while a pool plays; `ep` begins with them."""

    folder: ClassVar[str]
    """The folder of the class's source, or where the program runs if that is no file, as in a notebook."""

    parallel_pool_id: ClassVar[Callable[[], str]]
    """For `parallel_pool.make(TheClass)`: registers the class, and returns its id (registered.py)."""

    dt: float
    """Seconds of a step: those of the simulation times frame_skip."""

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        file = getattr(sys.modules.get(cls.__module__), "__file__", None)
        cls.folder = os.path.abspath(os.path.dirname(file) if file else os.getcwd())

    def __init__(self, **options: Any) -> None:
        """Takes the options of the class, and frame_skip. Raises TaskError for others."""
        known = {"frame_skip": type(self).frame_skip, **own_options(type(self))}
        for name in options:
            if name not in known:
                raise TaskError(
                    f"{type(self).__name__} has no option {name!r}, only {', '.join(known)}"
                )
        object.__setattr__(self, "_running", False)
        object.__setattr__(self, "parallel_pool_id", self._refuse_to_be_made)
        for name, default in known.items():
            setattr(self, name, checked(type(self), name, options.get(name, default), default))

    def _refuse_to_be_made(self) -> str:
        name = type(self).__name__
        raise TaskError(
            f"this is an object of {name}: make({name}, ...) takes the class and options"
        )

    def reset(self, sim: Any, rng: Any, ep: Any) -> Mapping[str, Any] | None:
        """Sets positions and velocities for a new episode, after mj_resetData; may return its first info."""
        raise NotImplementedError(f"{type(self).__name__} has no method reset(self, sim, rng, ep)")

    def observe(self, sim: Any, rng: Any, ep: Any) -> Any:
        """The observation, an array or a dict of arrays. Called after each reset and each step."""
        raise NotImplementedError(
            f"{type(self).__name__} has no method observe(self, sim, rng, ep)"
        )

    def step(self, sim: Any, action: Any, rng: Any, ep: Any) -> Step:
        """Acts and simulates."""
        raise NotImplementedError(
            f"{type(self).__name__} has no method step(self, sim, action, rng, ep)"
        )

    def compute_reward(self, achieved: Any, desired: Any, info: Any) -> Any:
        """The reward for reaching one goal while another is desired, from arrays (size,) or (rows, size).

        For hindsight replay, and for `step` to use. A task with goals observes a dict with `observation`,
        `achieved_goal` and `desired_goal`.
        """
        raise NotImplementedError(
            f"{type(self).__name__} has no method compute_reward(self, achieved, desired, info)"
        )

    @contextmanager
    def running(self) -> Iterator[None]:
        """While its methods run, in either way, its attributes stay as they are."""
        object.__setattr__(self, "_running", True)
        try:
            yield
        finally:
            object.__setattr__(self, "_running", False)

    def __setattr__(self, name: str, value: Any) -> None:
        if getattr(self, "_running", False):
            raise refused(
                f"self.{name} is set while the task runs, and all environments share self: ep.{name} = ... "
                "keeps a value of the episode"
            )
        object.__setattr__(self, name, value)


_NOT_OPTIONS = frozenset(inspect.get_annotations(Task))


def own_options(task: type[Task]) -> dict[str, Any]:
    """The annotated attributes of a class and of those that it derives from, with their defaults, in order.

    A whole number that is annotated as a float is one. Raises TaskError for one without a default, or of a kind
    that no option has.
    """
    found: dict[str, Any] = {}
    for each in reversed(task.__mro__):
        if not issubclass(each, Task) or each is Task:
            continue
        for name, annotation in inspect.get_annotations(each).items():
            if name in _NOT_OPTIONS:
                continue
            default = getattr(task, name, None)
            if annotation in (float, "float") and type(default) is int:
                default = float(default)
            if not isinstance(default, (bool, int, float, str, tuple, list)):
                raise TaskError(
                    f"{task.__name__}.{name} is an option with the default {default!r}, expected a bool, a "
                    "number, a text or a tuple of numbers"
                )
            found[name] = tuple(default) if isinstance(default, list) else default
    return found


def checked(task: type[Task], name: str, value: Any, default: Any) -> Any:
    """The value as a bool, int, float, str or tuple like the default. Raises TaskError."""
    if isinstance(default, (bool, str)):
        good = isinstance(value, (type(default), np.bool_ if isinstance(default, bool) else str))
        taken: Any = type(default)(value) if good else None
    elif isinstance(default, tuple):
        good = isinstance(value, (Sequence, np.ndarray)) and len(value) == len(default)
        good = good and all(_is_number(each) for each in value)
        taken = tuple(float(each) for each in value) if good else None
    else:
        whole = isinstance(default, int)
        good = _is_number(value) and (not whole or float(value).is_integer())
        taken = (int if whole else float)(value) if good else None
    if not good:
        raise TaskError(
            f"{task.id}: {name} is {value!r}, expected one like its default, {default!r}"
        )
    return taken


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
