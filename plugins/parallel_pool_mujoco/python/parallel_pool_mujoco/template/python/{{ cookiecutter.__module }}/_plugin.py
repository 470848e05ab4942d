"""The environments of this plugin, as data. Imports nothing heavy and loads no library."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from parallel_pool.plugin_api import About, Check, EnvSpec, Part, Renderer, find_library, hookimpl

MODEL = Path(__file__).with_name("{{ cookiecutter.family }}.xml")


@hookimpl
def parallel_pool_envs() -> list[EnvSpec]:
    """Every environment of the family."""
    return [
        EnvSpec(
            "{{ cookiecutter.family }}/{{ cookiecutter.env }}-v0",
            max_episode_steps=500,
            render_modes=("rgb_array",),
            render_fps=50,
            film_camera="track",
        ),
    ]


@hookimpl
def parallel_pool_about(spec: EnvSpec) -> About:
    """Says what the numbers mean: `parallel-pool info` prints it."""
    legs = [f"{side} {end}" for end in ("front", "back") for side in ("left", "right")]
    joints = [f"{leg} {joint}" for leg in legs for joint in ("hip", "knee")]
    return About(
        observation=(
            *(Part(f"angle of {each}", "rad") for each in joints),
            *(Part(f"speed of {each}", "rad/s") for each in joints),
            Part("height of the torso", "m"),
            Part("its rotation, a quaternion", count=4),
            Part("its velocity", "m/s", count=3),
            Part("its rotational velocity", "rad/s", count=3),
        ),
        action=tuple(Part(f"torque of {each}", "25 Nm") for each in joints),
        reward="forward speed in m/s, minus torque_cost times the squared controls",
        ends="the torso is lower than 0.2 m",
    )


@hookimpl
def parallel_pool_library(family: str) -> Path:
    """The one library of this package."""
    return find_library(__package__, family)


@hookimpl
def parallel_pool_translate(spec: EnvSpec, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Options that are dicts for users, such as model_overrides."""
    from parallel_pool_mujoco import sdk  # here, not above: it imports numpy

    return sdk.translated(spec, options)


@hookimpl
def parallel_pool_options(spec: EnvSpec, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Compile the robot, once, and hand it to the library."""
    from parallel_pool_mujoco import sdk

    with sdk.option_errors(spec):
        model = sdk.compile_file(MODEL)
    return sdk.completed(spec, options, model, str(MODEL))


@hookimpl
def parallel_pool_renderer(spec: EnvSpec, mode: str, arguments: Mapping[str, Any]) -> Renderer:
    """Pictures, without a window."""
    from parallel_pool_mujoco import sdk

    return sdk.OffscreenRenderer(spec, mode, arguments)


@hookimpl
def parallel_pool_doctor() -> list[Check]:
    """Checks MuJoCo, for `parallel-pool doctor`."""
    from parallel_pool_mujoco import sdk

    return [sdk.check_mujoco()]
