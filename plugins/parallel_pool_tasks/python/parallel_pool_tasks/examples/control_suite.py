"""Tasks of dm_control's suite as tasks. Its `tolerance` is numpy code, so it runs in both ways too."""

import math
from collections.abc import Callable
from importlib import import_module
from typing import Any

import mujoco
import numpy as np
from dm_control.utils.rewards import tolerance

from parallel_pool_tasks import Step, Task, until


def suite_model(domain: str) -> Callable[[], Any]:
    """dm_control's own model."""

    def made() -> Any:
        text, assets = import_module(f"dm_control.suite.{domain}").get_model_and_assets()
        return mujoco.MjModel.from_xml_string(text.decode(), assets)

    return made


def drawn_joints(sim: Any, rng: Any, only_limited: bool = False) -> None:
    """dm_control's positions of joints with limits, and of other hinges."""
    model = sim.model
    for joint, place in enumerate(model.jnt_qposadr):
        if model.jnt_limited[joint]:
            sim.qpos[place] = rng.uniform(*model.jnt_range[joint])
        elif model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_HINGE and not only_limited:
            sim.qpos[place] = rng.uniform(-np.pi, np.pi)


class Suite(Task):
    """Does around a task what dm_control's environments do."""

    generator, action_dtype = "RandomState", "float64"

    def reset(self, sim: Any, rng: Any, ep: Any) -> None:
        sim.forward()
        self.begin(sim, rng)
        sim.forward()

    def begin(self, sim: Any, rng: Any) -> None:
        drawn_joints(sim, rng)

    def step(self, sim: Any, action: Any, rng: Any, ep: Any) -> Step:
        sim.ctrl[:] = action
        sim.control_step(self.frame_skip)
        return Step(self.reward(sim))

    def reward(self, sim: Any) -> Any:
        raise NotImplementedError


class CheetahRun(Suite):
    """dm_control's cheetah-run."""

    id = "suite/CheetahRun-v0"
    model = suite_model("cheetah")
    max_episode_steps = 1000
    speed: float = 10

    def begin(self, sim: Any, rng: Any) -> None:
        drawn_joints(sim, rng, only_limited=True)
        sim.control_step(200)
        sim.time = 0

    def observe(self, sim: Any, rng: Any, ep: Any) -> dict[str, Any]:
        return {"position": sim.qpos[1:], "velocity": sim.qvel[:]}

    def reward(self, sim: Any) -> Any:
        speed = sim.sensor("torso_subtreelinvel").data[0]
        return tolerance(speed, (self.speed, math.inf), self.speed, "linear", 0.0)


class Cartpole(Suite):
    """dm_control's cartpole-balance and cartpole-swingup."""

    id = "suite/Cartpole-v0"
    model = suite_model("cartpole")
    max_episode_steps = 1000
    swing_up: bool = False
    sparse: bool = False

    def begin(self, sim: Any, rng: Any) -> None:
        if self.swing_up:
            sim.qpos[0] = 0.01 * rng.randn()
            sim.qpos[1] = np.pi + 0.01 * rng.randn()
        else:
            sim.qpos[0] = rng.uniform(-0.1, 0.1)
            sim.qpos[1:] = rng.uniform(-0.034, 0.034, sim.nv - 1)
        sim.qvel[:] = 0.01 * rng.randn(sim.nv)

    def observe(self, sim: Any, rng: Any, ep: Any) -> dict[str, Any]:
        poles = sim.xmat[2:, [8, 2]].ravel()
        return {"position": np.hstack([sim.qpos[0:1], poles]), "velocity": sim.qvel[:]}

    def reward(self, sim: Any) -> Any:
        cosine = sim.xmat[2:, 8]
        if self.sparse:
            return tolerance(sim.qpos[0], (-0.25, 0.25)) * tolerance(cosine, (0.995, 1))[0]
        centered = (1 + tolerance(sim.qpos[0], margin=2)) / 2
        control = tolerance(sim.ctrl[:], (0, 0), 1, "quadratic", 0)[0]
        speed = tolerance(sim.qvel[1:], margin=5).min()
        return ((cosine + 1) / 2).mean() * ((4 + control) / 5) * ((1 + speed) / 2) * centered


class Walker(Suite):
    """dm_control's walker-stand, walker-walk and walker-run."""

    id = "suite/Walker-v0"
    model = suite_model("walker")
    frame_skip, max_episode_steps = 10, 1000
    move_speed: float = 0.0

    def observe(self, sim: Any, rng: Any, ep: Any) -> dict[str, Any]:
        turned = sim.xmat[1:, [0, 2]].ravel()
        height = sim.body("torso").xpos[2]
        return {"orientations": turned, "height": height, "velocity": sim.qvel[:]}

    def reward(self, sim: Any) -> Any:
        standing = tolerance(sim.body("torso").xpos[2], (1.2, math.inf), 0.6)
        upright = (1 + sim.body("torso").xmat[8]) / 2
        stands = (3 * standing + upright) / 4
        if self.move_speed == 0:
            return stands
        speed = sim.sensor("torso_subtreelinvel").data[0]
        bounds = (self.move_speed, math.inf)
        moves = tolerance(speed, bounds, self.move_speed / 2, "linear", 0.5)
        return stands * (5 * moves + 1) / 6


class Hopper(Suite):
    """dm_control's hopper-stand and hopper-hop."""

    id = "suite/Hopper-v0"
    model = suite_model("hopper")
    frame_skip, max_episode_steps = 4, 1000
    hopping: bool = False

    def observe(self, sim: Any, rng: Any, ep: Any) -> dict[str, Any]:
        touch = [sim.sensor(name).data[0] for name in ("touch_toe", "touch_heel")]
        position, velocity = sim.qpos[1:], sim.qvel[:]
        return {"position": position, "velocity": velocity, "touch": np.log1p(np.stack(touch))}

    def reward(self, sim: Any) -> Any:
        height = sim.body("torso").xipos[2] - sim.body("foot").xipos[2]
        standing = tolerance(height, (0.6, 2))
        if self.hopping:
            speed = sim.sensor("torso_subtreelinvel").data[0]
            return standing * tolerance(speed, (2, math.inf), 1.0, "linear", 0.5)
        control = tolerance(sim.ctrl[:], (0, 0), 1, "quadratic", 0).mean()
        return standing * ((control + 4) / 5)


class Reacher(Suite):
    """dm_control's reacher-easy and reacher-hard."""

    id = "suite/Reacher-v0"
    model = suite_model("reacher")
    max_episode_steps = 1000
    target_size: float = 0.05

    def begin(self, sim: Any, rng: Any) -> None:
        target = sim.model.geom("target")
        target.size[0] = self.target_size
        drawn_joints(sim, rng)
        angle, radius = rng.uniform(0, 2 * np.pi), rng.uniform(0.05, 0.20)
        target.pos[0] = radius * np.sin(angle)
        target.pos[1] = radius * np.cos(angle)

    def way(self, sim: Any) -> Any:
        return sim.geom("target").xpos[:2] - sim.geom("finger").xpos[:2]

    def observe(self, sim: Any, rng: Any, ep: Any) -> dict[str, Any]:
        return {"position": sim.qpos[:], "to_target": self.way(sim), "velocity": sim.qvel[:]}

    def reward(self, sim: Any) -> Any:
        radii = self.target_size + sim.model.geom("finger").size[0]
        return tolerance(np.linalg.norm(self.way(sim)), (0, radii))


class BallInCup(Suite):
    """dm_control's ball_in_cup-catch."""

    id = "suite/BallInCup-v0"
    model = suite_model("ball_in_cup")
    frame_skip, max_episode_steps = 10, 1000

    def begin(self, sim: Any, rng: Any) -> None:
        def contacts() -> Any:
            sim.joint("ball_x").qpos[0] = rng.uniform(-0.2, 0.2)
            sim.joint("ball_z").qpos[0] = rng.uniform(0.2, 0.5)
            sim.forward()
            return sim.n_contacts()

        until(contacts, lambda count: count == 0)

    def observe(self, sim: Any, rng: Any, ep: Any) -> dict[str, Any]:
        return {"position": sim.qpos[:], "velocity": sim.qvel[:]}

    def reward(self, sim: Any) -> Any:
        way = np.abs(sim.site("target").xpos[:] - sim.body("ball").xpos[:])[::2]
        size = sim.model.site("target").size[::2] - sim.model.geom("ball").size[0]
        return np.all(way < size).astype(np.float64)
