"""A Go2 that follows commands on flat ground: what it is like to step many of them.

python examples/quadruped/go2.py [--xml go2.xml] [--equal 512] [--many 4096] [--threads 2]

The task has commands and pushes that come and go, noise on what the policy sees, a critic that sees all, and
in each episode another friction, mass and gain. The program plays `--equal` environments beside each of them
alone, with one thread and with several, and says how much of the time of `--many` is not the engine's.

The model is that of the package mujoco-menagerie, which downloads it at its first use; --xml names a file.
"""

from __future__ import annotations

import argparse
import os
import time
from typing import Any

import mujoco
import mujoco.rollout
import numpy as np
import parallel_pool
from parallel_pool_tasks import Step, Task, when
from parallel_pool_tasks.rotations import quat_from_yaw, quat_rotate_inverse

FEET = ("FR", "FL", "RR", "RL")  # the order of the actuators
PLACES = np.array(
    [[0.19, -0.14], [0.19, 0.14], [-0.19, -0.14], [-0.19, 0.14]]
)  # m, forward and left
TROT = np.array([0.5, 0.0, 0.0, 0.5])  # of a stride, by which the feet are early
HOME = np.tile([0.0, 0.9, -1.8], 4)
STIFFNESS, DAMPING = 35.0, 0.5


def go2() -> Any:
    """The robot on a floor, with servos of its joints in place of torques."""
    if file := os.environ.get("GO2_XML"):
        spec = mujoco.MjSpec.from_file(file)
    else:
        import mujoco_menagerie

        spec = mujoco_menagerie.get("unitree_go2").spec("go2")
    spec.option.timestep = 0.005
    if not spec.meshes:  # what collides is drawn
        for geom in spec.geoms:
            geom.group, geom.rgba = 0, [0.3, 0.5, 0.8, 1.0]
    plane = mujoco.mjtGeom.mjGEOM_PLANE
    spec.worldbody.add_geom(name="floor", type=plane, size=[0, 0, 0.1], rgba=[1, 1, 1, 1])
    track = mujoco.mjtCamLight.mjCAMLIGHT_TRACK
    spec.worldbody.add_light(
        pos=[0, 0, 3], dir=[0, 0, -1], type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL
    )
    spec.body("base").add_camera(
        name="track", mode=track, pos=[1.0, -1.0, 0.5], xyaxes=[0.7, 0.7, 0, -0.25, 0.25, 0.93]
    )
    for key in list(spec.keys):
        spec.delete(key)
    for motor in spec.actuators:
        motor.forcelimited, motor.forcerange = True, motor.ctrlrange.copy()
        motor.ctrllimited = False
        motor.set_to_position(kp=STIFFNESS, kv=DAMPING)
    return spec.compile()


def quick_go2() -> Any:
    """The same with cheap contacts: they are pyramids instead of cones, and of feet and trunk alone;
    joints have no dry friction, so that three iterations of the solver do.
    """
    model = go2()
    model.opt.cone, model.opt.impratio = mujoco.mjtCone.mjCONE_PYRAMIDAL, 1.0
    model.opt.iterations, model.opt.ls_iterations = 3, 5
    model.dof_frictionloss[:] = 0.0
    feet, floor = [model.geom(name).id for name in FEET], model.geom("floor").id
    model.geom_condim[feet] = 3
    model.geom_contype[:], model.geom_conaffinity[:] = 0, 0
    model.geom_contype[floor] = 1
    model.geom_conaffinity[feet] = 1
    model.geom_conaffinity[model.geom_bodyid == model.body("base").id] = 1
    return model


class Go2(Task):
    """Follow commands on flat ground."""

    id = "quadruped/Go2-v0"
    model = go2
    frame_skip, max_episode_steps, render_fps = 4, 1000, 50
    action_space = (-np.ones(15), np.ones(15))  # of a stride, then of joints
    noise: float = 1.0
    sigma: float = 0.4
    stride: float = 2.0  # per second
    lift: float = 0.05  # m, of a foot
    tunables = {"fastest": (1.0, 0.5, 1.0), "push": 0.4}  # noqa: RUF012

    def reset(self, sim: Any, rng: Any, ep: Any) -> None:
        """Stands somewhere, turned somehow."""
        model = sim.model
        feet = [model.geom(name).id for name in FEET]
        model.geom_friction[feet, 0] = rng.uniform(0.4, 1.0)
        heavier, ep.gain = rng.uniform(0.85, 1.15), rng.uniform(0.9, 1.1, sim.nu)
        base = model.body("base").id
        model.body_mass[base] *= heavier
        model.body_inertia[base] *= heavier
        model.actuator_gainprm[:, 0] *= ep.gain
        model.actuator_biasprm[:, 1] *= ep.gain
        sim.set_const()
        sim.qpos[0:2] = rng.uniform(-0.5, 0.5, 2)
        sim.qpos[2] = 0.28
        sim.qpos[3:7] = quat_from_yaw(rng.uniform(-np.pi, np.pi))
        sim.qpos[7:] = HOME + rng.uniform(-0.1, 0.1, sim.nu)
        sim.forward()
        ep.heavier = heavier
        ep.action, ep.before = np.zeros(15), np.zeros(15)
        self.command(sim, rng, ep)
        ep.next_push = rng.uniform(0.5, 4.0)

    def command(self, sim: Any, rng: Any, ep: Any) -> None:
        """Another command for the next seconds, of ten one to stand."""
        ep.command = rng.uniform(-ep.fastest, ep.fastest) * (rng.random() < 0.9)
        ep.next_command = sim.time + rng.uniform(3.0, 8.0)

    def seen(self, sim: Any) -> list[Any]:
        """Velocities in the frame of the robot, where down is, joints."""
        quat = sim.qpos[3:7]
        down = quat_rotate_inverse(quat, np.array([0.0, 0.0, -1.0]))
        velocity = quat_rotate_inverse(quat, sim.qvel[0:3])
        return [velocity, sim.qvel[3:6], down, sim.qpos[7:] - HOME, sim.qvel[6:]]

    def gait(self, sim: Any, ep: Any) -> tuple[Any, Any]:
        """How high each foot should be, and how far behind. Who is told to stand moves none."""
        phase = 2.0 * np.pi * (self.stride * sim.time + TROT)
        walks = np.any(ep.command != 0.0)
        return walks * np.maximum(np.sin(phase), 0.0), walks * np.cos(phase)

    def targets(self, swing: Any, behind: Any, action: Any) -> Any:
        """Angles of the joints: a trot, as fast as the action's first three numbers say, and the others."""
        speed = 1.5 * action[:3]
        forward = speed[0] - speed[2] * PLACES[:, 1]
        left = speed[1] + speed[2] * PLACES[:, 0]
        hips, thighs, calves = (
            -1.0 * left * behind,
            0.25 * swing + 1.0 * forward * behind,
            -0.5 * swing,
        )
        return HOME + np.stack([hips, thighs, calves]).T.reshape(12) + 0.3 * action[3:]

    def heights(self, sim: Any) -> Any:
        """Of the feet, in metres above the floor."""
        return np.stack([sim.geom(name).xpos[2] for name in FEET])

    def observe(self, sim: Any, rng: Any, ep: Any) -> dict[str, Any]:
        """The policy's with noise, and the critic's, who knows this episode's robot."""
        known, phase = self.seen(sim), 2.0 * np.pi * self.stride * sim.time
        told = [ep.command, ep.action, np.stack([np.sin(phase), np.cos(phase)])]
        sizes = (0.1, 0.2, 0.05, 0.03, 1.5)
        noisy = [
            each + self.noise * size * rng.uniform(-1.0, 1.0, each.size)
            for each, size in zip(known, sizes, strict=True)
        ]
        hidden = [self.heights(sim), ep.gain, np.stack([ep.heavier])]
        return {
            "policy": np.concatenate([*noisy, *told]).astype(np.float32),
            "critic": np.concatenate([*known, *told, *hidden]).astype(np.float32),
        }

    def step(self, sim: Any, action: Any, rng: Any, ep: Any) -> Step:
        """Pays for following the command, and takes for how."""
        ep.before, ep.action = ep.action, action.astype(np.float64)
        swing, behind = self.gait(sim, ep)
        sim.ctrl[:] = self.targets(swing, behind, ep.action)
        sim.step(self.frame_skip)
        when(sim.time >= ep.next_command)(lambda: self.command(sim, rng, ep))

        @when(sim.time >= ep.next_push)
        def _() -> None:
            sim.qvel[0:2] = sim.qvel[0:2] + rng.uniform(-ep.push, ep.push, 2)
            ep.next_push = sim.time + rng.uniform(2.0, 6.0)

        velocity, turning, down, joints, speeds = self.seen(sim)
        stands = np.stack([sim.touching(name, "floor") for name in FEET])
        low = self.heights(sim) - 0.022 - self.lift * swing
        torque = sim.actuator_force[:]
        missed = np.sum(np.square(ep.command[:2] - velocity[:2]))
        missed_turn = np.square(ep.command[2] - turning[2])
        reward = {
            "follow": (1.5, np.exp(-missed / self.sigma)),
            "turn": (0.75, np.exp(-missed_turn / self.sigma)),
            "bounce": (-2.0, np.square(velocity[2])),
            "roll": (-0.025, np.sum(np.square(turning[:2]))),
            "tilt": (-1.0, np.sum(np.square(down[:2]))),
            "jerk": (-0.01, np.sum(np.square(ep.action - ep.before))),
            "torque": (-1e-4, np.sum(np.square(torque))),
            "speed": (-1e-4, np.sum(np.square(speeds))),
            "posture": (-0.05, np.sum(np.square(joints))),
            "swing": (1.0, np.mean(np.exp(-np.square(low) / 0.002))),
            "stance": (0.3, np.mean(stands == (swing == 0.0))),
        }
        return Step(reward, (down[2] > -0.4) | sim.touching(sim.body("base"), "floor"))


class QuickGo2(Go2):
    """The same task with cheap contacts, to learn from."""

    id = "quadruped/QuickGo2-v0"
    model = quick_go2


def different(count: int, threads: int, steps: int = 100) -> int:
    """The environments that play otherwise among so many than alone, or with several threads than with one."""
    draw = np.random.default_rng(0)
    actions = draw.uniform(-1, 1, (steps, count, 15)).astype(np.float32)

    def played(envs: Any, seed: Any, own: Any) -> Any:
        obs, _ = envs.reset(seed=seed)
        rows = [np.concatenate([obs["policy"], obs["critic"]], axis=1)]
        for each in own:
            obs, reward, *_ = envs.step(each)
            rows.append(np.column_stack([obs["policy"], obs["critic"], reward]))
        return np.concatenate(rows, axis=1)

    together = []
    for number in (1, threads):
        with parallel_pool.make(Go2, num_envs=count, num_threads=number) as envs:
            together.append(played(envs, 0, actions))
    with parallel_pool.make(Go2, num_envs=1) as envs:
        alone = [played(envs, i, actions[:, i : i + 1]) for i in range(count)]
    same = (together[0] == together[1]) & (together[0] == np.concatenate(alone))
    return int((~same.all(axis=1)).sum())


def outside(task: type[Go2], count: int, threads: int, rounds: int = 10) -> tuple[float, float]:
    """Steps per second, and the share of the wall time that is not the engine's.

    The engine alone is MuJoCo's own rollout, from the same positions with the same controls and as many
    threads, in turns with the pool. It has the robot as it was built, and resets nothing.
    """
    model = task.model()
    data = [mujoco.MjData(model) for _ in range(threads)]
    draw = np.random.default_rng(1)
    seconds = {"pool": 0.0, "engine": 0.0}
    with (
        parallel_pool.make(task, num_envs=count, num_threads=threads, seed=0) as envs,
        mujoco.rollout.Rollout(nthread=threads) as rollout,
    ):
        envs.reset()
        for number in range(rounds + 5):
            actions = draw.uniform(-1, 1, (count, 15)).astype(np.float32)
            parts = [envs.read_array(name) for name in ("qpos", "qvel")]
            states = np.concatenate([np.zeros((count, 1)), *parts], axis=1)
            warm = envs.read_array("qacc_warmstart")
            begun = time.perf_counter()
            envs.step(actions)
            between = time.perf_counter()
            targets = np.repeat(envs.read_array("ctrl")[:, np.newaxis], task.frame_skip, axis=1)
            resumed = time.perf_counter()
            rollout.rollout(model, data, states, targets, initial_warmstart=warm)
            ended = time.perf_counter()
            if number >= 5:  # before, all robots fall at once
                seconds["pool"] += between - begun
                seconds["engine"] += ended - resumed
    return rounds * count / seconds["pool"], 1 - seconds["engine"] / seconds["pool"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--xml", help="the robot's file")
    parser.add_argument("--equal", type=int, default=512, help="environments that are compared")
    parser.add_argument("--many", type=int, default=4096, help="environments that are timed")
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    if given.xml:
        os.environ["GO2_XML"] = given.xml
    if given.equal:
        count = different(given.equal, given.threads)
        print(f"{count} of {given.equal} environments differ alone or with {given.threads} threads")
    if given.many:
        for task in (Go2, QuickGo2):
            speed, share = outside(task, given.many, given.threads)
            print(
                f"{task.id}: {given.many} environments, {given.threads} threads: {speed:,.0f} steps per "
                f"second, {share:.1%} of the time outside the engine"
            )


if __name__ == "__main__":
    main()
