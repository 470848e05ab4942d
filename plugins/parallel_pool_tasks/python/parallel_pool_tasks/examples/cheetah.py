"""HalfCheetah-v5 of Gymnasium as a task, equal bit for bit.

The task is Wawrzynski's (2009), written from the behaviour of Gymnasium's; the model is read from the installed
Gymnasium.
"""

from typing import Any

import numpy as np

from parallel_pool_tasks import Step, Task, gymnasium_model


class Cheetah(Task):
    """Run with a planar cheetah."""

    id = "tasks/Cheetah-v0"
    model = gymnasium_model("half_cheetah.xml")
    frame_skip, max_episode_steps, render_fps = 5, 1000, 20
    forward_reward_weight: float = 1.0
    ctrl_cost_weight: float = 0.1
    reset_noise_scale: float = 0.1

    def reset(self, sim: Any, rng: Any, ep: Any) -> dict[str, Any]:
        """Stands nearly as the model does."""
        scale = self.reset_noise_scale
        sim.qpos[:] = sim.model.qpos0 + rng.uniform(-scale, scale, sim.nq)
        sim.qvel[:] = scale * rng.standard_normal(sim.nv)
        sim.forward()
        return {"x_position": sim.qpos[0]}

    def observe(self, sim: Any, rng: Any, ep: Any) -> Any:
        """All positions but how far it has come, and velocities."""
        return np.concatenate([sim.qpos[1:], sim.qvel[:]])

    def step(self, sim: Any, action: Any, rng: Any, ep: Any) -> Step:
        """Pays for speed, and takes for controls."""
        before = sim.qpos[0]
        sim.ctrl[:] = action
        sim.step(self.frame_skip)
        after = sim.qpos[0]
        velocity = (after - before) / self.dt
        forward = self.forward_reward_weight * velocity
        cost = self.ctrl_cost_weight * np.sum(np.square(action))
        info = {"x_position": after, "x_velocity": velocity}
        info |= {"reward_forward": forward, "reward_ctrl": -cost}
        return Step(forward - cost, info=info)
