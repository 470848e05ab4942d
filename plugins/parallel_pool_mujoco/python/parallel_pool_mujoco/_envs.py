"""The ids, as data: eleven tasks in Gymnasium's versions 4 and 5, and EnvPool's names for older ones.

A native environment exists for v4 and for v5, which differ in what `info` holds. All other differences
between versions are options, so v2 and v3 are v4 with EnvPool's presets: Gymnasium has them no more.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from parallel_pool.plugin_api import EnvSpec

# EnvPool leaves contact forces at zero in v2, v3 and v4, as MuJoCo 2 did.
_ENVPOOL: Mapping[str, Any] = {"post_constraint": False}


@dataclass(frozen=True)
class _Task:
    name: str
    xml: str
    render_fps: int
    max_episode_steps: int = 1000
    reward_threshold: float | None = None
    legacy: str = "v3"
    """The version before v4, which EnvPool has as well."""
    v4: Mapping[str, Any] = field(default_factory=dict)
    """Options of v4 that differ from the library's defaults, which are v5's."""
    v4_xml: str | None = None
    envpool_info: Mapping[str, str] = field(default_factory=dict)
    """Keys of v5's info that EnvPool has under an older name."""
    old: Mapping[str, Any] = field(default_factory=dict)
    """Options of the legacy version that differ from v4's."""


_FALLS = {"legacy_healthy_reward": True}
_ALL_BODIES = {"exclude_worldbody_observations": False, "exclude_root_actuator_forces": False}
_FORCES = {"use_contact_forces": True}
_NO_FORCES = {"use_contact_forces": False}

TASKS = (
    _Task(
        "Ant",
        "ant.xml",
        20,
        reward_threshold=6000.0,
        v4={**_FALLS, **_NO_FORCES, "exclude_worldbody_contact_forces": False},
        old=_FORCES,
    ),
    _Task(
        "HalfCheetah",
        "half_cheetah.xml",
        20,
        reward_threshold=4800.0,
        envpool_info={"reward_forward": "reward_run"},
    ),
    _Task("Hopper", "hopper.xml", 125, reward_threshold=3800.0, v4=_FALLS),
    _Task(
        "Humanoid",
        "humanoid.xml",
        67,
        v4={**_FALLS, **_ALL_BODIES, **_NO_FORCES},
        envpool_info={
            "reward_forward": "reward_linvel",
            "reward_ctrl": "reward_quadctrl",
            "reward_survive": "reward_alive",
            "reward_contact": "reward_impact",
        },
        old=_FORCES,
    ),
    _Task("HumanoidStandup", "humanoidstandup.xml", 67, legacy="v2", v4=_ALL_BODIES),
    _Task(
        "InvertedDoublePendulum",
        "inverted_double_pendulum.xml",
        20,
        reward_threshold=9100.0,
        legacy="v2",
        v4={"reward_if_not_terminated": False, "constraint_obs_dim": -1},
    ),
    _Task(
        "InvertedPendulum",
        "inverted_pendulum.xml",
        25,
        reward_threshold=950.0,
        legacy="v2",
        v4={"reward_if_not_terminated": False},
    ),
    _Task(
        "Pusher",
        "pusher_v5.xml",
        20,
        max_episode_steps=100,
        reward_threshold=0.0,
        legacy="v2",
        v4={"reward_after_step": False, "weighted_reward_info": False},
        v4_xml="pusher.xml",
    ),
    _Task(
        "Reacher",
        "reacher.xml",
        50,
        max_episode_steps=50,
        reward_threshold=-3.75,
        legacy="v2",
        v4={"reward_after_step": False, "obs_include_z_distance": True},
    ),
    _Task(
        "Swimmer",
        "swimmer.xml",
        25,
        reward_threshold=360.0,
        envpool_info={"reward_forward": "reward_fwd"},
    ),
    _Task("Walker2d", "walker2d_v5.xml", 125, v4=_FALLS, v4_xml="walker2d.xml"),
)

_WALKERS = frozenset(
    ("Ant", "HalfCheetah", "Hopper", "Humanoid", "HumanoidStandup", "Swimmer", "Walker2d")
)
"""Their models have a camera that goes along."""


def envs() -> Iterator[EnvSpec]:
    """Every environment: v5, v4, and v2 or v3 of each task."""
    for task in TASKS:
        v4 = {"xml_file": task.v4_xml or task.xml, **task.v4}
        yield _spec(task, "v5", "v5", {"xml_file": task.xml})
        yield _spec(task, "v4", "v4", v4)
        yield _spec(task, task.legacy, "v4", {**v4, **task.old, **_ENVPOOL})


def _spec(task: _Task, version: str, native: str, options: Mapping[str, Any]) -> EnvSpec:
    return EnvSpec(
        f"mujoco/{task.name}-{version}",
        native=f"mujoco/{task.name}-{native}",
        options=options,
        max_episode_steps=task.max_episode_steps,
        reward_threshold=task.reward_threshold,
        tags=("mujoco",),
        render_modes=("rgb_array",),
        render_fps=task.render_fps,
        film_camera="track" if task.name in _WALKERS else None,
        envpool_info=task.envpool_info if version == "v5" else {},
    )
