"""What is said of joints, actuators and cameras is so in dm_control's models."""

import pytest
from dm_control import suite
from dm_control.mujoco.wrapper.mjbindings import enums
from parallel_pool_dmc._about.bodies import ACTUATORS, JOINTS
from parallel_pool_dmc._envs import FILM_CAMERAS
from parallel_pool_dmc._models import compiled

TASKS = {domain: task for domain, task in reversed(suite.ALL_TASKS)}
"""One of each domain."""


@pytest.mark.parametrize("domain", sorted(JOINTS))
def test_names_of_joints(domain: str) -> None:
    model = compiled(domain, TASKS[domain])
    root = ("rootx", "rootz", "rooty")
    hinges = [
        model.joint(number).name
        for number in range(model.njnt)
        if model.jnt_type[number] == enums.mjtJoint.mjJNT_HINGE
        and model.joint(number).name not in root
    ]
    if domain in ("manipulator", "stacker"):  # observations have an order of their own
        assert sorted(JOINTS[domain]) == sorted(hinges[:8])
        module = getattr(suite, domain)
        assert list(JOINTS[domain]) == module._ARM_JOINTS
    else:
        assert list(JOINTS[domain]) == hinges


@pytest.mark.parametrize("domain", sorted(ACTUATORS))
def test_units_of_actions(domain: str) -> None:
    model = compiled(domain, TASKS[domain])
    assert list(ACTUATORS[domain]) == [model.actuator(number).name for number in range(model.nu)]
    for number, (name, (_, unit)) in enumerate(ACTUATORS[domain].items()):
        servo = model.actuator_biastype[number] != enums.mjtBias.mjBIAS_NONE
        assert servo == (unit == "rad"), name
        if not servo:
            one = model.actuator_gear[number, 0] * model.actuator_gainprm[number, 0]
            said = float(unit.split()[0]) if unit[0].isdigit() else 1.0
            assert said == pytest.approx(one), name


@pytest.mark.parametrize("domain", FILM_CAMERAS)
def test_films_have_a_camera_that_goes_along(domain: str) -> None:
    model = compiled(domain, TASKS[domain], (("n_links", 6),) if domain == "swimmer" else ())
    modes = enums.mjtCamLight.mjCAMLIGHT_TRACK, enums.mjtCamLight.mjCAMLIGHT_TRACKCOM
    assert model.camera(FILM_CAMERAS[domain]).mode in modes
