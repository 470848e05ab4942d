"""Films have a camera of the model, one that moves."""

import mujoco
import pytest
from parallel_pool_dmc._envs import FILM_CAMERAS
from parallel_pool_dmc._models import compiled
from parallel_pool_dmc._tasks import TASKS

MOVING = (mujoco.mjtCamLight.mjCAMLIGHT_TRACK.value, mujoco.mjtCamLight.mjCAMLIGHT_TRACKCOM.value)


@pytest.mark.parametrize("domain", FILM_CAMERAS)
def test_a_camera_that_goes_along(domain: str) -> None:
    name = next(task.name for task in TASKS if task.domain == domain)
    model = compiled(domain, name, (("n_links", 6),) if domain == "swimmer" else ())
    number = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_CAMERA, FILM_CAMERAS[domain])
    assert number >= 0
    assert model.cam_mode[number] in MOVING
