"""model_overrides: what assigning to `env.unwrapped.model` and mj_setConst do in Gymnasium."""

import re
from operator import attrgetter
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import parallel_pool
import pytest
from derived_model import compiled
from mujoco_originals import reference
from parallel_pool import OptionError
from parallel_pool.testing import play_beside
from parallel_pool_mujoco.sdk import MujocoError, overridden
from parallel_pool_mujoco.sdk.changeable import CHANGEABLE
from parallel_pool_mujoco.sdk.derived import derived_members
from test_envs import override_fuzz

OVERRIDES: list[tuple[str, dict[str, Any]]] = [
    ("Hopper-v5", {"opt.gravity": [0.0, 0.5, -3.7]}),
    ("Ant-v5", {"body_mass": np.linspace(0.1, 2, 14), "opt.timestep": 0.005}),
    ("Walker2d-v5", {"geom_friction": 0.3, "dof_damping": np.full(9, 0.2), "opt.iterations": 7}),
    ("Humanoid-v5", {"actuator_gear": np.random.default_rng(0).uniform(0, 50, (17, 6))}),
]


def assign(model: Any, overrides: dict[str, Any]) -> None:
    for path, value in overrides.items():
        parent, _, name = path.rpartition(".")
        owner = attrgetter(parent)(model) if parent else model
        if isinstance(getattr(owner, name), np.ndarray):
            getattr(owner, name)[...] = value
        else:
            setattr(owner, name, value)
    mujoco.mj_setConst(model, mujoco.MjData(model))


def assigned(task_id: str, overrides: dict[str, Any]) -> Any:
    """Gymnasium's environment with these assignments."""
    env = reference(task_id)
    assign(env.unwrapped.model, overrides)  # type: ignore[attr-defined]
    return env


@pytest.mark.parametrize(("task_id", "overrides"), OVERRIDES)
def test_equal_to_gymnasium_with_the_same_assignments(
    task_id: str, overrides: dict[str, Any]
) -> None:
    with parallel_pool.make(task_id, model_overrides=overrides) as pool:
        play_beside(pool, lambda: assigned(task_id, overrides), seed=3, steps=40)


def test_environments_of_one_pool_may_differ() -> None:
    """Domain randomisation: each environment is Gymnasium's with its own assignments."""
    draw = np.random.default_rng(0)
    each = [
        {"opt.gravity": [0, 0, -9.81 * scale], "geom_friction": float(scale)}
        for scale in draw.uniform(0.5, 2, 6)
    ]
    each[3] = {}
    theirs = (assigned("Walker2d-v5", overrides) for overrides in each)
    rows = [{"model_overrides": overrides} for overrides in each]
    with parallel_pool.make("Walker2d-v5", env_options=rows, num_threads=2) as pool:
        assert not play_beside(pool, lambda: next(theirs), seed=1, steps=8).ended.any()
        assert len(np.unique(pool.read_array("mjmodel_address"))) == 6
    with parallel_pool.make("Walker2d-v5", num_envs=6) as pool:
        pool.reset()
        assert len(np.unique(pool.read_array("mjmodel_address"))) == 1
    with pytest.raises(OptionError, match=r"environment 1: model_overrides: .*'body_mas'"):
        parallel_pool.make("Hopper-v5", env_options=[{}, {"model_overrides": {"body_mas": 1}}])


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"body_mas": 1}, "no numbers 'body_mas'. Did you mean 'body_mass'"),
        ({"opt.gravty": 1}, "Did you mean 'opt.gravity'"),
        ({"nq": 3}, "'nq' cannot be changed: it is structure of the model"),
        ({"eq_data": 1}, "'eq_data' cannot be changed: it is structure of the model, or nothing"),
        ({"dof_M0": 1}, "'dof_M0' cannot be changed: MuJoCo derives it from other members"),
        ({"_address": 1}, "no numbers '_address'"),
        ({"opt.__class__": 1}, "no numbers"),
        ({"opt.cone": 99}, r"\['opt.cone'\] has 99.0, expected a number of mjtCone"),
        ({"opt.cone": -1}, "expected a number of mjtCone"),
        ({"opt.integrator": 77}, "expected a number of mjtIntegrator"),
        ({"opt.disableflags": 2**31}, "expected flags of mjtDisableBit, added up"),
        ({"opt.timestep": 0}, "0.0, expected seconds from 1e-05 to 1"),
        ({"opt.iterations": 10**6}, "expected a number from 0 to 1000"),
        ({"opt.iterations": 1.5}, "a fraction"),
        ({"opt.gravity": 1e300}, "expected numbers up to 1e"),
        ({"body_mass": [1, 2]}, r"\['body_mass'\] has shape \(2,\), expected \(5,\)"),
        ({"body_mass": [0, 1, -2, 1, 1]}, r"-2.0 at \[2\], expected a number from 0 on"),
        ({"body_mass": "heavy"}, r"\['body_mass'\] has 'heavy', expected numbers"),
        ({"body_mass": "3"}, "has '3', expected numbers"),
        ({"body_mass": True}, "has True, expected numbers"),
        ({"body_mass": None}, "has None, expected numbers"),
        ({"body_mass": float("nan")}, "not finite"),
        ({"body_mass": 10**400}, r"\['body_mass'\] has"),
        ({"body_quat": 1}, "expected rows of length 1"),
        ({"body_inertia": [[0, 0, 0], *[[1, 1, 3]] * 4]}, "none above the sum of the others"),
        ({"geom_condim": 2}, "expected 1, 3, 4 or 6"),
        ({"geom_solref": [[-1, 1]] * 5}, "expected two numbers above 0, or two that are not"),
        ({"geom_solimp": 7}, "expected dmin, dmax"),
        ({"jnt_range": [[1, -1]] * 6}, "expected the lower and the upper number"),
        ({"tendon_stiffness": 1}, "the model has none of these"),
        ({"opt.timestep": object()}, "expected numbers by member"),
        ({"body_mass": np.zeros(10**7)}, "expected numbers by member"),
        ({1: 2}, "expected numbers by member"),
        ([1, 2], "model_overrides"),
        ("[" * 10**5, "expected a dict or one as JSON"),
    ],
)
def test_refusals(overrides: Any, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        parallel_pool.make("Hopper-v5", model_overrides=overrides)


@pytest.mark.parametrize(
    ("written", "overrides"),
    [
        ({"mass": 5}, {"body_mass": [0, 5, None]}),
        ({"inertia": 3}, {"body_inertia": [[0] * 3, [3] * 3, None]}),
        ({"armature": 2}, {"dof_armature": [2, 0, 0, 0, 0]}),
        ({"height": 3}, {"body_pos": [[0] * 3, [0, 0, 3], None]}),
        (
            {"offset": 0.2},
            {"body_ipos": [[0] * 3, [0, 0, 0.2], None], "site_pos": [[0, 0, 0.2], [0] * 3]},
        ),
        ({"along": 0.7}, {"geom_pos": [None, [0.7, 0, 0], None, None]}),
        ({"size": "0.2 0.5"}, {"geom_size": [None, [0.2, 0.5, 0], None, None]}),
        (
            {"shape": "cylinder", "size": "0.2 0.5"},
            {"geom_size": [None, [0.2, 0.5, 0], None, None]},
        ),
        ({"shape": "sphere", "size": "0.3"}, {"geom_size": [None, [0.3, 0, 0], None, None]}),
        ({"shape": "box", "size": ".3 .4 .5"}, {"geom_size": [None, [0.3, 0.4, 0.5], None, None]}),
        (
            {"shape": "ellipsoid", "size": ".3 .4 .5"},
            {"geom_size": [None, [0.3, 0.4, 0.5], None, None]},
        ),
        ({"margin": 0.3}, {"geom_margin": [0, 0.3, 0, 0]}),
    ],
)
def test_what_is_derived_is_what_the_compiler_derives(
    written: dict[str, Any], overrides: dict[str, list[Any]]
) -> None:
    """None in a list: as it was. Every array of the two models agrees."""
    shape = written.get("shape", "capsule")
    size = {"sphere": "0.1", "box": ".1 .2 .3", "ellipsoid": ".1 .2 .3"}.get(shape, "0.1 0.2")
    plain = compiled(shape=shape, size=size)
    expected = compiled(**written)
    given = {
        name: [
            new if new is not None else old
            for new, old in zip(value, getattr(plain, name), strict=True)
        ]
        for name, value in overrides.items()
    }
    found = overridden(plain, given)
    for name in arrays(plain):
        if name.startswith("bvh") and not np.array_equal(found.bvh_nodeid, expected.bvh_nodeid):
            continue  # the trees of boxes are balanced in another way
        np.testing.assert_allclose(
            getattr(found, name), getattr(expected, name), rtol=1e-9, atol=1e-12, err_msg=name
        )
    assert found.stat.extent == expected.stat.extent == 7  # the author's


def arrays(model: Any) -> list[str]:
    return [name for name in dir(model) if isinstance(getattr(model, name), np.ndarray)]


def test_no_index_can_be_changed() -> None:
    """Of all members that MuJoCo's package shows; integers only within what the table lists."""
    model = compiled()
    for path in override_fuzz.members(model):
        held = override_fuzz.held(model, path)
        if not isinstance(held, (bool, int, float, np.ndarray)):
            continue
        if path not in CHANGEABLE:
            with pytest.raises(MujocoError, match=r"cannot be changed|no numbers '.*_"):
                overridden(model, {path: held})
        elif np.asarray(held).dtype.kind != "f":
            for number in (-1, 2**31, -(2**31), 0.5):
                with pytest.raises(MujocoError, match=r"model_overrides\["):
                    overridden(model, {path: number})
    # Floats that hold indices, or decide sizes of buffers.
    assert not CHANGEABLE.keys() & {"eq_data", "wrap_prm", "actuator_delay", "sensor_delay"}
    assert not CHANGEABLE.keys() & derived_members()


def test_parameters_that_decide_where_a_state_is_stay() -> None:
    """Those of a DC motor: what is 0 has no state. Older versions of MuJoCo have none."""
    text = """<mujoco><worldbody><body><joint name="j" axis="0 1 0"/><geom size=".1"/></body></worldbody>
        <actuator><dcmotor joint="j"/><position joint="j" kp="3"/></actuator></mujoco>"""
    try:
        model = mujoco.MjModel.from_xml_string(text)
    except ValueError:
        return
    with pytest.raises(MujocoError, match="an actuator that has no state but an activation"):
        overridden(model, {"actuator_dynprm": np.ones_like(model.actuator_dynprm)})
    given = model.actuator_gainprm.copy()
    given[1, 0] = 5
    assert overridden(model, {"actuator_gainprm": given}).actuator_gainprm[1, 0] == 5


def test_simple_bodies_keep_their_frames() -> None:
    text = "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    model = mujoco.MjModel.from_xml_string(text)
    with pytest.raises(MujocoError, match="frames of body 1, which MuJoCo has compiled as simple"):
        overridden(model, {"body_ipos": [[0, 0, 0], [0.1, 0, 0]]})
    overridden(model, {"body_mass": 3, "body_pos": 2})


def test_an_inertia_that_cannot_be_inverted_is_refused(capfd: pytest.CaptureFixture[str]) -> None:
    model = compiled()
    with pytest.raises(MujocoError, match="no matrix that MuJoCo can invert"):
        overridden(model, {"jnt_pos": 1e9})
    assert not capfd.readouterr().out


def test_the_page_lists_what_may_be_changed() -> None:
    page = (Path(__file__).parents[3] / "docs" / "mujoco.md").read_text()
    table = page.partition("## Model overrides")[2].partition("Numbers are at most")[0]
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    listed = [name for cell in cells for name in re.findall("`([^`]+)`", cell)]
    assert len(listed) == len(set(listed)) and set(listed) == set(CHANGEABLE)


MANY = ("HalfCheetah-v5", "Humanoid-v5", "Pusher-v5", "Swimmer-v5")


@pytest.mark.parametrize(
    ("task_id", "seed", "count"),
    [
        *((each, 1, 200) for each in MANY[:2]),
        *(pytest.param(each, 2, 1250, marks=pytest.mark.slow) for each in MANY),
    ],
)
def test_hostile_overrides(task_id: str, seed: int, count: int) -> None:
    ends = override_fuzz.fuzz(task_id, seed=seed, count=count)
    assert ends["refused"] > count // 2 and ends["played"] > count // 40, ends
