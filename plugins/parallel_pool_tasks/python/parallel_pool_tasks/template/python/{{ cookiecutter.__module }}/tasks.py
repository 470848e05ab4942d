"""The tasks: numpy code about one environment, which C++ steps."""

import numpy as np

from parallel_pool_tasks import Step, Task


class {{ cookiecutter.env }}(Task):
    """Keep a pole upright on a cart."""

    id, model = "{{ cookiecutter.family }}/{{ cookiecutter.env }}-v0", "{{ cookiecutter.family }}.xml"
    frame_skip, max_episode_steps, render_fps = 2, 500, 50
    noise: float = 0.05  # an option of make, as all with a type
    widest: float = 0.5  # radians, at which an episode ends

    def reset(self, sim, rng, ep):
        sim.qpos[:] = rng.uniform(-self.noise, self.noise, sim.nq)
        sim.forward()

    def observe(self, sim, rng, ep):
        return np.concatenate([sim.qpos[:], sim.qvel[:]])

    def step(self, sim, action, rng, ep):
        sim.ctrl[:] = action
        sim.step(self.frame_skip)
        tilt = np.abs(sim.joint("hinge").qpos[0])
        return Step(1.0 - tilt, tilt > self.widest, {"tilt": tilt})


TASKS = ({{ cookiecutter.env }},)
