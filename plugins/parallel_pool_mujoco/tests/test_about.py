"""The units of actions are the gears of the models' actuators."""

import warnings

import parallel_pool
import pytest
from gymnasium.envs import mujoco as theirs
from parallel_pool_mujoco._about import about
from parallel_pool_mujoco._envs import envs

mujoco = pytest.importorskip("mujoco")


@pytest.mark.parametrize("spec", list(envs()), ids=lambda spec: spec.id)
def test_units_of_actions(spec: parallel_pool.EnvSpec) -> None:
    folder = f"{theirs.__path__[0]}/assets"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = mujoco.MjModel.from_xml_path(f"{folder}/{spec.options['xml_file']}")
    found = about(spec)
    assert found is not None
    assert [int(part.unit.split()[0]) for part in found.action] == model.actuator_gear[
        :, 0
    ].tolist()
