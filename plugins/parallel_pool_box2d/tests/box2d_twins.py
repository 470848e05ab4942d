"""A pool beside Gymnasium's own environments, step by step, with the same seeds and actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import parallel_pool
from test_envs.lockstep import Lockstep

Actions = npt.NDArray[Any]
Play = Callable[[np.random.Generator, list[Any], Actions], Actions]
"""(draw, Gymnasium's environments, their observations) -> actions."""


def at_random(draw: np.random.Generator, envs: list[Any], _: Actions) -> Actions:
    """Every action, as likely as any other."""
    space = envs[0].action_space
    if isinstance(space, gymnasium.spaces.Discrete):
        return draw.integers(0, space.n, len(envs))
    return draw.uniform(space.low, space.high, (len(envs), *space.shape)).astype(space.dtype)


def landing(draw: np.random.Generator, envs: list[Any], obs: Actions) -> Actions:
    """Gymnasium's heuristic, which lands, with noise."""
    from gymnasium.envs.box2d.lunar_lander import heuristic

    wanted = np.array([heuristic(env, row) for env, row in zip(envs, obs, strict=True)])
    if wanted.ndim == 1:
        return np.where(draw.random(len(envs)) < 0.1, draw.integers(0, 4, len(envs)), wanted)
    return np.clip(wanted + draw.normal(0, 0.1, wanted.shape), -1, 1).astype(np.float32)


class Walking:
    """Gymnasium's heuristic, which walks, with noise."""

    def __init__(self) -> None:
        self.walkers: dict[int, Any] = {}

    def __call__(self, draw: np.random.Generator, envs: list[Any], obs: Actions) -> Actions:
        from gymnasium.envs.box2d.bipedal_walker import BipedalWalkerHeuristics

        wanted = np.zeros((len(envs), 4))
        for lane, (env, row) in enumerate(zip(envs, obs, strict=True)):
            if env.unwrapped.prev_shaping is None or lane not in self.walkers:
                self.walkers[lane] = BipedalWalkerHeuristics()
            wanted[lane] = self.walkers[lane].step_heuristic(row)
        return np.clip(wanted + draw.normal(0, 0.05, wanted.shape), -1, 1).astype(np.float32)


class Driving:
    """Along the road, more or less: what is steered is held for a while."""

    def __init__(self) -> None:
        self.held: Actions | None = None

    def __call__(self, draw: np.random.Generator, envs: list[Any], _: Actions) -> Actions:
        fresh = at_random(draw, envs, _)
        if fresh.ndim == 2:
            fresh *= np.float32([0.5, 1, 0.3])
        elif self.held is not None:
            fresh[draw.random(len(envs)) < 0.5] = 3
        if self.held is None or self.held.shape != fresh.shape:
            self.held = fresh
        new = draw.random(len(envs)) < 0.1
        self.held = np.where(new.reshape(-1, *[1] * (fresh.ndim - 1)), fresh, self.held)
        return self.held


class Repeated(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Takes each action so many times, and adds the rewards up."""

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
        return obs, total, terminated, truncated, info


def lockstep(
    task_id: str,
    play: Play,
    *,
    steps: int,
    seed: int = 0,
    lanes: int = 3,
    frame_skip: int | None = None,
    **options: Any,
) -> int:
    """Compares every number of so many steps of each lane; gives the number of episodes that ended."""
    draw = np.random.default_rng(seed)
    seeds = list(range(seed, seed + lanes))
    run = Lockstep(task_id, seed)
    envs = [gymnasium.make(task_id, disable_env_checker=True, **options) for _ in seeds]
    if frame_skip is not None:
        envs = [Repeated(env, frame_skip) for env in envs]
        options["frame_skip"] = frame_skip
    with parallel_pool.make(f"box2d/{task_id}", num_envs=lanes, num_threads=1, **options) as ours:
        obs, _ = ours.reset(seed=seeds)
        expected = [env.reset(seed=each)[0] for env, each in zip(envs, seeds, strict=True)]
        for lane, row in enumerate(expected):
            run.same(lane, "observation", obs[lane], row, bits=True)
        done = np.zeros(lanes, bool)
        ended = 0
        for run.step in range(steps):
            actions = play(draw, envs, np.stack(expected))
            obs, reward, terminated, truncated, info = ours.step(actions)
            for lane, env in enumerate(envs):
                if done[lane]:
                    expected[lane] = env.reset()[0]
                    run.same(lane, "observation", obs[lane], expected[lane], bits=True)
                    continue
                expected[lane], paid, over, cut, facts = env.step(actions[lane])
                run.same(lane, "observation", obs[lane], expected[lane], bits=True)
                if "lap_finished" in info:
                    run.same(
                        lane,
                        "lap_finished",
                        info["lap_finished"][lane],
                        facts.get("lap_finished", False),
                    )
                run.same(lane, "reward", reward[lane], np.float64(paid), bits=True)
                run.same(lane, "terminated", terminated[lane], over, dtype=False)
                run.same(lane, "truncated", truncated[lane], cut, dtype=False)
            done = terminated | truncated
            ended += int(done.sum())
    for env in envs:
        env.close()
    return ended
