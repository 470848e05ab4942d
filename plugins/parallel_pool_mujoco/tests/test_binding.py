"""The table of MuJoCo's functions and members: found for this version, refused where it is not true."""

import ctypes
import hashlib
import importlib.util
import itertools
from pathlib import Path
from typing import Any

import mujoco
import pytest
from parallel_pool_mujoco.sdk import (
    MujocoError,
    binding,
    get_include,
    hand_over,
    models,
    overridden,
    verify,
)
from parallel_pool_mujoco.sdk.layout import Layouts

BINDING = "1161ee93d7ec99efdde0060e5092822bcedd9700f69d49829160415616a189bd"
"""The digest of version 0.1 of binding.h."""


@pytest.fixture(scope="module")
def members() -> dict[str, Any]:
    layouts = Layouts()
    return {struct: list(layouts.members(struct)) for struct in ("mjModel", "mjData")}


def test_the_installed_mujoco_is_as_it_declares_itself(members: dict[str, Any]) -> None:
    assert verify.mismatch(members) is None
    assert binding.binding_address() == binding.binding_address()


def test_the_header_is_that_of_this_version() -> None:
    """Libraries of other wheels were compiled with it: a change breaks them, unless the version knows of it."""
    header = Path(get_include(), "parallel_pool_mujoco/binding.h").read_bytes()
    assert hashlib.sha256(header).hexdigest() == BINDING


@pytest.mark.parametrize("struct", ["mjModel", "mjData"])
def test_a_shift_anywhere_is_found(members: dict[str, Any], struct: str) -> None:
    """As if a release had put a member somewhere and not said so."""
    listed = members[struct]
    for place in range(0, len(listed) - 60, 12):
        shifted = [
            each._replace(offset=each.offset + (8 if number >= place else 0))
            for number, each in enumerate(listed)
        ]
        said = verify.mismatch({**members, struct: shifted})
        assert said is not None and said.startswith(struct), place


def test_the_profiler_has_a_clock_only_if_it_is_the_users() -> None:
    """Steps of MuJoCo work all the same, and one that is set later is asked."""
    library = binding.mujoco_library()
    clock = ctypes.c_void_p.in_dll(library, "mjcb_time")
    assert not clock.value
    model = mujoco.MjModel.from_xml_string(
        "<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>"
    )
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data)
    assert data.timer[mujoco.mjtTimer.mjTIMER_STEP].duration == 0
    seconds = itertools.count(1.0)
    mujoco.set_mjcb_time(lambda: next(seconds))
    try:
        binding._stop_clock(mujoco, library)
        mujoco.mj_step(model, data)
    finally:
        mujoco.set_mjcb_time(None)
        binding._stop_clock(mujoco, library)
    assert next(seconds) > 2 and data.timer[mujoco.mjtTimer.mjTIMER_STEP].duration > 0


def test_too_few_comparisons_prove_nothing(members: dict[str, Any]) -> None:
    assert "could be compared" in (verify.mismatch({**members, "mjData": []}) or "")


def test_a_mujoco_that_lies_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binding, "_table", None)
    monkeypatch.setattr(
        binding, "mismatch", lambda members: "mjData.qpos is not where it should be"
    )
    with pytest.raises(MujocoError, match=r"mujoco \d.*: mjData.qpos is not.*pip install"):
        binding.binding_address()


def test_a_mujoco_of_another_form_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(self: Any, struct: str) -> Any:
        raise KeyError("mjtQuaternion")

    monkeypatch.setattr(binding, "_table", None)
    monkeypatch.setattr(Layouts, "members", unknown)
    with pytest.raises(MujocoError, match=r"does not know.*mjtQuaternion.*pip install --upgrade"):
        binding.binding_address()


def test_an_old_or_missing_mujoco_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mujoco, "__version__", "3.5.9")
    with pytest.raises(MujocoError, match=r"mujoco 3.5.9 is too old: run `pip install"):
        binding.require_mujoco()
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MujocoError, match=r"is not installed: run `pip install"):
        binding.require_mujoco()


def ball(mass: float) -> Any:
    return mujoco.MjModel.from_xml_string(
        f"<mujoco><worldbody><body><freejoint/><geom size='1' mass='{mass}'/></body></worldbody></mujoco>"
    )


def test_equal_models_are_handed_over_once() -> None:
    first = hand_over(ball(1), "a ball")
    assert hand_over(ball(1), "another") == first
    assert hand_over(ball(2), "heavy") != first
    assert hand_over(overridden(ball(1), {"body_mass": [0, 2]}), "edited") != first


def test_models_are_let_go_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "KEPT", 3)
    monkeypatch.setattr(models, "KEPT_SECONDS", 1e9)
    for mass in range(10, 20):
        hand_over(ball(mass), "ball")
    assert len(models._models.here.kept) >= 10  # too young to go
    monkeypatch.setattr(models, "KEPT_SECONDS", -1.0)
    kept = next(iter(models._models.here.kept.values()))
    hand_over(ball(20), "ball")
    assert len(models._models.here.kept) == 3
    assert kept.handle.model is None
    # Handed over again, it gets a new handle.
    assert hand_over(ball(10), "ball") != 0
