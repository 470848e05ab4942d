"""No one's tasks, for what those of Gymnasium and dm_control do not do."""

from typing import Any

import mujoco
import numpy as np
from parallel_pool_tasks import Step, Task, gymnasium_model, substeps, until, when
from parallel_pool_tasks.examples.gymnasium_v5 import Ant


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


class Randomised(Ant):
    """No one's: each episode has a model of its own."""

    id = "tests/Randomised-v0"
    max_episode_steps = 60
    derives: bool = True

    def reset(self, sim: Any, rng: Any, ep: Any) -> dict[str, Any]:
        model = sim.model
        model.body("torso").mass[:] = model.body("torso").mass * rng.uniform(0.5, 2.0)
        model.geom_friction[:, 0] = model.geom_friction[:, 0] * rng.uniform(0.3, 1.2)
        model.actuator_gainprm[:, 0] = rng.uniform(0.5, 1.5, sim.nu)
        model.dof_damping[6:] *= 2.0
        model.dof_damping[6] = rng.uniform(0.5, 3.0)
        model.opt.gravity[2] = rng.uniform(-12.0, -6.0)
        model.opt.density = rng.uniform(0.0, 2.0)
        model.geom("floor").rgba[:3] = rng.uniform(0.0, 1.0, 3)

        @when(rng.random() < 0.5)
        def _() -> None:
            model.body_inertia[1:] = 1.5 * model.body_inertia[1:]
            model.joint("hip_1").range = [-0.2, 0.2]

        if self.derives:
            sim.set_const()
        return super().reset(sim, rng, ep)


def crawler() -> Any:
    """A box with two legs on a floor with a step, tied to a post as long as its tie is active."""
    leg = """<body name="{0}" pos="0 {1} 0"><joint name="{0}" axis="0 1 0" range="-60 60"/>
        <geom name="{0}" type="capsule" fromto="0 0 0 0.2 0 -0.2" size="0.03"/></body>"""
    return mujoco.MjModel.from_xml_string(f"""<mujoco><worldbody>
        <geom name="floor" type="plane" size="9 9 1"/>
        <geom name="step" type="box" size="0.3 9 0.05" pos="1 0 0" group="2"/>
        <body name="trunk" pos="0 0 0.4"><freejoint/><geom name="box" type="box" size="0.2 0.1 0.05"/>
            <site name="tip" pos="0.2 0 0"/><camera name="eye" pos="0.2 0 0.1"/>
            {leg.format("left", 0.15)} {leg.format("right", -0.15)}</body></worldbody>
        <equality><connect name="tie" body1="trunk" anchor="0 0 0.2"/></equality>
        <actuator><motor joint="left" gear="9"/><motor joint="right" gear="9"/></actuator>
        </mujoco>""")


class Senses(Task):
    """No one's: asks for contacts, rays, velocities and flags."""

    id = "tests/Senses-v0"
    model, frame_skip, max_episode_steps = crawler, 5, 50
    grid = np.stack(np.meshgrid([0.3, 0.6, 0.9], [-0.2, 0.2], [0.0]), -1).reshape(-1, 3)

    def reset(self, sim: Any, rng: Any, ep: Any) -> dict[str, Any]:
        sim.qpos[7:] = rng.uniform(-0.5, 0.5, 2)
        sim.equality("tie").active[0] = rng.random() < 0.5
        sim.forward()
        return {"force": sim.contact_force("floor")}

    def observe(self, sim: Any, rng: Any, ep: Any) -> dict[str, Any]:
        place = sim.body("trunk").xpos[:]
        far, geoms = sim.ray(place + self.grid, [0.0, 0.0, -1.0], bodyexclude="trunk")
        one, _ = sim.ray(place, sim.body("trunk").xmat[:3], (True,) * 2 + (False,) * 4)
        moving, _ = sim.ray([0.0, 0.0, 3.0], [0.0, 0.0, -0.5], flg_static=False)
        return {
            "heights": far,
            "hits": geoms,
            "rays": np.stack([one, moving]),
            "tied": sim.eq_active[:],
            "around": sim.ten_wrapnum.shape[0] + np.sum(sim.body_awake[:]),
            "qvel": sim.qvel[:],
        }

    def step(self, sim: Any, action: Any, rng: Any, ep: Any) -> Step:
        sim.ctrl[:] = action

        def control() -> Any:
            sim.step()
            return sim.contact_force([sim.geom("left"), sim.geom("right")], "floor")

        most = substeps(self.frame_skip, control)
        kinds = ("body", "trunk"), ("xbody", "trunk"), ("geom", "box"), ("site", "tip")
        speeds = [sim.object_velocity(kind, name) for kind, name in kinds]
        sim.step1()
        sim.step2()
        info = {
            "force": sim.contact_force("floor"),
            "last": most,
            "count": sim.n_contacts(),
            "feet": np.stack([sim.touching(sim.body(leg), "floor") for leg in ("left", "right")]),
            "box": sim.touching(["box", "step"]),
            "velocity": np.stack([*speeds, sim.object_velocity("camera", "eye", True)]),
        }
        sim.eq_active[0] = sim.eq_active[0] & (rng.random() < 0.98)
        return Step(info["force"], False, info)
