"""The units of actions are the gears of the models' actuators, and films have a camera of the model."""

from pathlib import Path

import parallel_pool
import pytest
from gymnasium.envs import mujoco as theirs
from parallel_pool_mujoco._about import about
from parallel_pool_mujoco._envs import envs
from parallel_pool_mujoco.sdk import compile_file


@pytest.mark.parametrize("spec", list(envs()), ids=lambda spec: spec.id)
def test_units_of_actions(
    spec: parallel_pool.EnvSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # MuJoCo's compiler writes a log of warnings
    folder = f"{theirs.__path__[0]}/assets"
    model = compile_file(f"{folder}/{spec.options['xml_file']}")
    found = about(spec)
    assert found is not None
    assert [int(part.unit.split()[0]) for part in found.action] == model.actuator_gear[
        :, 0
    ].tolist()
    cameras = {model.camera(number).name for number in range(model.ncam)}
    assert spec.film_camera in {*cameras, None}
    assert spec.film_camera == ("track" if "track" in cameras else None)
