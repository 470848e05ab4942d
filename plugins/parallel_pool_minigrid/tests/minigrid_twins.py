"""A pool beside minigrid's own environments, step by step, with the same seeds and actions."""

from __future__ import annotations

import contextlib
import functools
import io
import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import minigrid  # noqa: F401 (registers its environments)
import numpy as np
import parallel_pool
from test_envs.lockstep import Lockstep

IDS = tuple(
    name
    for name in gymnasium.registry
    if name.startswith(("MiniGrid-", "BabyAI-")) and "WFC" not in name
)

PLAY = (0.12, 0.12, 0.32, 0.14, 0.1, 0.17, 0.03)
"""More forward, pickup, drop and toggle than turns, so that something happens."""

Play = Callable[[np.random.Generator, list[Any]], Any]
"""(draw, minigrid's environments) -> their actions."""


def play_at_random(draw: np.random.Generator, envs: list[Any]) -> Any:
    count = envs[0].action_space.n
    if count < len(PLAY):
        return draw.integers(0, count, len(envs))
    return draw.choice(len(PLAY), len(envs), p=PLAY)


def original(task_id: str, **options: Any) -> Any:
    """minigrid's environment; it prints when it rejects a level."""
    with quiet():
        return gymnasium.make(task_id, disable_env_checker=True, **options)


@contextlib.contextmanager
def quiet() -> Any:
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        yield


def lockstep(
    task_id: str,
    *,
    seeds: range,
    episodes: int = 3,
    play: Play = play_at_random,
    wrap: Callable[[Any], Any] = lambda env: env,
    keys: tuple[str, ...] = ("image", "direction", "mission"),
    only_ours: dict[str, Any] | None = None,
    **options: Any,
) -> int:
    """Plays until each environment has ended so many episodes; gives the number of successes.

    only_ours: options that the original does not get, because `wrap` does the same to it.
    """
    draw = np.random.default_rng(seeds.start)
    envs = [wrap(original(task_id, **options)) for _ in seeds]
    ended, won = np.zeros(len(envs), int), 0
    every = {"num_envs": len(envs), "num_threads": 1, **options, **(only_ours or {})}
    with parallel_pool.make(task_id, **every) as ours, quiet():
        run = Lockstep(task_id, seeds.start)
        obs, _ = ours.reset(seed=list(seeds))
        expected = [env.reset(seed=seed)[0] for env, seed in zip(envs, seeds, strict=True)]
        limits = ours.read_array("max_steps")
        done = np.zeros(len(envs), bool)
        for run.step in range(1_000_000):
            for lane, answer in enumerate(expected):
                for key in keys:
                    run.same(lane, key, obs[key][lane], answer[key], dtype=key == "image")
            for lane, env in enumerate(envs):
                run.same(lane, "max_steps", limits[lane], env.unwrapped.max_steps, dtype=False)
            if (ended >= episodes).all():
                return won
            actions = play(draw, envs)
            obs, reward, terminated, truncated, _ = ours.step(actions)
            limits = ours.read_array("max_steps") if done.any() else limits
            for lane, env in enumerate(envs):
                if done[lane]:
                    expected[lane] = env.reset()[0]
                    continue
                answer = env.step(int(actions[lane]))
                expected[lane] = answer[0]
                run.same(lane, "reward", reward[lane], float(answer[1]))
                run.same(lane, "terminated", terminated[lane], answer[2], dtype=False)
                run.same(lane, "truncated", truncated[lane], answer[3], dtype=False)
            done = terminated | truncated
            ended += done
            won += int((reward > 0).sum())
    raise AssertionError("no end")


class Bot:
    """BabyAI's bot of minigrid plays, and chance takes a part of the steps."""

    def __init__(self, task_id: str, share: float = 0.9) -> None:
        self.task_id = task_id
        self.share = share
        self.bots: dict[Any, Any] = {}

    def __call__(self, draw: np.random.Generator, envs: list[Any]) -> Any:
        actions = play_at_random(draw, envs)
        for lane, env in enumerate(envs):
            with contextlib.suppress(Exception):  # of the bot, which does not know what to do
                wanted = self._wanted(env.unwrapped)
                if draw.random() < self.share and wanted != 6:
                    actions[lane] = wanted
            self._remember(env.unwrapped, int(actions[lane]))
        return actions

    def _wanted(self, env: Any) -> int:
        from minigrid.utils.baby_ai_bot import BabyAIBot

        if env.step_count == 0:
            self.bots.pop(env, None)
            self._tell(env)
            self.bots[env] = (BabyAIBot(env), None)
        bot, last = self.bots[env]
        return int(bot.replan(last))

    def _remember(self, env: Any, action: int) -> None:
        if env in self.bots:
            self.bots[env] = (self.bots[env][0], env.actions(action))

    def _tell(self, env: Any) -> None:
        """What is to be done in MiniGrid's own rooms, which have no instruction."""
        if not self.task_id.startswith("BabyAI"):
            env.instrs = _instruction(self.task_id)
            env.instrs.reset_verifier(env)


def _instruction(task_id: str) -> Any:
    from minigrid.envs.babyai.core.verifier import ObjDesc, OpenInstr, PickupInstr

    if "Obstructed" in task_id:
        return PickupInstr(ObjDesc("ball", "blue"))
    if "KeyCorridor" in task_id:
        return PickupInstr(ObjDesc("ball"))
    if "Pickup" in task_id:
        return PickupInstr(ObjDesc("box"))
    return OpenInstr(ObjDesc("door"))


@functools.cache
def takes_max_steps(task_id: str) -> bool:
    """Whether minigrid's class lets the limit be given."""
    try:
        return bool(original(task_id, max_steps=20).unwrapped.max_steps == 20)
    except TypeError:
        return False
