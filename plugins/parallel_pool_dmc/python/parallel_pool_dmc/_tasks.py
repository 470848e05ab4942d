"""The tasks of dm_control's suite, as data: names, time limits, options.

A native environment exists for each layout of observations; tasks that are observed alike are one native
environment with different options. Numbers are those of dm_control 1.0.50; a test holds them against it.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Task:
    """One task, by dm_control's names."""

    domain: str
    name: str
    summary: str
    """Empty: that of its native environment."""
    time_limit: float
    """Seconds of an episode."""
    control_timestep: float = 0.0
    """Seconds between two actions; 0: a step of the simulation."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Options of its native environment that make this task."""
    native: str = ""
    """The native environment's name, without family and version; by default the domain."""
    envpool_keys: bool = False
    """EnvPool shows more than dm_control does: the keys of all tasks of the domain."""
    fps: float = 0.0
    """Actions per second; by default 1 / control_timestep."""

    @property
    def id(self) -> str:
        """The canonical id."""
        return f"dmc/{self.domain}-{self.name}-v1"

    @property
    def envpool_id(self) -> str:
        """EnvPool's id: both names without underscores, each word with a capital."""
        words = f"{self.domain}_{self.name}".split("_")
        return "".join(word[0].upper() + word[1:] for word in words) + "-v1"


TASKS = (
    Task("acrobot", "swingup", "", 10, fps=100),
    Task(
        "acrobot",
        "swingup_sparse",
        "Swing two links up to a target that alone is rewarded",
        10,
        options={"sparse": True},
        fps=100,
    ),
    Task("ball_in_cup", "catch", "", 20, 0.02),
    Task("cartpole", "balance", "Balance a pole on a cart", 10, fps=100),
    Task(
        "cartpole",
        "balance_sparse",
        "Balance a pole on a cart; nothing else is rewarded",
        10,
        options={"sparse": True},
        fps=100,
    ),
    Task(
        "cartpole",
        "swingup",
        "Swing a pole up and balance it on a cart",
        10,
        options={"swing_up": True},
        fps=100,
    ),
    Task(
        "cartpole",
        "swingup_sparse",
        "Swing a pole up and balance it on a cart, which alone is rewarded",
        10,
        options={"swing_up": True, "sparse": True},
        fps=100,
    ),
    Task(
        "cartpole",
        "two_poles",
        "Swing two poles up and balance them on a cart",
        10,
        options={"swing_up": True},
        fps=100,
    ),
    Task(
        "cartpole",
        "three_poles",
        "Swing three poles up and balance them on a cart",
        10,
        options={"swing_up": True, "num_poles": 3},
        fps=100,
    ),
    Task("cheetah", "run", "", 10, fps=100),
    Task("dog", "stand", "Stand with a dog", 15, 0.015),
    Task("dog", "walk", "", 15, 0.015, options={"move_speed": 1.0}),
    Task("dog", "trot", "Trot with a dog", 15, 0.015, options={"move_speed": 3.0}),
    Task("dog", "run", "Run with a dog", 15, 0.015, options={"move_speed": 9.0}),
    Task("dog", "fetch", "", 15, 0.015, native="dog_fetch"),
    Task("finger", "spin", "Spin a body with a finger", 20, 0.02, envpool_keys=True),
    Task(
        "finger",
        "turn_easy",
        "Turn a body with a finger until its tip is in a target",
        20,
        0.02,
        options={"target_size": 0.07},
    ),
    Task(
        "finger",
        "turn_hard",
        "Turn a body with a finger until its tip is in a small target",
        20,
        0.02,
        options={"target_size": 0.03},
    ),
    Task("fish", "upright", "Hold a fish upright", 40, 0.04, envpool_keys=True),
    Task("fish", "swim", "Swim to a target with a fish", 40, 0.04, options={"swimming": True}),
    Task("hopper", "stand", "Stand on one leg, in a plane", 20, 0.02),
    Task("hopper", "hop", "", 20, 0.02, options={"hopping": True}),
    Task("humanoid", "stand", "Stand still on two legs", 25, 0.025, envpool_keys=True),
    Task("humanoid", "walk", "", 25, 0.025, options={"move_speed": 1.0}, envpool_keys=True),
    Task(
        "humanoid",
        "run",
        "Run on two legs",
        25,
        0.025,
        options={"move_speed": 10.0},
        envpool_keys=True,
    ),
    Task(
        "humanoid",
        "run_pure_state",
        "Run on two legs; positions and velocities are all that is observed",
        25,
        0.025,
        options={"move_speed": 10.0, "pure_state": True},
        envpool_keys=True,
    ),
    Task("humanoid_CMU", "stand", "Stand still with a body of 56 joints", 20, 0.02),
    Task(
        "humanoid_CMU",
        "walk",
        "Walk with a body of 56 joints",
        20,
        0.02,
        options={"move_speed": 1.0},
    ),
    Task(
        "humanoid_CMU",
        "run",
        "Run with a body of 56 joints",
        20,
        0.02,
        options={"move_speed": 10.0},
    ),
    Task(
        "lqr",
        "lqr_2_1",
        "Bring two masses on springs to rest, one of which is pushed",
        math.inf,
        options={"n_bodies": 2, "n_actuators": 1},
        fps=1 / 0.03,
    ),
    Task(
        "lqr",
        "lqr_6_2",
        "Bring six masses on springs to rest, two of which are pushed",
        math.inf,
        options={"n_bodies": 6, "n_actuators": 2},
        fps=1 / 0.03,
    ),
    Task("manipulator", "bring_ball", "Bring a ball to a target with an arm", 10, 0.01),
    Task(
        "manipulator",
        "bring_peg",
        "Bring a peg to a target with an arm",
        10,
        0.01,
        options={"use_peg": True},
    ),
    Task(
        "manipulator",
        "insert_ball",
        "Put a ball into a cup with an arm",
        10,
        0.01,
        options={"insert": True},
    ),
    Task(
        "manipulator",
        "insert_peg",
        "Put a peg into a slot with an arm",
        10,
        0.01,
        options={"use_peg": True, "insert": True},
    ),
    Task("pendulum", "swingup", "", 20, fps=50),
    Task("point_mass", "easy", "", 20, fps=50),
    Task(
        "point_mass",
        "hard",
        "Bring a point mass to a target; what the controls do changes with each episode",
        20,
        options={"randomize_gains": True},
        fps=50,
    ),
    Task("quadruped", "walk", "", 20, 0.02, options={"desired_speed": 0.5}),
    Task("quadruped", "run", "Run on four legs", 20, 0.02, options={"desired_speed": 5.0}),
    Task("quadruped", "escape", "", 20, 0.02, native="quadruped_escape"),
    Task("quadruped", "fetch", "", 20, 0.02, native="quadruped_fetch"),
    Task("reacher", "easy", "", 20, fps=50),
    Task(
        "reacher",
        "hard",
        "Bring the tip of an arm to a small target",
        20,
        options={"target_size": 0.015},
        fps=50,
    ),
    Task("stacker", "stack_2", "Stack two boxes with an arm", 10, 0.01),
    Task("stacker", "stack_4", "Stack four boxes with an arm", 10, 0.01),
    Task(
        "swimmer",
        "swimmer6",
        "Swim to a target with a chain of six links",
        30,
        0.03,
        options={"n_links": 6},
    ),
    Task(
        "swimmer",
        "swimmer15",
        "Swim to a target with a chain of fifteen links",
        30,
        0.03,
        options={"n_links": 15},
    ),
    Task("walker", "stand", "Stand on two legs, in a plane", 25, 0.025),
    Task("walker", "walk", "", 25, 0.025, options={"move_speed": 1.0}),
    Task("walker", "run", "Run on two legs, in a plane", 25, 0.025, options={"move_speed": 8.0}),
)
