"""A model of an environment's own, which episodes change: what `model_overrides` makes of the same numbers."""

from collections.abc import Mapping
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
import parallel_pool
import pytest
from derived_model import compiled
from parallel_pool import EnvError, EnvSpec
from parallel_pool.errors import ParallelPoolError
from parallel_pool.registry import hooks
from parallel_pool_mujoco.sdk import compile_text, get_include, hand_over, overridden
from parallel_pool_mujoco.sdk.copies import SceneCopy, unpacked
from test_envs.compiling import compile_plugin
from test_envs.once import once
from test_envs.programs import python

QUADRUPED = """
<mujoco>
  <option timestep="0.005"/>
  <default><joint range="-40 40" damping="1" armature=".01"/><geom mass=".3"/></default>
  <worldbody>
    <geom type="plane" size="9 9 1"/>
    <body name="torso" pos="0 0 .4">
      <freejoint/><geom type="box" size=".3 .2 .1" mass="4"/>
      <body pos=".3 .2 0"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -.3" size=".04"/></body>
      <body pos="-.3 .2 0"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -.3" size=".04"/></body>
      <body pos=".3 -.2 0"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -.3" size=".04"/></body>
      <body pos="-.3 -.2 0"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -.3" size=".04"/></body>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.fixture(scope="module", autouse=True)
def own(shared_folder: Path) -> Path:
    flags = ["-ffp-contract=off", f"-I{get_include()}"]
    source = Path(__file__).with_name("own_model.cpp")
    library = once(shared_folder / "own.so", lambda new: compile_plugin(source, new, flags=flags))
    parallel_pool.register(EnvSpec("own_model/Own-v0"), library=library)
    return library


def pool(model: Any, **options: Any) -> Any:
    return parallel_pool.make("own_model/Own-v0", model=hand_over(model, "the test"), **options)


def model_of(envs: Any) -> dict[str, bytes]:
    """All numbers of the first environment's mjModel."""
    left, members = envs.read_array("model")[0].tobytes(), {}
    while left:
        name, _, left = left.partition(b"\0")
        end = 8 + int.from_bytes(left[:8], "little")
        members[name.decode()], left = left[8:end], left[end:]
    assert len(members) > 250
    return members


def same_steps(left: Any, right: Any, controls: int) -> None:
    for _ in range(20):
        found, expected = (each.step(np.ones((1, controls)))[0] for each in (left, right))
        np.testing.assert_array_equal(found, expected)


MEMBERS: list[tuple[str, float, dict[str, Any]]] = [
    ("body_mass", 1.7, {}),
    ("body_inertia", 2.5, {}),
    ("body_pos", 1.1, {}),
    ("body_ipos", 1.5, {}),
    ("dof_armature", 3, {}),
    ("qpos_spring", 1.0, {}),
    ("geom_friction", 0.3, {}),
    ("actuator_gainprm", 2, {}),
    ("actuator_gear", 0.5, {}),
    ("opt.gravity", 0.2, {}),
    ("tendon_stiffness", 4, {}),
    ("geom_margin", 3, {"margin": 0.1}),
    ("geom_pos", 1.2, {}),
    ("site_pos", 1.2, {"offset": 0.2}),
    ("geom_size", 1.3, {}),
    ("geom_size", 0.7, {"shape": "box", "size": ".1 .2 .3"}),
    ("geom_size", 0.7, {"shape": "cylinder"}),
    ("geom_size", 1.4, {"shape": "ellipsoid", "size": ".1 .2 .3"}),
    ("geom_size", 1.4, {"shape": "sphere", "size": ".1"}),
]


@pytest.mark.parametrize(("member", "factor", "written"), MEMBERS)
def test_equal_to_model_overrides(member: str, factor: float, written: dict[str, Any]) -> None:
    """Every number of the model, and every step: also after an episode with other numbers."""
    plain = compiled(**written)
    values = attrgetter(member)(plain) * factor
    with (
        pool(plain, member=member, values=values.ravel().tolist()) as changed,
        pool(overridden(plain, {member: values})) as built,
    ):
        found, expected = changed.reset(seed=5)[0], built.reset(seed=5)[0]
        np.testing.assert_array_equal(found, expected)
        assert model_of(changed) == model_of(built)
        same_steps(changed, built, plain.nu)


def test_states_have_the_changed_model() -> None:
    plain = compiled()
    with pool(plain, member="body_mass", seed=1) as left, pool(plain, member="body_mass") as right:
        left.reset()
        right.reset(seed=2)
        assert model_of(left) != model_of(right)
        for _ in range(5):
            left.step(np.ones((1, plain.nu)))
        right.set_state(None, left.get_state())
        assert model_of(left) == model_of(right)
        same_steps(left, right, plain.nu)


class Drawn:
    """In the place of a renderer: keeps what it is to draw from."""

    arrays = ("mjmodel_address", "mjdata_buffer", "time", "mjmodel_edits")
    own_thread = None

    def __init__(self) -> None:
        self.given: list[dict[str, Any]] = []

    def unpacked(self, scene: Any) -> Any:
        return unpacked(scene)

    def draw(self, arrays: Mapping[str, Any], options: Mapping[str, Any], into: Any = None) -> Any:
        self.given.append({name: np.copy(each) for name, each in arrays.items()})
        return into

    def check(self) -> None:
        """There is always something to keep it with."""

    def close(self) -> None:
        """Nothing is open."""


def test_pictures_are_of_the_changed_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of render(), and those that are observed."""
    plain = compiled(shape="sphere", size="0.1")
    size = plain.geom_size * 1.5
    expected = overridden(plain, {"geom_size": size})
    options = {"member": "geom_size", "values": size.ravel().tolist(), "from_pixels": True}
    observed = Drawn()
    monkeypatch.setattr(hooks, "renderer", lambda *_: observed)
    with pool(plain, **options) as envs:
        envs.reset(seed=1)
        rendered = {name: envs.read_array(name)[0] for name in Drawn.arrays}
    for given in (rendered, observed.given[-1]):
        seen = SceneCopy(compiled(shape="sphere", size="0.1"))
        seen.take(given)
        for name in ("geom_size", "geom_rbound", "geom_aabb", "bvh_aabb", "body_subtreemass"):
            np.testing.assert_array_equal(getattr(seen.model, name), getattr(expected, name))
        for name in ("extent", "meansize", "meanmass", "meaninertia"):
            assert getattr(seen.model.stat, name) == getattr(expected.stat, name)
    with (
        pool(plain, described=False, **options) as envs,
        pytest.raises(
            EnvError, match="what the task edits in its model is missing from its pictures"
        ),
    ):
        envs.reset()


def test_64_masses_are_each_alone() -> None:
    """A new mass in every episode, with all that follows from it."""
    model = compile_text(QUADRUPED)
    count, steps, limit = 64, 12, 5
    options = {"member": "body_mass", "max_episode_steps": limit, "frame_skip": 4}
    together = []
    with pool(model, num_envs=count, num_threads=2, seed=9, **options) as envs:
        obs, info = envs.reset()
        together.append((obs.copy(), info["drawn"].copy()))
        for _ in range(steps):
            obs, _, _, _, info = envs.step(np.zeros((count, 0)))
            together.append((obs.copy(), info["drawn"].copy()))
    assert len(np.unique([masses for _, masses in together])) == 3 * count
    with pool(model, **options) as alone:
        for lane in range(count):
            obs, info = alone.reset(seed=9 + lane)
            for number, (rows, masses) in enumerate(together):
                if number:
                    obs, _, _, _, info = alone.step(np.zeros((1, 0)))
                assert info["drawn"][0] == masses[lane]
                assert obs[0].tobytes() == rows[lane].tobytes(), (lane, number)


def test_a_shared_model_is_not_edited() -> None:
    for derived in (True, False):
        with pytest.raises(
            ParallelPoolError,
            match=r"mjModel.body_mass of the test is shared by all environments and cannot be edited: "
            r"give each a model of its own, Model::own\(options\)",
        ):
            pool(compiled(), member="body_mass", own=False, derived=derived)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"member": "dof_M0"}, "mjModel.dof_M0 follows from other members of the model"),
        ({"member": "no_such"}, "MuJoCo .* has no mjModel.no_such"),
        ({"member": "jnt_type"}, "mjModel.jnt_type is of type 'int"),
        ({"member": "body_mass", "derived": False}, "mjModel.body_mass of .* has 3 numbers, not 7"),
    ],
)
def test_members_that_cannot_be_edited(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ParallelPoolError, match=words):
        pool(compiled(), **options)


def test_numbers_that_mujoco_cannot_simulate_fail_one_environment() -> None:
    plain = compiled()
    rows = [{"values": [0.0, float("inf"), 1.0]}, {"values": [0.0, 2.0, 1.0]}]
    with pool(plain, member="body_mass", env_options=rows) as envs:
        for _ in range(2):
            with pytest.raises(
                EnvError, match=r"0: with this body_mass, the inertia .* not finite"
            ):
                envs.reset(seed=1)
            envs.step(np.zeros((1, plain.nu)), [1])


EVERYTHING = """
<mujoco>
  <worldbody>
    <light pos="0 0 3" mode="trackcom"/><camera mode="trackcom" pos="0 1 1"/><geom type="plane" size="1 1 1"/>
    <body gravcomp=".5" name="a" pos="0 0 1">
      <freejoint/><geom size=".1" margin=".01"/><site name="s"/>
      <camera pos="0 1 1" mode="targetbody" target="b"/><light pos="0 0 1" mode="targetbody" target="b"/>
    </body>
    <body name="b" pos="0 0 2">
      <joint type="ball"/><geom type="capsule" size=".1 .2"/><site name="t"/>
      <body pos="0 0 .4"><joint name="h" axis="0 1 0"/><geom type="box" size=".1 .2 .3"/></body>
    </body>
    <body name="c" mocap="true"/>
  </worldbody>
  <tendon>
    <spatial name="r" stiffness="3"><site site="s"/><site site="t"/></spatial>
    <fixed name="f" armature="1"><joint joint="h" coef="2"/></fixed>
  </tendon>
  <equality><tendon tendon1="r"/><connect body1="a" body2="b" anchor="0 0 0"/></equality>
  <actuator>
    <motor joint="h"/><muscle tendon="r" lengthrange="0 1"/><intvelocity joint="h" kp="3" actrange="-1 1"/>
  </actuator>
</mujoco>
"""
GUARDED = """
import sys
import parallel_pool
from parallel_pool_mujoco.sdk import compile_text, hand_over

parallel_pool.register(parallel_pool.EnvSpec("own_model/Own-v0"), library=sys.argv[1])
model = hand_over(compile_text(sys.stdin.read()), "everything")
for member in ("body_mass", "body_pos", "body_ipos", "body_gravcomp", "geom_size", "geom_margin", "site_pos",
               "cam_pos", "light_pos", "actuator_gear", "dof_armature", "tendon_armature", "qpos_spring"):
    print(member, flush=True)
    with parallel_pool.make("own_model/Own-v0", model=model, member=member, guarded=True) as envs:
        try:
            envs.reset(seed=1)
        except parallel_pool.EnvError as error:
            assert "compiled as simple" in str(error), error
print("all")
"""


def test_nothing_that_is_shared_is_written(own: Path) -> None:
    """By mj_setConst of the installed MuJoCo, which decides what it writes, and by what we add to it."""
    assert python("-c", GUARDED, own, given=EVERYTHING).endswith("all\n")
