"""Tasks of others, in the language: each is compared with its original and with the C++ plugin's."""

from typing import Any

import mujoco
import numpy as np
from parallel_pool_tasks import Step, Task, gymnasium_model, substeps, until, when


class Ant(Task):
    """Gymnasium's Ant-v5."""

    id = "tests/Ant-v0"
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


def suite_cheetah() -> Any:
    """dm_control's model."""
    from dm_control.suite import cheetah

    text, assets = cheetah.get_model_and_assets()
    return mujoco.MjModel.from_xml_string(text.decode(), assets)


class CheetahRun(Task):
    """dm_control's cheetah-run."""

    id = "tests/CheetahRun-v0"
    model = suite_cheetah
    max_episode_steps = 1000
    generator, action_dtype = "RandomState", "float64"
    speed: float = 10

    def reset(self, sim: Any, rng: Any, ep: Any) -> None:
        sim.forward()
        limited = np.flatnonzero(sim.model.jnt_limited)
        low, high = sim.model.jnt_range[limited].T
        sim.qpos[limited] = rng.uniform(low, high)
        sim.control_step(200)
        sim.time = 0
        sim.forward()

    def observe(self, sim: Any, rng: Any, ep: Any) -> dict[str, Any]:
        return {"position": sim.qpos[1:], "velocity": sim.qvel[:]}

    def step(self, sim: Any, action: Any, rng: Any, ep: Any) -> Step:
        sim.ctrl[:] = action
        sim.control_step()
        speed = sim.sensor("torso_subtreelinvel").data[0]
        missing = (self.speed - speed) / self.speed
        slower = np.where(np.abs(missing) < 1, 1 - missing, 0.0)
        return Step(np.where(speed >= self.speed, 1.0, slower))


class Reacher(Task):
    """No one's: keeps values in the episode, draws in steps, stacks what it shows."""

    id = "tests/Reacher-v0"
    model = gymnasium_model("reacher.xml")
    frame_skip, max_episode_steps = 2, 40
    action_space = (-0.5, 0.5)
    weight: float = 0.7
    power: int = 2
    shape: str = "square"

    def reset(self, sim: Any, rng: Any, ep: Any) -> None:
        sim.qpos[:] = rng.normal(0.0, 0.1, sim.nq)
        sim.joint("joint1").qvel[0] = rng.uniform(low=np.array([-0.1]), high=0.1)[0]
        sim.forward()
        ep.goal = rng.uniform([-0.2, -0.1], [0.2, 0.1])
        ep.last = np.zeros(2, np.float32)
        ep.steps = 0
        ep.best = np.inf

    def observe(self, sim: Any, rng: Any, ep: Any) -> dict[str, Any]:
        seen = np.stack([sim.body("fingertip").xpos[:2], ep.goal])
        noisy = seen + 0.01 * rng.standard_normal((2, 2))
        return {"places": noisy, "last": ep.last, "far": noisy[0] > noisy[1], "steps": ep.steps}

    def step(self, sim: Any, action: Any, rng: Any, ep: Any) -> Step:
        action = np.clip(action, -0.4, 0.4)
        sim.ctrl[:] = action + 0.1 * ep.last
        sim.step(self.frame_skip)
        way = sim.body("fingertip").xpos[:2] - ep.goal
        distance = np.sqrt(np.sum(way**2)) if self.shape == "square" else np.abs(way).max()
        ep.best = np.minimum(ep.best, distance)
        change = np.mean(np.square(action - ep.last))
        ep.last, ep.steps = action, ep.steps + 1
        reward = -self.weight * distance**self.power - 0.5 * change + 0.1 * rng.random()
        info = {"best": ep.best, "near": distance < 0.05, "change": change}
        return Step(reward, (distance < 0.02) | (ep.steps % 7 == 20), info)


class GymnasiumReacher(Task):
    """Gymnasium's Reacher-v5."""

    id = "tests/GymnasiumReacher-v0"
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


class Blocks(Task):
    """No one's: blocks within blocks, which draw, simulate, write and keep."""

    id = "tests/Blocks-v0"
    model = gymnasium_model("reacher.xml")
    frame_skip, max_episode_steps = 2, 60
    pushes: bool = True

    def reset(self, sim: Any, rng: Any, ep: Any) -> None:
        ep.pushed, ep.work, ep.tries = 0, 0.0, 0
        ep.next_push = sim.time + rng.uniform(0.02, 0.1)

        def place() -> Any:
            sim.qpos[:] = rng.uniform(-0.5, 0.5, sim.nq)
            sim.forward()
            ep.tries = ep.tries + 1
            return sim.body("fingertip").xpos[:2], until(rng.random, lambda x: x < 0.3)

        ep.place, ep.share = until(place, lambda drawn: np.all(drawn[0] > 0.0), limit=500)

    def observe(self, sim: Any, rng: Any, ep: Any) -> Any:
        return np.concatenate([sim.qpos[:], sim.qvel[:], ep.place])

    def step(self, sim: Any, action: Any, rng: Any, ep: Any) -> Step:
        def push() -> Any:
            sim.ctrl[:] = action - 0.1 * sim.qvel[:2]
            sim.step()
            ep.work = ep.work + np.sum(np.abs(sim.actuator_force[:] * sim.qvel[:2]))

            @when(sim.qvel[0] > 1.0)
            def _() -> None:
                substeps(2, lambda: sim.forward())
                sim.qvel[0] = until(lambda: rng.normal(0.5, 1.0), lambda speed: speed < 1.0)

            return np.sqrt(np.sum(np.square(sim.qvel[:])))

        speed = substeps(self.frame_skip + 2, push)

        @when(self.pushes)
        def _() -> None:
            @when(sim.time >= ep.next_push)
            def _() -> None:
                sim.qvel[:2] = sim.qvel[:2] + rng.uniform(-0.5, 0.5, 2)
                ep.next_push, ep.pushed = sim.time + 0.05, ep.pushed + 1

        info = {"pushed": ep.pushed, "work": ep.work, "tries": ep.tries}
        return Step(-speed - ep.share, ep.pushed > 4, info)
