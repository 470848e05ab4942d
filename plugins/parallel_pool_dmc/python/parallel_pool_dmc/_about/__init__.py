"""The meanings of the numbers of the tasks. Imported when a user asks.

Rewards are those of dm_control's task classes, with its soft limits written out; 0.1**((x / margin)**2) is the
usual one.
"""

from collections.abc import Callable, Mapping

from parallel_pool.plugin_api import About, EnvSpec, Part

from parallel_pool_dmc._about import arms, small, walking
from parallel_pool_dmc._about.bodies import ACTUATORS
from parallel_pool_dmc._about.parts import Keys
from parallel_pool_dmc._envs import task_of
from parallel_pool_dmc._tasks import Task

_NEVER = "only by the time limit"
_DOMAINS: Mapping[str, Callable[[Task], tuple[Keys, str]]] = {
    "acrobot": small.acrobot,
    "ball_in_cup": small.ball_in_cup,
    "cartpole": small.cartpole,
    "cheetah": walking.cheetah,
    "dog": walking.dog,
    "finger": small.finger,
    "fish": small.fish,
    "hopper": walking.hopper,
    "humanoid": walking.humanoid,
    "humanoid_CMU": walking.humanoid,
    "lqr": small.lqr,
    "manipulator": arms.manipulator,
    "pendulum": small.pendulum,
    "point_mass": small.point_mass,
    "quadruped": walking.quadruped,
    "reacher": small.reacher,
    "stacker": arms.stacker,
    "swimmer": small.swimmer,
    "walker": walking.walker,
}
"""The parts of an observation and the reward, by domain."""


def about(spec: EnvSpec) -> About:
    """See `parallel_pool.plugin_api.About`."""
    task = task_of(spec)
    keys, reward = _DOMAINS[task.domain](task)
    return About(
        # A Gymnasium space sorts its keys, too.
        observation=tuple(part for key in sorted(keys) for part in keys[key]),
        action=_action(task),
        reward=reward,
        ends="no position and no velocity is further than 1e-6 from 0"
        if task.domain == "lqr"
        else _NEVER,
        original=f"dm_control {task.domain}-{task.name}",
    )


def _action(task: Task) -> tuple[Part, ...]:
    if task.domain == "lqr":
        return tuple(
            Part(f"force on mass {number}", "N") for number in range(task.options["n_actuators"])
        )
    if task.domain == "swimmer":
        joints = range(task.options["n_links"] - 1)
        return tuple(Part(f"torque, joint {number}", "0.0005 N m") for number in joints)
    if task.domain == "point_mass":
        ways: tuple[str, ...] = ("along x", "along y")
        if task.options:
            ways = tuple(
                f"in the {which} direction of the episode" for which in ("first", "second")
            )
        return tuple(Part(f"force {way}", "0.1 N") for way in ways)
    return tuple(Part(*actuator) for actuator in ACTUATORS[task.domain].values())
