"""What the language has not is an error that names the author's line and what to write instead."""

import math  # noqa: F401 (of the methods below)
from collections.abc import Callable
from pathlib import Path
from textwrap import indent
from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool_tasks import Step, Task, TaskError, lookup, reference, substeps, until, when  # noqa: F401
from parallel_pool_tasks.examples import Cheetah
from test_envs.checks import refused

REMEMBERED: list[Any] = []
COMPILED = {
    "if sim.qpos[0] > 3: return Step(1.0)": "np.where(condition, a, b) instead of `if`",
    "return Step(0.0, sim.qpos[0] > 3 and sim.qpos[1] > 3)": "a & b instead of `a and b`",
    "return Step(0.0, 0.2 < sim.qpos[0] < 3)": "(a < x) & (x < b) instead of",
    "return Step(max(sim.qpos[0], 0.0))": "np.maximum(a, b) instead of max",
    "return Step(math.sqrt(sim.qpos[0]))": "np.sqrt instead of math.sqrt",
    "action[0] = 0.0": "cannot be changed in place",
    "return Step(action[action > 0].sum())": "an index that is a value is one int64",
    "return Step(np.array([sim.qpos[0], 1.0]).sum())": "np.stack([x, y])",
    "return Step(np.spacing(sim.qpos[0]))": "np.spacing of float64 is not in the language",
    "return Step(np.median(sim.qpos[:]))": "np.median is not in the language",
    "return Step(np.sum(action * np.int8(2)) + sim.qpos[0].astype(np.float16))": "dtype float16",
    "return Step(np.sum(sim.qpos[:] + action))": "shape mismatch",
    "return Step(REMEMBERED[-1][()] + 1)": "made in reset is used in step",
    "return Step(REMEMBERED[-1])": "`class Broken(Cheetah):`: a value that was made in reset",
    "np.concatenate([action, action], out=np.zeros(12, np.float32))": (
        "np.concatenate with dtype or out is not in the language"
    ),
    "return Step(np.stack([sim.qpos[0]], dtype=np.float32)[0])": (
        "np.stack with dtype or out is not in the language"
    ),
    "ep.number += 1": "x = x + y instead of x += y",
    'return Step({}["reward"])': "Broken.step raised KeyError: 'reward'",
    "found = []\n"
    "when(sim.qpos[0] > 3)(lambda: found.append(sim.qpos[1]))\n"
    "return Step(found[0] + 1.0)": "made in a block of when, until or substeps is used outside",
    "substeps(2000, lambda: until(rng.random, lambda x: x > 0.5))": (
        "loops within each other take 2,000,000 rounds, expected at most 1,000,000"
    ),
    "when(action > 0)(sim.forward)": "a condition has the shape (6,), expected one bool: np.all(x)",
    "return Step(action[::2] @ sim.qpos[:3])": (
        "numpy multiplies a part of an array in another order: x.copy() first"
    ),
    "return Step(np.exp(action[::-1])[0])": "np.exp of what is turned round in another way: x.copy() first",
}
"""The statements of a step, of which the last is refused, and what is said of it where they are compiled."""
BOTH = {
    "return Step(np.sum(2 * sim.qpos))": "sim.qpos[:] reads what is there now",
    "return Step(sim.position[0])": "there is no sim.position",
    'return Step(sim.body("head").xpos[0])': "the model has no body 'head', only world, torso",
    "sim.xpos[1, 0] = 3.0": "MuJoCo computes mjData.xpos",
    'sim.model.body("torso").mass[:] = 3.0': "a step does not write the model",
    "self.last = action": "ep.last = ... keeps",
    "ep.other = action": "ep.other is new here: reset begins it",
    "ep.number = action[0]": "ep.number is int64 of shape (), and gets float32",
    'return Step({"speed": sim.qvel[0]})': "the reward's term 'speed' is ",
    "when(sim.time >= 0)(lambda: sim.qpos[1])": "a block of `when` returns something",
    "substeps(0, sim.forward)": "a loop has 0 rounds, expected a whole number, 1 .. 10,000",
    'return Step(0.0, sim.touching("torso", "floor"))': "'torso' is a geom and a body",
    'return Step(sim.contact_force([], "floor"))': "contacts are of geoms and bodies, not of []",
    'return Step(sim.object_velocity("joint", "bthigh")[0])': (
        "the velocity of a 'joint', expected one of body, xbody,"
    ),
    "return Step(sim.ray(action, sim.qpos[:3])[0])": "rays are of rows of three numbers, not of (6,) and (3,)",
    "return sim.qpos[0], False": "step returned tuple, expected Step",
}
"""The same where the task runs in Python too."""


OF_NO_LINE = (
    "return Step(REMEMBERED[-1])",
    'return Step({"speed": sim.qvel[0]})',
    "return sim.qpos[0], False",
)


def written(folder: Path, text: str) -> tuple[Callable[..., Any], str]:
    """A method with these statements in an author's file, and where the last of them is."""
    path = folder / "author.py"
    body = indent(f"{text}\nreturn Step(0.0)\n", "    ")
    path.write_text(f"def method(self, sim, action, rng, ep):\n{body}")
    names = dict(globals())
    exec(compile(path.read_text(), path, "exec"), names)
    return names["method"], "" if text in OF_NO_LINE else f"author.py:{2 + text.count(chr(10))}: "


def broken(body: Callable[..., Any]) -> type[Task]:
    class Broken(Cheetah):
        id = "refused/Broken-v0"

        def reset(self, sim: Any, rng: Any, ep: Any) -> Any:
            ep.number = 0
            REMEMBERED.append(sim.qpos[0])

        step = body

    return Broken


@pytest.mark.parametrize(("text", "part"), {**COMPILED, **BOTH}.items())
def test_an_error_names_the_line(text: str, part: str, tmp_path: Path) -> None:
    body, line = written(tmp_path, text)
    with refused(parallel_pool.ParallelPoolError, part, line):
        parallel_pool.make(broken(body))
    if text in BOTH:
        env = reference(broken(body))
        env.reset(seed=0)
        with refused(TaskError, part, line):
            env.step(np.zeros(6, np.float32))


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ({"ctrl_cost_weight": "much"}, "option 'ctrl_cost_weight' is 'much', expected a number"),
        ({"ctrl_cost": 1}, "has no option 'ctrl_cost'"),
        ({"env_options": [{}, {"ctrl_cost_weight": True}]}, "environment 1: option 'ctrl_cost_w"),
    ],
)
def test_options_are_refused(options: dict[str, Any], part: str) -> None:
    with refused(ValueError, part):
        parallel_pool.make(Cheetah, **options)


@pytest.mark.parametrize(
    ("attributes", "part"),
    [
        ({"id": None}, "has no id"),
        ({"id": "x"}, "'x'"),
        ({"id": "mujoco/Mine-v0"}, "belongs to plugin mujoco"),
        ({"id": "wrong/A-v0", "model": 3}, "model is 3, expected an XML file"),
        ({"id": "wrong/B-v0", "model": lambda: 3}, "model returned 3"),
        ({"id": "wrong/C-v0", "model": "nowhere.xml"}, "nowhere.xml"),
        (
            {"id": "wrong/D-v0", "action_space": ([0, 0, 0], [1, 2])},
            "action_space is ([0, 0, 0], [1, 2])",
        ),
        ({"id": "wrong/E-v0", "observe": lambda *_: None}, "observe returned None"),
        (
            {"id": "wrong/F-v0", "tunables": {"pay": "much"}},
            "Wrong.tunables: 'pay' is 'much', expected a number",
        ),
    ],
)
def test_classes_are_refused(attributes: dict[str, Any], part: str) -> None:
    with refused(ValueError, part):
        parallel_pool.make(type("Wrong", (Cheetah,), attributes))


def test_an_object_whose_options_would_be_lost() -> None:
    with pytest.raises(TaskError, match=r"make\(Cheetah, \.\.\.\) takes the class and options"):
        parallel_pool.make(Cheetah(ctrl_cost_weight=5.0))


def test_a_class_takes_the_place_of_its_older_self() -> None:
    """As in a notebook whose cell runs again; options and the time limit too."""
    for weight in (0.0, 1.0):
        body = {"id": "again/A-v0", "reset": lambda *_: None}
        body["max_episode_steps"] = int(5 + weight)
        body["step"] = lambda self, sim, action, rng, ep, weight=weight: Step(weight)
        with parallel_pool.make(type("Again", (Cheetah,), body)) as pool:
            pool.reset()
            assert pool.step(np.zeros((1, 6), np.float32))[1] == weight
            assert pool.config["max_episode_steps"] == 5 + weight


CONDITIONAL = "when(sim.time < 3)(sim.set_const)"
"""Python calls it."""
MODELS = {
    "sim.model.geom_condim[0] = 3": "sim.model.geom_condim is none of the numbers",
    'sim.model.body("torso").subtreemass = 3.0': "sim.model.subtreemass is none of the numbers",
    "sim.model.opt.timestep = 0.1": "sim.model.opt.timestep is none of the numbers",
    'sim.model.geom("floor").friction[3] = 0.1': "sim.model.friction has the shape (3,): index 3",
    "sim.model.body_mass[:] = sim.model.geom_friction": "",
    "sim.set_const()\n"
    "sim.model.dof_damping[0] = 0.1": "the model is written before sim.set_const()",
    "sim.qpos[0] = 3.0\nsim.set_const()": "sim.set_const() begins with a new mjData",
    CONDITIONAL: "sim.set_const() is for no block",
}


@pytest.mark.parametrize(("text", "part"), MODELS.items())
def test_errors_of_models(text: str, part: str, tmp_path: Path) -> None:
    body, line = written(tmp_path, text)

    class Wrong(Cheetah):
        id = "refused/Model-v0"

        def reset(self, sim: Any, rng: Any, ep: Any) -> None:
            body(self, sim, None, rng, ep)

    with refused(parallel_pool.ParallelPoolError, part, line):
        parallel_pool.make(Wrong)
    if text != CONDITIONAL:
        with refused((TaskError, ValueError), part):
            reference(Wrong)


@pytest.mark.parametrize(
    ("number", "part"),
    [
        (np.nan, "nan is written to sim.model.body_mass"),
        (0.0, "with this body_inertia, body_mass, dof_arm"),
    ],
)
def test_errors_of_the_numbers_of_a_model(number: float, part: str) -> None:
    class Massless(Cheetah):
        id = "refused/Massless-v0"

        def reset(self, sim: Any, rng: Any, ep: Any) -> None:
            sim.model.body_mass[:] = number * sim.time if number else 0.0 * rng.random()
            sim.model.body_inertia[:] = sim.model.dof_armature[:] = 0.0
            sim.set_const()

    with pytest.raises(TaskError, match=part):
        reference(Massless)
    with parallel_pool.make(Massless) as pool, pytest.raises(parallel_pool.EnvError, match=part):
        pool.reset()


@pytest.mark.parametrize(
    ("text", "part"),
    [
        (
            "ep.number = ep.number + 1\n"
            "when(ep.number < 2)(sim.forward)\n"
            "return Step(sim.n_contacts())",
            r"this is of the last sim.step\(\) or sim.forward\(\), and none came",
        ),
        (
            "ep.number = ep.number + 1\n"
            "sim.step1()\n"
            "when(ep.number < 2)(sim.forward)\n"
            'return Step(sim.contact_force("floor"))',
            "mj_step1, which comes last in control_step, computes no forces",
        ),
        (
            "ep.number = ep.number + 2\nreturn Step(lookup([1.0, 2.0, 3.0, 4.0], ep.number))",
            "index 4 is out of bounds for axis 0 with size 4",
        ),
        (
            "ep.number = ep.number + 1\n"
            "until(rng.random, lambda x: (x > 2) | (ep.number < 2), limit=7)",
            "nothing was accepted in 7 tries",
        ),
    ],
)
def test_errors_of_the_second_step(text: str, part: str, tmp_path: Path) -> None:
    """They are of the numbers, so of the environment, and name the line."""
    body, line = written(tmp_path, text)
    action = np.zeros((1, 6), np.float32)
    with parallel_pool.make(broken(body)) as pool:
        pool.reset(seed=0)
        pool.step(action)
        with pytest.raises(parallel_pool.EnvError, match=part) as raised:
            pool.step(action)
    assert line in str(raised.value)
    env = reference(broken(body))
    env.reset(seed=0)
    env.step(action[0])
    with pytest.raises((TaskError, IndexError), match=part):
        env.step(action[0])


def test_the_first_nan_is_an_error_where_it_is_asked_for() -> None:
    def no_root(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
        ep.number = ep.number + 1
        root = np.sqrt(np.stack([ep.number, 1.5 - ep.number]))
        return Step(np.where(root[1] > 0, root[1], 0.0))

    action = np.zeros((1, 6), np.float32)
    with (
        parallel_pool.make(broken(no_root), seed=0) as forgiving,
        parallel_pool.make(broken(no_root), seed=0, on_nan="error") as strict,
    ):
        for pool in (forgiving, strict):
            pool.reset()
            pool.step(action)
        assert forgiving.step(action)[1] == 0.0
        with pytest.raises(parallel_pool.EnvError, match="sqrt, number 1 of 2, is the first NaN"):
            strict.step(action)
