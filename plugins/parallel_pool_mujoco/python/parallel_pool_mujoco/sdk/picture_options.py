"""The options of pictures, from users' values to the renderer's.

In between they are texts, the values of the library's options (task/options.hpp): so `parallel-pool info`
lists them, and environments of one pool may differ in them. The library itself reads none of them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from parallel_pool.errors import OptionError
from parallel_pool.plugin_api import EnvSpec

from parallel_pool_mujoco.sdk.binding import require_mujoco

NAMES = ("render_quality", "default_camera_config", "max_geom", "visual_options")
"""The options of pictures; a library may leave out any."""
_COMMON = {
    "width": "render_width",
    "height": "render_height",
    "camera_id": "render_camera_id",
    "camera_name": "render_camera_name",
}
"""Gymnasium's name to ours."""
_FREE = -2
"""A render_camera_id; Gymnasium's camera_id says -1."""
_EXPECTED = {
    "default_camera_config": "attributes of MuJoCo's MjvCamera, such as {'distance': 4.0}",
    "visual_options": "flags of MuJoCo's mjtVisFlag by number, such as {10: True}",
}
_NOT_DRAWN = (
    "mjVIS_JOINT",
    "mjVIS_CONTACTPOINT",
    "mjVIS_CONTACTFORCE",
    "mjVIS_CONTACTSPLIT",
    "mjVIS_CONSTRAINT",
    "mjVIS_ISLAND",
)
"""They show constraints, which are not in the part of mjData that is copied; joints change colour at limits."""


@dataclass(frozen=True, slots=True)
class Looks:
    """Everything that decides how pictures of one environment look."""

    width: int
    height: int
    camera: int | str | None = None
    """The camera's number (-1: the free one) or name; None: the usual one."""
    camera_config: Mapping[str, Any] | None = None
    """Attributes of MjvCamera: numbers, `lookat` an array of three; None: the usual ones."""
    max_geom: int = 1000
    visual_options: Mapping[int, bool] | None = None
    """Flags by their numbers in mjtVisFlag; None: MuJoCo's."""
    fast: bool = False
    """No shadows, no reflections, edges not smoothed."""

    def camera_number(self, env_id: str, model: Any) -> int | None:
        """The camera as a number of the model; None: the usual one. Raises OptionError."""
        if self.camera is None:
            return None
        names = [model.camera(number).name for number in range(model.ncam)]
        if isinstance(self.camera, str):
            if self.camera not in names:
                raise OptionError(
                    f"{env_id}: the model has no camera {self.camera!r}, only {names}: choose by camera_name, "
                    "or in a plugin of yours by film_camera in _plugin.py, which films use"
                )
            return names.index(self.camera)
        if not -1 <= self.camera < len(names):
            raise OptionError(
                f"{env_id}: the model has no camera {self.camera}, only {len(names)} ({names})"
            )
        return self.camera


def looks_of(
    options: Mapping[str, Any], width: int, height: int, camera: int | str | None
) -> Looks:
    """The looks of an environment with these options, which are checked already."""
    config = json.loads(options.get("default_camera_config") or "{}")
    flags = json.loads(options.get("visual_options") or "{}")
    return Looks(
        width,
        height,
        camera,
        {key: np.array(each) if isinstance(each, list) else each for key, each in config.items()}
        or None,
        int(options.get("max_geom", 1000)),
        {int(number): bool(value) for number, value in flags.items()} or None,
        options.get("render_quality") == "fast",
    )


def as_texts(spec: EnvSpec, options: Mapping[str, Any]) -> dict[str, Any]:
    """Translates Gymnasium's names, what it means by None, and dicts into texts. Raises OptionError."""
    result = dict(options)
    for theirs, ours in _COMMON.items():
        if theirs in result:
            value = result.pop(theirs)
            if theirs == "camera_id" and isinstance(value, Integral) and value == -1:
                value = _FREE
            if value is not None:
                result[ours] = value
    for name in ("default_camera_config", "visual_options"):
        value = result.get(name)
        if value is None:
            result.pop(name, None)
        elif isinstance(value, Mapping):
            try:
                plain = {_key(key): _plain(each) for key, each in value.items()}
                result[name] = json.dumps(plain, sort_keys=True) if plain else ""
            except TypeError:
                raise OptionError(
                    f"{spec.id}: {name} is {value!r}, expected {_EXPECTED[name]}"
                ) from None
    return result


def check_pictures(spec: EnvSpec, options: Mapping[str, Any]) -> None:
    """Raises OptionError for names that the installed MuJoCo lacks, and for options without effect."""
    if not options.get("pixels_only", True) and not options.get("from_pixels", False):
        raise OptionError(
            f"{spec.id}: pixels_only=False is about the pictures of from_pixels=True; leave it out, or give "
            "both"
        )
    if options.get("pixels_only", True) and options.get("observation_key", "pixels") != "pixels":
        raise OptionError(
            f"{spec.id}: observation_key names the picture beside other observations, which are there with "
            "from_pixels=True and pixels_only=False"
        )
    mujoco = require_mujoco()
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
