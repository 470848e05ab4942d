"""The options of task/options.hpp in Python: users' spellings are translated, internal ones filled in."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from parallel_pool.errors import OptionError
from parallel_pool.plugin_api import EnvSpec

from parallel_pool_mujoco.sdk.binding import MujocoError
from parallel_pool_mujoco.sdk.models import hand_over
from parallel_pool_mujoco.sdk.numerics import norms_are_fused
from parallel_pool_mujoco.sdk.overrides import overridden, shown
from parallel_pool_mujoco.sdk.picture_options import as_texts, check_pictures

_MOST = 1_000_000
"""The most numbers of an override: more than any member has that may be changed."""


def translated(spec: EnvSpec, options: Mapping[str, Any]) -> dict[str, Any]:
    """For the hook `parallel_pool_translate`: turns dicts into texts, and Gymnasium's names into ours.

    `model_overrides`, `default_camera_config` and `visual_options` may be dicts or None; `width`, `height`,
    `camera_id` and `camera_name` mean `render_width` and so on. Raises OptionError.
    """
    result = as_texts(spec, options)
    overrides = result.get("model_overrides")
    if overrides is None:
        result.pop("model_overrides", None)
    elif isinstance(overrides, Mapping):
        result["model_overrides"] = _as_text(spec, overrides) if overrides else ""
    return result


def completed(spec: EnvSpec, options: Mapping[str, Any], model: Any, source: str) -> dict[str, Any]:
    """For the hook `parallel_pool_options`: hands over the model, and says how numpy adds up.

    model: an MjModel, of `compile_file` or `compile_text`. source: where it is from, for messages.
    `model_overrides` replaces numbers in a copy. Raises OptionError for an override, a range (an option
    whose name ends in `_range`) or an argument of pictures that makes no sense.
    """
    with option_errors(spec):
        overrides = _overrides(spec, options.get("model_overrides", ""))
        address = hand_over(overridden(model, overrides), source)
    for name, value in options.items():
        if name.endswith("_range") and len(value) != 2:
            raise OptionError(
                f"{spec.id}: {name} is {[float(each) for each in value]}, expected two numbers, the lower and "
                "the upper"
            )
    check_pictures(spec, options)
    return {**options, "fused_norm": norms_are_fused(), "model": address}


@contextmanager
def option_errors(spec: EnvSpec) -> Iterator[None]:
    """A MujocoError becomes an OptionError that names the environment."""
    try:
        yield
    except MujocoError as error:
        raise OptionError(f"{spec.id}: {error}") from None


def _overrides(spec: EnvSpec, text: str) -> Mapping[str, Any]:
    if not text:
        return {}
    try:
        overrides = json.loads(text)
    except (ValueError, RecursionError):
        overrides = None
    if not isinstance(overrides, dict):
        raise OptionError(
            f"{spec.id}: model_overrides is {shown(text)}, expected a dict or one as JSON"
        )
    return overrides


def _as_text(spec: EnvSpec, overrides: Mapping[str, Any]) -> str:
    """Returns equal texts for equal overrides: environments and states are compared by them."""
    try:
        plain = {path: _plain(value) for path, value in overrides.items()}
        if all(isinstance(path, str) for path in plain):
            return json.dumps(plain, sort_keys=True)
    except (TypeError, ValueError, RecursionError):
        pass
    raise OptionError(
        f"{spec.id}: model_overrides is {shown(dict(overrides))}, expected numbers by member, such as "
        "{'opt.gravity': [0, 0, -3.7]}"
    )


def _plain(value: Any) -> Any:
    if not hasattr(value, "tolist"):
        return value
    if getattr(value, "size", 0) > _MOST:
        raise ValueError
    return value.tolist()
