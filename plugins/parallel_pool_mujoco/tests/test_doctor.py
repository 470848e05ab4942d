"""Lines of `parallel-pool doctor` about OpenGL."""

import pytest
from parallel_pool_mujoco.sdk import check_opengl
from test_envs.opengl import needs_opengl


@needs_opengl
def test_opengl_is_tried() -> None:
    check = check_opengl()
    assert check.ok
    assert check.advice == ""
    assert "," in check.detail  # the backend, and what draws


def test_without_opengl_there_is_a_way_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "parallel_pool_mujoco.sdk.doctor._DRAW", "import sys; sys.exit('egl: no such file')"
    )
    check = check_opengl.__wrapped__()
    assert check.ok
    assert check.detail == "none: egl: no such file"
    assert "apt-get install libegl1" in check.advice
