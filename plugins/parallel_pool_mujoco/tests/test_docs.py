"""The plugin on the page "MuJoCo" compiles as it stands, without MuJoCo's headers, and works."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import numpy as np
import parallel_pool
import pytest
from parallel_pool import _core
from parallel_pool.mujoco import compile_file, hand_over
from parallel_pool.registry import registry

PAGE = Path(__file__).parents[3] / "docs" / "mujoco.md"
MODEL = """
<mujoco><worldbody><body><joint name="up" type="slide"/><geom size="0.1" mass="1"/></body></worldbody>
<actuator><motor joint="up" ctrlrange="0 20"/></actuator></mujoco>
"""


def test_the_plugin_of_the_page_works(tmp_path: Path) -> None:
    source = re.search(r"```cpp\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert source
    (tmp_path / "drop.cpp").write_text(source[1])
    (tmp_path / "drop.xml").write_text(MODEL)
    library = tmp_path / "drop.so"
    flags = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-fvisibility=hidden"]
    include = f"-I{parallel_pool.get_include()}"
    subprocess.run(["c++", *flags, include, tmp_path / "drop.cpp", "-o", library], check=True)

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


def test_without_a_model_the_message_says_who_sets_it() -> None:
    library = _core.Plugin(str(registry().library_path("mujoco")))
    with pytest.raises(
        ValueError, match="'model' holds no model: the plugin's Python side sets it"
    ):
        library.describe("mujoco/Hopper-v5", {})
