"""The plugins on the page "MuJoCo" compile as they stand, without MuJoCo's headers, and work."""

import re
from pathlib import Path

import numpy as np
import parallel_pool
import pytest
from parallel_pool import _core
from parallel_pool.registry import hooks, registry
from parallel_pool_mujoco.sdk import compile_file, get_include, hand_over
from test_envs.compiling import compile_plugin
from test_envs.programs import python

PAGE = Path(__file__).parents[3] / "docs" / "mujoco.md"
MODEL = """
<mujoco><worldbody><body><joint name="up" type="slide"/><geom size="0.1" mass="1"/></body></worldbody>
<actuator><motor joint="up" ctrlrange="0 20"/></actuator></mujoco>
"""


def file_on_the_page(name: str) -> str:
    """A block of code whose first line says that it is this file."""
    for block in re.findall(r"```\w+\n(.*?)```", PAGE.read_text(), re.DOTALL):
        if re.match(rf"\W+[\w/]*\b{re.escape(name)}\b", block):
            return str(block)
    raise AssertionError(f"no {name} in {PAGE.name}")


def compiled(source: str, folder: Path) -> Path:
    path = folder / source
    path.write_text(file_on_the_page(source))
    flags = ["-ffp-contract=off", f"-I{get_include()}"]
    return compile_plugin(path, path.with_suffix(".so"), flags=flags)


def test_the_plugin_of_the_page_works(tmp_path: Path) -> None:
    library = compiled("drop.cpp", tmp_path)
    (tmp_path / "drop.xml").write_text(MODEL)

    model = hand_over(compile_file(tmp_path / "drop.xml"), "drop.xml")
    parallel_pool.register(parallel_pool.EnvSpec("drop/Drop-v0"), library=library)
    with (
        parallel_pool.make("drop/Drop-v0", num_envs=3, model=model, seed=1) as envs,
        # Beside another library that has the same header compiled in, and handlers of its own.
        parallel_pool.make("Hopper-v5", seed=1) as others,
    ):
        obs, _ = envs.reset()
        others.reset()
        assert (obs[:, 0] >= 1).all()
        state = envs.get_state()
        falling = [envs.step(np.zeros((3, 1)))[0] for _ in range(30)]
        others.step(np.zeros((1, 3)))
        assert (falling[-1][:, 1] < -0.4).all()
        np.testing.assert_array_equal(envs.read_array("qvel")[:, 0], falling[-1][:, 1])
        envs.set_state(None, state)
        for wanted in falling:
            np.testing.assert_array_equal(envs.step(np.zeros((3, 1)))[0], wanted)


SWING = """
import mujoco, numpy as np, parallel_pool, pytest
from parallel_pool_swing._plugin import MODEL

model = mujoco.MjModel.from_xml_path(str(MODEL))
model.opt.gravity[:] = 0, 0, -3
data = mujoco.MjData(model)
draw = np.random.default_rng(1)
data.qpos[0] = draw.uniform(-3, 3)
mujoco.mj_forward(model, data)
with parallel_pool.make("swing/Pendulum-v0", seed=1, frame_skip=2, frame_stack=2, obs_dtype="float32",
                        model_overrides={"opt.gravity": [0, 0, -3]}) as envs:
    obs, _ = envs.reset()
    for torque in np.linspace(-2, 2, 50, dtype=np.float32):
        angle = data.qpos[0]
        expected = np.array([np.cos(angle), np.sin(angle), data.qvel[0]], np.float32)
        assert obs.dtype == np.float32 and obs.shape == (1, 2, 3)
        np.testing.assert_array_equal(obs[0, 1], expected)
        data.ctrl[0] = torque
        mujoco.mj_step(model, data, 2)
        obs, reward, terminated, truncated, info = envs.step(np.array([[torque]]))
        assert reward[0] == np.cos(data.qpos[0]) - 0.001 * float(torque) ** 2
        assert not (terminated | truncated).any() and info["mujoco_warning"] == [0]
    np.testing.assert_array_equal(envs.read_array("qpos"), [data.qpos])
for options in ({"model_overrides": {"opt.wind": [0, 0, "x"]}}, {"visual_options": {99: True}},
                {"on_warning": "?"}):
    with pytest.raises(parallel_pool.OptionError, match="swing/Pendulum-v0"):
        parallel_pool.make("swing/Pendulum-v0", **options)
"""


@pytest.fixture(scope="module")
def swing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for PYTHONPATH where the family of the page counts as installed."""
    root = tmp_path_factory.mktemp("swing")
    package, metadata = root / "parallel_pool_swing", root / "parallel_pool_swing-0.0.0.dist-info"
    package.mkdir()
    metadata.mkdir()
    (package / "__init__.py").touch()
    for name in ("_plugin.py", "pendulum.xml"):
        (package / name).write_text(file_on_the_page(f"parallel_pool_swing/{name}"))
    compiled("swing.cpp", package)
    (metadata / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: parallel-pool-swing\nVersion: 0.0.0\n"
    )
    (metadata / "entry_points.txt").write_text(
        "[parallel_pool]\nswing = parallel_pool_swing._plugin\n"
    )
    return root


@pytest.mark.slow  # compiles; test_new_robot.py has another family of these parts
def test_a_family_of_the_sdks_parts_is_mujoco_step_by_step(swing: Path) -> None:
    python("-c", SWING, PYTHONPATH=str(swing))


def test_without_a_model_the_message_says_who_sets_it() -> None:
    library = _core.Plugin(str(hooks.library_path(registry().plugin("mujoco"))))
    with pytest.raises(
        ValueError, match="'model' holds no model: the plugin's Python side sets it"
    ):
        library.describe("mujoco/Hopper-v5", {})
