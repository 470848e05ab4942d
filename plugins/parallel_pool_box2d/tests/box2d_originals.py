"""Gymnasium's own environments, and how they are played."""

from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
from parallel_pool.testing import Play
from parallel_pool_author.testing.beside import made
from test_envs.originals import Beside


def landing(play: Play) -> Any:
    """Gymnasium's heuristic, which lands, with noise."""
    from gymnasium.envs.box2d.lunar_lander import heuristic

    draw, envs = play.draw, play.pool.num_envs
    asked: Any = SimpleNamespace(continuous=bool(play.pool.single_action_space.shape))
    asked.unwrapped = asked
    wanted = np.array([heuristic(asked, row) for row in play.obs])
    if wanted.ndim == 1:
        return np.where(draw.random(envs) < 0.1, draw.integers(0, 4, envs), wanted)
    return np.clip(wanted + draw.normal(0, 0.1, wanted.shape), -1, 1).astype(np.float32)


class Walking:
    """Gymnasium's heuristic, which walks, with noise."""

    def __init__(self) -> None:
        self.walkers: dict[int, Any] = {}

    def __call__(self, play: Play) -> Any:
        from gymnasium.envs.box2d.bipedal_walker import BipedalWalkerHeuristics

        self.walkers |= {row: BipedalWalkerHeuristics() for row in np.flatnonzero(play.begun)}
        wanted = [self.walkers[row].step_heuristic(seen) for row, seen in enumerate(play.obs)]
        noise = play.draw.normal(0, 0.05, (len(wanted), 4))
        return np.clip(np.array(wanted) + noise, -1, 1).astype(np.float32)


class Driving:
    """Along the road, more or less: what is steered is held for a while."""

    def __init__(self) -> None:
        self.held: Any = None

    def __call__(self, play: Play) -> Any:
        fresh, envs = play.sample(), play.pool.num_envs
        if fresh.ndim == 2:
            fresh *= np.float32([0.5, 1, 0.3])
        elif play.step:
            fresh[play.draw.random(envs) < 0.5] = 3
        if not play.step:
            self.held = fresh
        new = play.draw.random(envs) < 0.1
        self.held = np.where(new.reshape(-1, *[1] * (fresh.ndim - 1)), fresh, self.held)
        return self.held


class Repeated(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Takes each action so many times, and adds the rewards up. Infos always have `lap_finished`."""

    def __init__(self, env: gymnasium.Env[Any, Any], times: int) -> None:
        super().__init__(env)
        self.times = times

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        total = 0.0
        for _ in range(self.times):
            obs, reward, terminated, truncated, info = self.env.step(action)
            total += float(reward)
            if terminated or truncated:
                break
        return obs, total, terminated, truncated, {"lap_finished": False, **info}


def played(
    beside: Beside, task_id: str, policy: Any, *, frame_skip: int | None = None, **how: Any
) -> Play:
    """Three rows. how: options too."""

    def original(**options: Any) -> Any:
        env = made(task_id, **options)
        return Repeated(env, frame_skip or 1) if task_id.startswith("CarRacing") else env

    ours = {"frame_skip": frame_skip} if frame_skip else {}
    how["infos"] = ("lap_finished",)
    return beside(f"box2d/{task_id}", original, policy, num_envs=3, ours=ours, **how)
