"""How pictures look: Gymnasium's arguments for it, from what users write to what its renderer takes.

In between they are texts: options of the library, so that `parallel-pool info` lists them and environments
of one pool may differ in them. The library itself looks at none of them.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import json
import re
from collections.abc import Mapping
from numbers import Integral
from typing import Any

from parallel_pool.errors import OptionError
from parallel_pool.plugin_api import EnvSpec

NAMES = ("render_quality", "default_camera_config", "max_geom", "visual_options")
_COMMON = {
    "width": "render_width",
    "height": "render_height",
    "camera_id": "render_camera_id",
    "camera_name": "render_camera_name",
}
"""Gymnasium's name to ours."""
_FREE = -2
"""A render_camera_id; Gymnasium's camera_id says -1."""
_NOT_DRAWN = (
    "mjVIS_JOINT",
    "mjVIS_CONTACTPOINT",
    "mjVIS_CONTACTFORCE",
    "mjVIS_CONTACTSPLIT",
    "mjVIS_CONSTRAINT",
    "mjVIS_ISLAND",
)
"""They show constraints, which are not in the part of mjData that is copied; joints change colour at limits."""


def renamed(spec: EnvSpec, options: dict[str, Any]) -> dict[str, Any]:
    """Gymnasium's names, and None as it means it; dicts as texts. Raises OptionError."""
    for theirs, ours in _COMMON.items():
        if theirs in options:
            value = options.pop(theirs)
            if theirs == "camera_id" and isinstance(value, Integral) and value == -1:
                value = _FREE
            if value is not None:
                options[ours] = value
    for name in ("default_camera_config", "visual_options"):
        value = options.get(name)
        if value is None:
            options.pop(name, None)
        elif isinstance(value, Mapping):
            try:
                plain = {_key(key): _plain(each) for key, each in value.items()}
                options[name] = json.dumps(plain, sort_keys=True) if plain else ""
            except TypeError:
                raise OptionError(
                    f"{spec.id}: {name} is {value!r}, expected {_EXPECTED[name]}"
                ) from None
    return options


_EXPECTED = {
    "default_camera_config": "attributes of MuJoCo's MjvCamera, such as {'distance': 4.0}",
    "visual_options": "flags of MuJoCo's mjtVisFlag by number, such as {10: True}",
}


def check(spec: EnvSpec, options: Mapping[str, Any]) -> None:
    """Raises OptionError for what the installed MuJoCo does not know."""
    import mujoco

    config = _read(spec, "default_camera_config", options)
    known = {name for name in dir(mujoco.MjvCamera) if not name.startswith("_")}
    for name, value in config.items():
        if name not in known:
            raise OptionError(
                f"{spec.id}: default_camera_config has {name!r}, but MuJoCo's cameras have only "
                f"{sorted(known)}"
            )
        numbers = value if isinstance(value, list) else [value]
        if len(numbers) != (3 if name == "lookat" else 1) or not all(
            isinstance(each, (int, float)) for each in numbers
        ):
            expected = "three numbers" if name == "lookat" else "a number"
            raise OptionError(
                f"{spec.id}: default_camera_config has {name!r}: {value!r}, expected {expected}"
            )
    flags = mujoco.mjtVisFlag
    for number, value in _read(spec, "visual_options", options).items():
        if not number.isdecimal() or int(number) >= int(flags.mjNVISFLAG):
            raise OptionError(
                f"{spec.id}: visual_options has {number!r}, expected numbers of mjtVisFlag: 0 .. "
                f"{int(flags.mjNVISFLAG) - 1}"
            )
        name = flags(int(number)).name
        if value and name in _NOT_DRAWN:
            raise OptionError(
                f"{spec.id}: visual_options has {number} ({name}), which cannot be drawn from outside of "
                "the simulation; leave it out"
            )


def camera_config(options: Mapping[str, Any]) -> dict[str, Any]:
    """As Gymnasium takes it; empty: the original's."""
    import numpy as np

    config = json.loads(options.get("default_camera_config") or "{}")
    # It copies arrays and assigns all else.
    return {
        name: np.array(value) if isinstance(value, list) else value
        for name, value in config.items()
    }


def visual_options(options: Mapping[str, Any]) -> dict[int, bool]:
    """As Gymnasium takes it."""
    flags = json.loads(options.get("visual_options") or "{}")
    return {int(number): bool(value) for number, value in flags.items()}


@functools.cache
def original_camera(spec: EnvSpec) -> Any:
    """Where the camera of the original stands: it is written in its class, or beside it."""
    name, _, version = spec.id.removeprefix("mujoco/").rpartition("-")
    version = version if version == "v5" else "v4"
    stem = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
    stem = {"humanoid_standup": "humanoidstandup"}.get(stem, stem)
    try:
        module = importlib.import_module(f"gymnasium.envs.mujoco.{stem}_{version}")
        original = getattr(module, f"{name}Env")
    except (ImportError, AttributeError):
        return None  # a Gymnasium without this version; its camera is MuJoCo's
    parameter = inspect.signature(original.__init__).parameters.get("default_camera_config")
    if parameter is not None:
        return parameter.default
    return getattr(module, "DEFAULT_CAMERA_CONFIG", None)


def _read(spec: EnvSpec, name: str, options: Mapping[str, Any]) -> dict[str, Any]:
    text = options.get(name) or "{}"
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise OptionError(f"{spec.id}: {name} is {text!r}, expected {_EXPECTED[name]}")
    return value


def _key(key: Any) -> str:
    return key if isinstance(key, str) else str(int(key))


def _plain(value: Any) -> Any:
    if isinstance(value, (str, bool, int, float)):
        return value
    return value.tolist() if hasattr(value, "tolist") else [float(each) for each in value]
