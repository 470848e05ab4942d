"""A task with goals, as hindsight experience replay wants them."""

from typing import Any

import numpy as np

from parallel_pool_tasks import Step, Task, gymnasium_model, until


class Reach(Task):
    """Bring the tip of an arm of two links to a goal; the reward is -1 until it is there."""

    id = "tasks/Reach-v0"
    model = gymnasium_model("reacher.xml")
    frame_skip, max_episode_steps, render_fps = 2, 50, 50
    threshold: float = 0.02
    dense: bool = False

    def reset(self, sim: Any, rng: Any, ep: Any) -> None:
        """Nearly stretched out, with a goal within the arm's reach."""
        goal = until(lambda: rng.uniform(-0.2, 0.2, 2), lambda goal: np.linalg.norm(goal) < 0.2)
        sim.qpos[:] = np.concatenate([rng.uniform(-0.1, 0.1, 2), goal])
        sim.forward()

    def observe(self, sim: Any, rng: Any, ep: Any) -> dict[str, Any]:
        """Angles and their speeds; where the tip is, and where the goal is."""
        angles = sim.qpos[:2]
        return {
            "observation": np.concatenate([np.cos(angles), np.sin(angles), sim.qvel[:2]]),
            "achieved_goal": sim.body("fingertip").xpos[:2],
            "desired_goal": sim.body("target").xpos[:2],
        }

    def step(self, sim: Any, action: Any, rng: Any, ep: Any) -> Step:
        """Pays what `compute_reward` says of where the tip is now."""
        sim.ctrl[:] = action
        sim.step(self.frame_skip)
        seen = self.observe(sim, rng, ep)
        achieved, desired = seen["achieved_goal"], seen["desired_goal"]
        reward = self.compute_reward(achieved, desired, {})
        return Step(reward, info={"is_success": self.distance(achieved, desired) < self.threshold})

    def distance(self, achieved: Any, desired: Any) -> Any:
        """Returns the distance in each row."""
        return np.linalg.norm(achieved - desired, axis=-1)

    def compute_reward(self, achieved: Any, desired: Any, info: Any) -> Any:
        """Returns the reward of each row."""
        distance = self.distance(achieved, desired)
        return -distance if self.dense else -(distance >= self.threshold).astype(np.float32)
