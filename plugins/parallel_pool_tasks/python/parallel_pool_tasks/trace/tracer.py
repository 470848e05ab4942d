"""Traces a task: from its methods to the program's text."""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from parallel_pool_tasks.errors import Line, TaskError, class_line, is_ours
from parallel_pool_tasks.models import bounds_of, seconds_of_a_step
from parallel_pool_tasks.program.tape import Operand, Shown, Tape, runs
from parallel_pool_tasks.program.text import text_of
from parallel_pool_tasks.results import as_observation, as_step, infos_of
from parallel_pool_tasks.task import Task
from parallel_pool_tasks.trace import language
from parallel_pool_tasks.trace.blocks import recorded_on
from parallel_pool_tasks.trace.episode import TracedEpisode
from parallel_pool_tasks.trace.random import TracedRandom
from parallel_pool_tasks.trace.simulation import TracedSimulation
from parallel_pool_tasks.trace.ufuncs import dtype_or_weak, registers_of
from parallel_pool_tasks.trace.value import Value
from parallel_pool_tasks.tunables import tunables_of


def traced(task: Task, model: Any) -> str:
    """The program of a task with this model. Raises TaskError that names the author's line."""
    import mujoco

    tape = Tape(language, outside=class_line(type(task)))
    sim = TracedSimulation(tape, model, mujoco.MjData(model))
    rng, ep = TracedRandom(tape, task.generator), TracedEpisode(tape)
    for name, numbers in tunables_of(type(task)).items():
        ep.tune(name, numbers)
    task.dt = seconds_of_a_step(task, model)
    bounds = bounds_of(type(task), model)
    with task.running():
        with _of_author(tape, task, "reset"):
            first = infos_of(task, "reset", task.reset(sim, rng, ep) or {})
        with _of_author(tape, task, "observe"):
            shown = as_observation(task, task.observe(sim, rng, ep))
        begun = _Results(tape, shown, first)
        tape.part = "step"
        sim.begin(in_reset=False)
        action = _action(tape, task, len(bounds))
        with _of_author(tape, task, "step"):
            returned = task.step(sim, action, rng, ep)
        step = as_step(task, returned)
        with _of_author(tape, task, "observe"):
            shown = as_observation(task, task.observe(sim, rng, ep))
    ended = _Results(tape, shown, infos_of(task, "step", step.info))
    begun.expect_same(task, ended)
    infos = {
        **ended.infos,
        **{name: each for name, each in begun.infos.items() if name not in ended.infos},
    }
    tape.observations = [_shown(name, each) for name, each in ended.observations.items()]
    tape.infos = [_shown(name, each) for name, each in infos.items()]
    tape.part = "reset"
    begun.emit(infos)
    tape.part = "step"
    reward = _scalar(tape, task, "reward", step.reward, np.dtype(np.float64))
    tape.emit("reward", np.float64, reward)
    ends = _scalar(tape, task, "terminated", step.terminated, np.dtype(bool))
    tape.emit("terminated", bool, ends)
    ended.emit(infos)
    return text_of(tape, task.generator, np.dtype(task.action_dtype), bounds)


class _Results:
    """The arrays that a part of the program hands out, by name, each as its dtype and registers."""

    def __init__(self, tape: Tape, shown: Mapping[str, Any], infos: Mapping[str, Any]) -> None:
        self.tape = tape
        self.observations = {name: _array(tape, each) for name, each in shown.items()}
        self.infos = {name: _array(tape, each) for name, each in infos.items()}

    def expect_same(self, task: Task, other: _Results) -> None:
        """Raises TaskError if steps hand out something of other shapes or dtypes than this."""
        pairs = [("observe", self.observations, other.observations)]
        common = self.infos.keys() & other.infos.keys()
        pairs.append(
            ("info", {n: self.infos[n] for n in common}, {n: other.infos[n] for n in common})
        )
        for what, ours, theirs in pairs:
            left = {name: (str(d), r.shape) for name, (d, r) in ours.items()}
            right = {name: (str(d), r.shape) for name, (d, r) in theirs.items()}
            if left != right:
                raise TaskError(
                    f"{task.id}: {what} is {left} after a reset and {right} after a step, expected the same"
                )

    def emit(self, infos: Mapping[str, Any]) -> None:
        """Writes the rows. infos: all that the task has; those not here are zero."""
        for number, (dtype, registers) in enumerate(self.observations.values()):
            self._put("observation", number, dtype, registers)
        for number, (name, (dtype, registers)) in enumerate(infos.items()):
            if name in self.infos:
                self._put("info", number, dtype, self.infos[name][1])
            else:
                zero = Operand(self.tape.constants(np.zeros(1)), one=True)
                self.tape.emit("info", dtype, registers.size, f"{number}+0", zero)

    def _put(self, op: str, number: int, dtype: Any, registers: np.ndarray[Any, Any]) -> None:
        for start, count, first, stride in runs(registers.reshape(-1)):
            operand = Operand(first, one=stride == 0)
            self.tape.emit(op, dtype, count, f"{number}+{start}", operand)


def _array(tape: Tape, value: Any) -> tuple[np.dtype[Any], np.ndarray[Any, Any]]:
    found = dtype_or_weak(value)
    dtype = np.dtype({float: np.float64, int: np.int64}.get(found, found))
    return dtype, registers_of(tape, value, dtype)


def _shown(name: str, array: tuple[np.dtype[Any], np.ndarray[Any, Any]]) -> Shown:
    return Shown(name, array[0], array[1].shape)


def _action(tape: Tape, task: Task, count: int) -> Value:
    first = tape.fresh(count)
    tape.emit("action", task.action_dtype, count, first)
    return Value(tape, np.arange(first, first + count), task.action_dtype)


def _scalar(tape: Tape, task: Task, what: str, value: Any, dtype: np.dtype[Any]) -> Operand:
    registers = registers_of(tape, value, dtype)
    if registers.size != 1:
        raise TaskError(f"{task.id}: {what} has the shape {registers.shape}, expected one number")
    return Operand(int(registers.reshape(-1)[0]))


@contextmanager
def _of_author(tape: Tape, task: Task, method: str) -> Iterator[None]:
    """While the author's code runs: instructions have its lines, and what it raises names them."""
    home, tape.outside = tape.outside, None
    try:
        with recorded_on(tape):
            yield
    except (TaskError, NotImplementedError):
        raise
    except Exception as error:
        lines = [
            Line(frame.f_code.co_filename, number)
            for frame, number in traceback.walk_tb(error.__traceback__)
            if not is_ours(frame.f_globals.get("__name__", ""))
        ]
        where = f"{lines[-1]}: " if lines else ""
        raise TaskError(
            f"{where}{type(task).__name__}.{method} raised {type(error).__name__}: {error}"
        ) from error
    finally:
        tape.outside = home
