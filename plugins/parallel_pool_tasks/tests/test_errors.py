"""What the language has not is an error that names the author's line and what to write instead."""

import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool_tasks import Step, Task, TaskError, lookup, reference, substeps, until, when
from parallel_pool_tasks.examples import Cheetah

Body = Callable[..., Any]


def if_(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    if sim.qpos[0] > 3:  # here
        return Step(1.0)
    return Step(0.0)


def and_(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    return Step(0.0, sim.qpos[0] > 3 and sim.qpos[1] > 3)  # here


def chain(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    return Step(0.0, 0.2 < sim.qpos[0] < 3)  # here


def maximum(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    return Step(max(sim.qpos[0], 0.0))  # here


def math_(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    return Step(math.sqrt(sim.qpos[0]))  # here


def in_place(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    action[0] = 0.0  # here
    return Step(0.0)


def index(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    return Step(action[action > 0].sum())  # here


def as_array(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    return Step(np.array([sim.qpos[0], 1.0]).sum())  # here


def unknown_ufunc(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    return Step(np.spacing(sim.qpos[0]))  # here


def unknown_function(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    return Step(np.median(sim.qpos[:]))  # here


def unknown_dtype(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    return Step(np.sum(action * np.int8(2)) + sim.qpos[0].astype(np.float16))  # here


def shapes(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    return Step(np.sum(sim.qpos[:] + action))  # here


def place(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    return Step(np.sum(2 * sim.qpos))  # here


def no_field(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    return Step(sim.position[0])  # here


def no_body(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    return Step(sim.body("head").xpos[0])  # here


def computed(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    sim.xpos[1, 0] = 3.0  # here
    return Step(0.0)


def model_in_a_step(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    sim.model.body("torso").mass[:] = 3.0  # here
    return Step(0.0)


def itself(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    self.last = action  # here
    return Step(0.0)


def new_name(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    ep.other = action  # here
    return Step(0.0)


def other_dtype(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    ep.number = action[0]  # here
    return Step(0.0)


def from_reset(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    return Step(REMEMBERED[-1][()] + 1)  # here


def handed_out(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    return Step(REMEMBERED[-1])


def into_an_array(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    np.concatenate([action, action], out=np.zeros(12, np.float32))  # here
    return Step(0.0)


def narrower(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    return Step(np.stack([sim.qpos[0]], dtype=np.float32)[0])  # here


def added_to(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    ep.number += 1  # here
    return Step(0.0)


def its_own(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    return Step({}["reward"])  # here


def no_step(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    return sim.qpos[0], False


def no_pair(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    return Step({"speed": sim.qvel[0]})


def two_of_a_name(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    return Step(0.0, sim.touching("torso", "floor"))  # here


def no_geoms(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    return Step(sim.contact_force([], "floor"))  # here


def no_thing(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    return Step(sim.object_velocity("joint", "bthigh")[0])  # here


def no_ray(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    return Step(sim.ray(action, sim.qpos[:3])[0])  # here


REMEMBERED: list[Any] = []
BOTH = True
"""Of errors that are the same where the task runs in Python."""


def out_of_a_block(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    found = []
    when(sim.qpos[0] > 3)(lambda: found.append(sim.qpos[1]))
    return Step(found[0] + 1.0)  # here


def given_by_when(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    when(sim.time >= 0)(lambda: sim.qpos[1])  # here
    return Step(0.0)


def no_rounds(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    substeps(0, sim.forward)  # here
    return Step(0.0)


def many_rounds(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    substeps(2000, lambda: until(rng.random, lambda x: x > 0.5))  # here
    return Step(0.0)


def several_conditions(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    when(action > 0)(sim.forward)  # here
    return Step(0.0)


def part_of_a_product(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    return Step(action[::2] @ sim.qpos[:3])  # here


CASES: list[tuple[Body, str, bool]] = [
    (if_, "np.where(condition, a, b) instead of `if`", False),
    (and_, "a & b instead of `a and b`", False),
    (chain, "(a < x) & (x < b) instead of", False),
    (maximum, "np.maximum(a, b) instead of max", False),
    (math_, "np.sqrt instead of math.sqrt", False),
    (in_place, "cannot be changed in place", False),
    (index, "an index that is a value is one int64", False),
    (as_array, "np.stack([x, y])", False),
    (unknown_ufunc, "np.spacing of float64 is not in the language", False),
    (unknown_function, "np.median is not in the language", False),
    (unknown_dtype, "dtype float16", False),
    (shapes, "shape mismatch", False),
    (place, "sim.qpos[:] reads what is there now", BOTH),
    (no_field, "there is no sim.position", BOTH),
    (no_body, "the model has no body 'head', only world, torso", BOTH),
    (computed, "MuJoCo computes mjData.xpos", BOTH),
    (model_in_a_step, "a step does not write the model", BOTH),
    (itself, "ep.last = ... keeps", BOTH),
    (new_name, "ep.other is new here: reset begins it", BOTH),
    (other_dtype, "ep.number is int64 of shape (), and gets float32", BOTH),
    (from_reset, "made in reset is used in step", False),
    (handed_out, "`class Broken(Cheetah):`: a value that was made in reset", False),
    (into_an_array, "np.concatenate with dtype or out is not in the language", False),
    (narrower, "np.stack with dtype or out is not in the language", False),
    (added_to, "x = x + y instead of x += y", False),
    (its_own, "Broken.step raised KeyError: 'reward'", False),
    (no_pair, "the reward's term 'speed' is ", BOTH),
    (out_of_a_block, "made in a block of when, until or substeps is used outside", False),
    (given_by_when, "a block of `when` returns something", BOTH),
    (no_rounds, "a loop has 0 rounds, expected a whole number, 1 .. 10,000", BOTH),
    (
        many_rounds,
        "loops within each other take 2,000,000 rounds, expected at most 1,000,000",
        False,
    ),
    (several_conditions, "a condition has the shape (6,), expected one bool: np.all(x)", False),
    (
        part_of_a_product,
        "numpy multiplies a part of an array in another order: x.copy() first",
        False,
    ),
    (two_of_a_name, "'torso' is a geom and a body", BOTH),
    (no_geoms, "contacts are of geoms and bodies, not of []", BOTH),
    (no_thing, "the velocity of a 'joint', expected one of body, xbody,", BOTH),
    (no_ray, "rays are of rows of three numbers, not of (6,) and (3,)", BOTH),
    (no_step, "step returned tuple, expected Step", BOTH),
]


def broken(body: Body) -> type[Task]:
    class Broken(Cheetah):
        id = f"refused/{body.__name__}-v0"

        def reset(self, sim: Any, rng: Any, ep: Any) -> Any:
            ep.number = 0
            REMEMBERED.append(sim.qpos[0])

        step = body

    return Broken


@pytest.mark.parametrize(
    ("body", "part", "both"), CASES, ids=lambda each: getattr(each, "__name__", None)
)
def test_an_error_names_the_line(body: Body, part: str, both: bool) -> None:
    lines, first = inspect.getsourcelines(body)
    here = next((first + i for i, line in enumerate(lines) if line.endswith("# here\n")), None)
    with pytest.raises(parallel_pool.ParallelPoolError) as raised:
        parallel_pool.make(broken(body))
    assert part in str(raised.value)
    assert here is None or f"test_errors.py:{here}:" in str(raised.value)
    if both:
        env = reference(broken(body))
        env.reset(seed=0)
        with pytest.raises(TaskError) as same:
            env.step(np.zeros(6, np.float32))
        assert part in str(same.value)
        assert here is None or f"test_errors.py:{here}:" in str(same.value)


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ({"ctrl_cost_weight": "much"}, "option 'ctrl_cost_weight' is 'much', expected a number"),
        ({"ctrl_cost": 1}, "has no option 'ctrl_cost'"),
        ({"env_options": [{}, {"ctrl_cost_weight": True}]}, "environment 1: option 'ctrl_cost_w"),
    ],
)
def test_options_are_refused(options: dict[str, Any], part: str) -> None:
    with pytest.raises(ValueError, match="ctrl_cost") as raised:
        parallel_pool.make(Cheetah, **options)
    assert part in str(raised.value)


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
    ],
)
def test_classes_are_refused(attributes: dict[str, Any], part: str) -> None:
    with pytest.raises(ValueError, match=r"\w") as raised:
        parallel_pool.make(type("Wrong", (Cheetah,), attributes))
    assert part in str(raised.value)


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


def structure(sim: Any) -> None:
    sim.model.geom_condim[0] = 3  # here


def derived(sim: Any) -> None:
    sim.model.body("torso").subtreemass = 3.0  # here


def time_step(sim: Any) -> None:
    sim.model.opt.timestep = 0.1  # here


def no_such_place(sim: Any) -> None:
    sim.model.geom("floor").friction[3] = 0.1  # here


def other_shape(sim: Any) -> None:
    sim.model.body_mass[:] = sim.model.geom_friction  # here


def behind_constants(sim: Any) -> None:
    sim.set_const()
    sim.model.dof_damping[0] = 0.1  # here


def lost(sim: Any) -> None:
    sim.qpos[0] = 3.0
    sim.set_const()  # here


def in_a_block(sim: Any) -> None:
    when(sim.time < 3)(sim.set_const)  # here


@pytest.mark.parametrize(
    ("body", "part", "both"),
    [
        (structure, "sim.model.geom_condim is none of the numbers", BOTH),
        (derived, "sim.model.subtreemass is none of the numbers", BOTH),
        (time_step, "sim.model.opt.timestep is none of the numbers", BOTH),
        (no_such_place, "sim.model.friction has the shape (3,): index 3", BOTH),
        (other_shape, "", BOTH),
        (behind_constants, "the model is written before sim.set_const()", BOTH),
        (lost, "sim.set_const() begins with a new mjData", BOTH),
        (in_a_block, "sim.set_const() is for no block", False),
    ],
)
def test_errors_of_models(body: Callable[[Any], None], part: str, both: bool) -> None:
    lines, first = inspect.getsourcelines(body)
    here = next(first + i for i, line in enumerate(lines) if line.endswith("# here\n"))

    class Wrong(Cheetah):
        id = "refused/Model-v0"

        def reset(self, sim: Any, rng: Any, ep: Any) -> None:
            body(sim)

    with pytest.raises(parallel_pool.ParallelPoolError) as raised:
        parallel_pool.make(Wrong)
    assert part in str(raised.value) and f"test_errors.py:{here}:" in str(raised.value)
    if both:
        with pytest.raises((TaskError, ValueError)) as same:
            reference(Wrong)
        assert part in str(same.value)


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


def beyond(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    ep.number = ep.number + 2
    return Step(lookup([1.0, 2.0, 3.0, 4.0], ep.number))  # here


def endless(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    ep.number = ep.number + 1
    until(rng.random, lambda x: (x > 2) | (ep.number < 2), limit=7)  # here
    return Step(0.0)


def too_early(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    ep.number = ep.number + 1
    when(ep.number < 2)(sim.forward)
    return Step(sim.n_contacts())  # here


def no_forces(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    ep.number = ep.number + 1
    sim.step1()
    when(ep.number < 2)(sim.forward)
    return Step(sim.contact_force("floor"))  # here


@pytest.mark.parametrize(
    ("body", "part"),
    [
        (too_early, r"this is of the last sim.step\(\) or sim.forward\(\), and none came"),
        (no_forces, "mj_step1, which comes last in control_step, computes no forces"),
        (beyond, "index 4 is out of bounds for axis 0 with size 4"),
        (endless, "nothing was accepted in 7 tries"),
    ],
)
def test_errors_of_the_second_step(body: Body, part: str) -> None:
    """They are of the numbers, so of the environment, and name the line."""
    lines, first = inspect.getsourcelines(body)
    here = next(first + i for i, line in enumerate(lines) if line.endswith("# here\n"))
    action = np.zeros((1, 6), np.float32)
    with parallel_pool.make(broken(body)) as pool:
        pool.reset(seed=0)
        pool.step(action)
        with pytest.raises(parallel_pool.EnvError, match=part) as raised:
            pool.step(action)
    assert f"test_errors.py:{here}: " in str(raised.value)
    env = reference(broken(body))
    env.reset(seed=0)
    env.step(action[0])
    with pytest.raises((TaskError, IndexError), match=part):
        env.step(action[0])


def no_root(self: Any, sim: Any, action: Any, rng: Any, ep: Any) -> Any:
    ep.number = ep.number + 1
    root = np.sqrt(np.stack([ep.number, 1.5 - ep.number]))  # here
    return Step(np.where(root[1] > 0, root[1], 0.0))


def test_the_first_nan_is_an_error_where_it_is_asked_for() -> None:
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
