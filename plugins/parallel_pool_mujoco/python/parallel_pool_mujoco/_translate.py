"""Translates users' options: Gymnasium's names and EnvPool's, numbers and names, dicts."""

from collections.abc import Mapping, Sequence
from typing import Any

from parallel_pool.errors import OptionError
from parallel_pool.plugin_api import EnvSpec

from parallel_pool_mujoco import sdk

_INFINITY = float("inf")

_NAMES: Mapping[str, Mapping[str, str]] = {
    "Ant": {"use_contact_force": "use_contact_forces"},
    "Humanoid": {"use_contact_force": "use_contact_forces"},
    "HumanoidStandup": {
        "forward_reward_weight": "uph_cost_weight",
        "contact_cost_weight": "impact_cost_weight",
    },
    "Pusher": {
        "ctrl_cost_weight": "reward_control_weight",
        "dist_cost_weight": "reward_dist_weight",
        "near_cost_weight": "reward_near_weight",
    },
    "Reacher": {
        "ctrl_cost_weight": "reward_control_weight",
        "dist_cost_weight": "reward_dist_weight",
    },
}
"""EnvPool's name to Gymnasium's, by task."""

_Range = tuple[str | None, str | None, tuple[float, float]]
_RANGES: Mapping[str, Mapping[str, _Range]] = {
    "Ant": {
        "healthy_z_range": ("healthy_z_min", "healthy_z_max", (0.2, 1.0)),
        "contact_force_range": ("contact_force_min", "contact_force_max", (-1.0, 1.0)),
    },
    "Hopper": {
        "healthy_z_range": ("healthy_z_min", None, (0.7, _INFINITY)),
        "healthy_angle_range": ("healthy_angle_min", "healthy_angle_max", (-0.2, 0.2)),
        "healthy_state_range": ("healthy_state_min", "healthy_state_max", (-100.0, 100.0)),
    },
    "Humanoid": {
        "healthy_z_range": ("healthy_z_min", "healthy_z_max", (1.0, 2.0)),
        "contact_cost_range": (None, "contact_cost_max", (-_INFINITY, 10.0)),
    },
    "HumanoidStandup": {
        "impact_cost_range": (None, "contact_cost_max", (-_INFINITY, 10.0)),
    },
    "Walker2d": {
        "healthy_z_range": ("healthy_z_min", "healthy_z_max", (0.8, 2.0)),
        "healthy_angle_range": ("healthy_angle_min", "healthy_angle_max", (-1.0, 1.0)),
    },
}
"""Gymnasium's ranges, EnvPool's names for their ends, and the defaults, by task."""


def translated(spec: EnvSpec, options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the options under Gymnasium's names, with values that the library takes.

    Raises OptionError if something is given twice.
    """
    task = spec.id.removeprefix("mujoco/").rpartition("-")[0]
    result = sdk.translated(spec, options)
    _check_camera(spec, result.pop("gymnasium_v5_render_camera", None))
    for theirs, ours in _NAMES.get(task, {}).items():
        if theirs in result:
            _only_one(spec, result, [theirs], ours)
            result[ours] = result.pop(theirs)
    for ours, (low, high, default) in _RANGES.get(task, {}).items():
        given = [name for name in (low, high) if name in result]
        if given:
            _only_one(spec, result, given, ours)
            ends = [
                result.pop(name, end) if name else end
                for name, end in zip((low, high), default, strict=True)
            ]
            result[ours] = ends
    body = result.get("main_body")
    if isinstance(body, int) and not isinstance(body, bool) and body >= 0:
        result["main_body"] = str(body)
    return result


def _check_camera(spec: EnvSpec, v5: Any) -> None:
    """EnvPool's `gymnasium_v5_render_camera` may say what the version says."""
    own = spec.id.endswith("-v5")
    if v5 not in (None, own):
        raise OptionError(
            f"{spec.id}: gymnasium_v5_render_camera is {v5!r}, but pictures are Gymnasium's: {own!r}, or "
            "choose by render_camera_id or render_camera_name"
        )


def _only_one(
    spec: EnvSpec, options: Mapping[str, Any], theirs: Sequence[str | None], ours: str
) -> None:
    if ours in options:
        raise OptionError(f"{spec.id}: {theirs[0]!r} and {ours!r} mean the same; give one of them")
