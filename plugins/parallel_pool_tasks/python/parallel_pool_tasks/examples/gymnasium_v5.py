"""Gymnasium's MuJoCo tasks (v5) as tasks; HalfCheetah is the package's example."""

import math
from typing import Any

import numpy as np

from parallel_pool_tasks import Step, Task, gymnasium_model, until


def noisy(sim: Any, rng: Any, scale: float) -> None:
    """Uniform noise on the model's positions, and on velocities."""
    sim.qpos[:] = sim.model.qpos0 + rng.uniform(-scale, scale, sim.nq)
    sim.qvel[:] = rng.uniform(-scale, scale, sim.nv)
    sim.forward()


def within(low_high: tuple[float, float], x: Any) -> Any:
    """Both bounds are outside."""
    return (low_high[0] < x) & (x < low_high[1])


class Walker2d(Task):
    """Gymnasium's Walker2d-v5."""

    id = "originals/Walker2d-v0"
    model = gymnasium_model("walker2d_v5.xml")
    frame_skip, max_episode_steps = 4, 1000
    forward_reward_weight: float = 1.0
    ctrl_cost_weight: float = 1e-3
    healthy_reward: float = 1.0
    terminate_when_unhealthy: bool = True
    healthy_z_range: tuple[float, float] = (0.8, 2.0)
    healthy_angle_range: tuple[float, float] = (-1.0, 1.0)
    reset_noise_scale: float = 5e-3

    def place(self, sim: Any) -> dict[str, Any]:
        height = sim.qpos[1] - sim.model.qpos0[1]
        return {"x_position": sim.qpos[0], "z_distance_from_origin": height}

    def healthy(self, sim: Any) -> Any:
        z, angle = sim.qpos[1:3]
        return within(self.healthy_z_range, z) & within(self.healthy_angle_range, angle)

    def reset(self, sim: Any, rng: Any, ep: Any) -> dict[str, Any]:
        noisy(sim, rng, self.reset_noise_scale)
        return self.place(sim)

    def observe(self, sim: Any, rng: Any, ep: Any) -> Any:
        return np.concatenate([sim.qpos[1:], np.clip(sim.qvel[:], -10, 10)])

    def step(self, sim: Any, action: Any, rng: Any, ep: Any) -> Step:
        before = sim.qpos[0]
        sim.ctrl[:] = action
        sim.step(self.frame_skip)
        velocity = (sim.qpos[0] - before) / self.dt
        healthy = self.healthy(sim)
        forward = self.forward_reward_weight * velocity
        survive = healthy * self.healthy_reward
        cost = self.ctrl_cost_weight * np.sum(np.square(action))
        info = {**self.place(sim), "x_velocity": velocity}
        info |= {"reward_forward": forward, "reward_ctrl": -cost, "reward_survive": survive}
        ends = ~healthy if self.terminate_when_unhealthy else False
        return Step(forward + survive - cost, ends, info)


class Hopper(Walker2d):
    """Gymnasium's Hopper-v5."""

    id = "originals/Hopper-v0"
    model = gymnasium_model("hopper.xml")
    healthy_state_range: tuple[float, float] = (-100.0, 100.0)
    healthy_z_range: tuple[float, float] = (0.7, math.inf)
    healthy_angle_range: tuple[float, float] = (-0.2, 0.2)

    def healthy(self, sim: Any) -> Any:
        state = np.concatenate([sim.qpos[2:], sim.qvel[:]])
        return np.all(within(self.healthy_state_range, state)) & super().healthy(sim)


class Swimmer(Task):
    """Gymnasium's Swimmer-v5."""

    id = "originals/Swimmer-v0"
    model = gymnasium_model("swimmer.xml")
    frame_skip, max_episode_steps = 4, 1000
    forward_reward_weight: float = 1.0
    ctrl_cost_weight: float = 1e-4
    reset_noise_scale: float = 0.1

    def place(self, sim: Any) -> dict[str, Any]:
        x, y = sim.qpos[0:2]
        far = np.linalg.norm(sim.qpos[0:2])
        return {"x_position": x, "y_position": y, "distance_from_origin": far}

    def reset(self, sim: Any, rng: Any, ep: Any) -> dict[str, Any]:
        noisy(sim, rng, self.reset_noise_scale)
        return self.place(sim)

    def observe(self, sim: Any, rng: Any, ep: Any) -> Any:
        return np.concatenate([sim.qpos[2:], sim.qvel[:]])

    def step(self, sim: Any, action: Any, rng: Any, ep: Any) -> Step:
        before = sim.qpos[0:2]
        sim.ctrl[:] = action
        sim.step(self.frame_skip)
        velocity = (sim.qpos[0:2] - before) / self.dt
        forward = self.forward_reward_weight * velocity[0]
        cost = self.ctrl_cost_weight * np.sum(np.square(action))
        info = {**self.place(sim), "x_velocity": velocity[0], "y_velocity": velocity[1]}
        return Step(forward - cost, info={**info, "reward_forward": forward, "reward_ctrl": -cost})


class Ant(Task):
    """Gymnasium's Ant-v5."""

    id = "originals/Ant-v0"
    model = gymnasium_model("ant.xml")
    frame_skip, max_episode_steps = 5, 1000
    ctrl_cost_weight: float = 0.5
    contact_cost_weight: float = 5e-4
    healthy_reward: float = 1.0
    healthy_z_range: tuple[float, float] = (0.2, 1.0)
    terminate_when_unhealthy: bool = True

    def reset(self, sim: Any, rng: Any, ep: Any) -> dict[str, Any]:
        sim.qpos[:] = sim.model.qpos0 + rng.uniform(-0.1, 0.1, sim.nq)
        sim.qvel[:] = 0.1 * rng.standard_normal(sim.nv)
        sim.forward()
        return self.place(sim)

    def place(self, sim: Any) -> dict[str, Any]:
        x, y = sim.qpos[0:2]
        far = np.linalg.norm(sim.qpos[0:2])
        return {"x_position": x, "y_position": y, "distance_from_origin": far}

    def observe(self, sim: Any, rng: Any, ep: Any) -> Any:
        forces = np.clip(sim.cfrc_ext[1:], -1.0, 1.0)
        return np.concatenate([sim.qpos[2:], sim.qvel[:], forces.flatten()])

    def step(self, sim: Any, action: Any, rng: Any, ep: Any) -> Step:
        before = sim.body("torso").xpos[:2]
        sim.ctrl[:] = action
        sim.step(self.frame_skip)
        sim.rne_post_constraint()
        velocity = (sim.body("torso").xpos[:2] - before) / self.dt
        low, high = self.healthy_z_range
        state = np.concatenate([sim.qpos[:], sim.qvel[:]])
        healthy = np.isfinite(state).all() & (low <= sim.qpos[2]) & (sim.qpos[2] <= high)
        survive = healthy * self.healthy_reward
        ctrl = self.ctrl_cost_weight * np.sum(np.square(action))
        contact = self.contact_cost_weight * np.sum(np.square(np.clip(sim.cfrc_ext[:], -1.0, 1.0)))
        info = {**self.place(sim), "x_velocity": velocity[0], "y_velocity": velocity[1]}
        info |= {"reward_forward": velocity[0], "reward_ctrl": -ctrl}
        info |= {"reward_contact": -contact, "reward_survive": survive}
        ends = ~healthy if self.terminate_when_unhealthy else False
        return Step((velocity[0] + survive) - (ctrl + contact), ends, info)


class Humanoid(Task):
    """Gymnasium's Humanoid-v5."""

    id = "originals/Humanoid-v0"
    model = gymnasium_model("humanoid.xml")
    frame_skip, max_episode_steps = 5, 1000
    forward_reward_weight: float = 1.25
    ctrl_cost_weight: float = 0.1
    contact_cost_weight: float = 5e-7
    contact_cost_range: tuple[float, float] = (-math.inf, 10.0)
    healthy_reward: float = 5.0
    terminate_when_unhealthy: bool = True
    healthy_z_range: tuple[float, float] = (1.0, 2.0)
    reset_noise_scale: float = 1e-2

    def place(self, sim: Any) -> dict[str, Any]:
        info = {"x_position": sim.qpos[0], "y_position": sim.qpos[1]}
        info |= {"tendon_length": sim.ten_length[:], "tendon_velocity": sim.ten_velocity[:]}
        return {**info, "distance_from_origin": np.linalg.norm(sim.qpos[0:2])}

    def reset(self, sim: Any, rng: Any, ep: Any) -> dict[str, Any]:
        noisy(sim, rng, self.reset_noise_scale)
        return self.place(sim)

    def observe(self, sim: Any, rng: Any, ep: Any) -> Any:
        bodies = [each[1:].flatten() for each in (sim.cinert, sim.cvel, sim.cfrc_ext)]
        inertia, velocity, force = bodies
        joints = [sim.qpos[2:], sim.qvel[:]]
        return np.concatenate([*joints, inertia, velocity, sim.qfrc_actuator[6:], force])

    def centre(self, sim: Any) -> Any:
        mass = sim.model.body_mass
        return np.sum(mass[:, np.newaxis] * sim.xipos[:], axis=0)[0:2] / mass.sum()

    def costs(self, sim: Any) -> Any:
        ctrl = self.ctrl_cost_weight * np.sum(np.square(sim.ctrl[:]))
        contact = self.contact_cost_weight * np.sum(np.square(sim.cfrc_ext[:]))
        return ctrl, np.clip(contact, *self.contact_cost_range)

    def step(self, sim: Any, action: Any, rng: Any, ep: Any) -> Step:
        before = self.centre(sim)
        sim.ctrl[:] = action
        sim.step(self.frame_skip)
        sim.rne_post_constraint()
        velocity = (self.centre(sim) - before) / self.dt
        healthy = within(self.healthy_z_range, sim.qpos[2])
        forward = self.forward_reward_weight * velocity[0]
        survive = healthy * self.healthy_reward
        ctrl, contact = self.costs(sim)
        info = {**self.place(sim), "x_velocity": velocity[0], "y_velocity": velocity[1]}
        info |= {"reward_survive": survive, "reward_forward": forward}
        info |= {"reward_ctrl": -ctrl, "reward_contact": -contact}
        ends = ~healthy if self.terminate_when_unhealthy else False
        return Step((forward + survive) - (ctrl + contact), ends, info)


class HumanoidStandup(Humanoid):
    """Gymnasium's HumanoidStandup-v5."""

    id = "originals/HumanoidStandup-v0"
    model = gymnasium_model("humanoidstandup.xml")

    def place(self, sim: Any) -> dict[str, Any]:
        info = super().place(sim)
        del info["distance_from_origin"]
        return {**info, "z_distance_from_origin": sim.qpos[2] - sim.model.qpos0[2]}

    def step(self, sim: Any, action: Any, rng: Any, ep: Any) -> Step:
        sim.ctrl[:] = action
        sim.step(self.frame_skip)
        sim.rne_post_constraint()
        up = sim.qpos[2] / sim.model.opt.timestep
        ctrl, impact = self.costs(sim)
        info = {"reward_linup": up, "reward_quadctrl": -ctrl, "reward_impact": -impact}
        info |= {"reward_alive": 1.0}  # EnvPool's, and the plugin's
        return Step(up - ctrl - impact + 1, info={**self.place(sim), **info})


class InvertedPendulum(Task):
    """Gymnasium's InvertedPendulum-v5."""

    id = "originals/InvertedPendulum-v0"
    model = gymnasium_model("inverted_pendulum.xml")
    frame_skip, max_episode_steps = 2, 1000
    reset_noise_scale: float = 0.01

    def reset(self, sim: Any, rng: Any, ep: Any) -> None:
        noisy(sim, rng, self.reset_noise_scale)

    def observe(self, sim: Any, rng: Any, ep: Any) -> Any:
        return np.concatenate([sim.qpos[:], sim.qvel[:]])

    def step(self, sim: Any, action: Any, rng: Any, ep: Any) -> Step:
        sim.ctrl[:] = action
        sim.step(self.frame_skip)
        seen = self.observe(sim, rng, ep)
        fallen = ~np.isfinite(seen).all() | (np.abs(seen[1]) > 0.2)
        reward = (~fallen).astype(np.int64)
        return Step(reward, fallen, {"reward_survive": reward})


class InvertedDoublePendulum(Task):
    """Gymnasium's InvertedDoublePendulum-v5."""

    id = "originals/InvertedDoublePendulum-v0"
    model = gymnasium_model("inverted_double_pendulum.xml")
    frame_skip, max_episode_steps = 5, 1000
    healthy_reward: float = 10.0
    reset_noise_scale: float = 0.1

    def reset(self, sim: Any, rng: Any, ep: Any) -> None:
        scale = self.reset_noise_scale
        sim.qpos[:] = sim.model.qpos0 + rng.uniform(-scale, scale, sim.nq)
        sim.qvel[:] = rng.standard_normal(sim.nv) * scale
        sim.forward()

    def observe(self, sim: Any, rng: Any, ep: Any) -> Any:
        angles = sim.qpos[1:]
        forces = np.concatenate([sim.qvel[:], sim.qfrc_constraint[:1]])
        return np.concatenate(
            [sim.qpos[:1], np.sin(angles), np.cos(angles), np.clip(forces, -10, 10)]
        )

    def step(self, sim: Any, action: Any, rng: Any, ep: Any) -> Step:
        sim.ctrl[:] = action
        sim.step(self.frame_skip)
        x, _, y = sim.site_xpos[0]
        v1, v2 = sim.qvel[1:3]
        distance = 0.01 * x**2 + (y - 2) ** 2
        speed = 1e-3 * v1**2 + 5e-3 * v2**2
        survive = self.healthy_reward * (y > 1)
        info = {"reward_survive": survive, "distance_penalty": -distance}
        return Step(survive - distance - speed, y <= 1, {**info, "velocity_penalty": -speed})


class Pusher(Task):
    """Gymnasium's Pusher-v5."""

    id = "originals/Pusher-v0"
    model = gymnasium_model("pusher_v5.xml")
    frame_skip, max_episode_steps = 5, 100
    reward_near_weight: float = 0.5
    reward_dist_weight: float = 1.0
    reward_control_weight: float = 0.1

    def reset(self, sim: Any, rng: Any, ep: Any) -> None:
        sim.qpos[-4:-2] = until(
            lambda: rng.uniform([-0.3, -0.2], [0.0, 0.2]),
            lambda place: np.linalg.norm(place) > 0.17,
        )
        sim.qpos[-2:] = 0.0
        sim.qvel[:] = rng.uniform(-0.005, 0.005, sim.nv)
        sim.qvel[-4:] = 0.0
        sim.forward()

    def observe(self, sim: Any, rng: Any, ep: Any) -> Any:
        bodies = [sim.body(name).xpos[:] for name in ("tips_arm", "object", "goal")]
        return np.concatenate([sim.qpos[:7], sim.qvel[:7], *bodies])

    def step(self, sim: Any, action: Any, rng: Any, ep: Any) -> Step:
        sim.ctrl[:] = action
        sim.step(self.frame_skip)
        place = sim.body("object").xpos[:]
        far = -np.linalg.norm(place - sim.body("tips_arm").xpos[:]) * self.reward_near_weight
        dist = -np.linalg.norm(place - sim.body("goal").xpos[:]) * self.reward_dist_weight
        ctrl = -np.square(action).sum() * self.reward_control_weight
        info = {"reward_dist": dist, "reward_ctrl": ctrl, "reward_near": far}
        return Step(dist + ctrl + far, info=info)


class Reacher(Task):
    """Gymnasium's Reacher-v5."""

    id = "originals/Reacher-v0"
    model = gymnasium_model("reacher.xml")
    frame_skip, max_episode_steps = 2, 50
    reward_dist_weight: float = 1.0
    reward_control_weight: float = 1.0

    def reset(self, sim: Any, rng: Any, ep: Any) -> None:
        qpos = rng.uniform(-0.1, 0.1, sim.nq) + sim.model.qpos0
        goal = until(lambda: rng.uniform(-0.2, 0.2, 2), lambda goal: np.linalg.norm(goal) < 0.2)
        sim.qpos[:] = np.concatenate([qpos[:-2], goal])
        sim.qvel[:] = np.concatenate([rng.uniform(-0.005, 0.005, sim.nv)[:-2], np.zeros(2)])
        sim.forward()

    def way(self, sim: Any) -> Any:
        return sim.body("fingertip").xpos[:] - sim.body("target").xpos[:]

    def observe(self, sim: Any, rng: Any, ep: Any) -> Any:
        theta = sim.qpos[:2]
        parts = [np.cos(theta), np.sin(theta), sim.qpos[2:], sim.qvel[:2], self.way(sim)[:2]]
        return np.concatenate(parts)

    def step(self, sim: Any, action: Any, rng: Any, ep: Any) -> Step:
        sim.ctrl[:] = action
        sim.step(self.frame_skip)
        dist = -np.linalg.norm(self.way(sim)) * self.reward_dist_weight
        ctrl = -np.square(action).sum() * self.reward_control_weight
        return Step(dist + ctrl, info={"reward_dist": dist, "reward_ctrl": ctrl})


TASKS = (
    Walker2d,
    Hopper,
    Swimmer,
    Ant,
    Humanoid,
    HumanoidStandup,
    InvertedPendulum,
    InvertedDoublePendulum,
    Pusher,
    Reacher,
)
