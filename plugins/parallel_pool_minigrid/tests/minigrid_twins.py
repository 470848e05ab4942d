"""A pool beside minigrid's own environments, step by step, with the same seeds and actions."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Callable, Sequence
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


class Glances:
    """In place of `gen_obs`, as images cost minigrid more than all else that it does.

    It makes the first of an episode and one of every so many.
    """

    def __init__(self, env: Any, lane: int, every: int) -> None:
        self.env, self.lane, self.every = env, lane, every
        self.gen_obs = env.gen_obs
        env.gen_obs = self

    def __call__(self) -> dict[str, Any]:
        if self.env.step_count == 0 or (self.env.step_count + self.lane) % self.every == 0:
            return dict(self.gen_obs())
        return {"direction": self.env.agent_dir, "mission": self.env.mission}


def lockstep(
    task_id: str,
    *,
    seeds: Sequence[int],
    episodes: int = 3,
    play: Play = play_at_random,
    wrap: Callable[[Any], Any] = lambda env: env,
    keys: tuple[str, ...] = ("image", "direction", "mission"),
    image_every: int = 1,
    only_ours: dict[str, Any] | None = None,
    **options: Any,
) -> int:
    """Plays until each environment has ended so many episodes; gives the number of successes.

    image_every: images are compared at resets and after one of so many steps, the rest always.
    only_ours: options that the original does not get, because `wrap` does the same to it.
    """
    draw = np.random.default_rng(seeds[0])
    envs = [wrap(original(task_id, **options)) for _ in seeds]
    bare = [env.unwrapped for env in envs]
    if image_every > 1:
        for lane, env in enumerate(bare):
            Glances(env, lane, image_every)
    lanes, ended, won = list(range(len(envs))), np.zeros(len(envs), int), 0
    every = {"num_envs": len(envs), "num_threads": 1, **options, **(only_ours or {})}
    with parallel_pool.make(task_id, **every) as ours, quiet():
        run = Lockstep(task_id, seeds[0])
        obs, _ = ours.reset(seed=list(seeds))
        expected = {lane: envs[lane].reset(seed=seeds[lane])[0] for lane in lanes}
        actions = np.zeros(len(envs), np.int64)
        begun, done = np.ones(len(envs), bool), np.zeros(len(envs), bool)
        for run.step in range(1_000_000):
            for key in keys:
                wanted = {lane: expected[lane][key] for lane in lanes if key in expected[lane]}
                run.same_rows(key, obs[key], wanted, dtype=key == "image")
            if begun.any():
                limits = {lane: bare[lane].max_steps for lane in lanes}
                run.same_rows("max_steps", ours.read_array("max_steps"), limits, dtype=False)
            lanes = [lane for lane in lanes if ended[lane] < episodes]
            if not lanes:
                return won
            actions[lanes] = play(draw, [envs[lane] for lane in lanes])
            obs, reward, terminated, truncated, _ = ours.step(actions)
            answers = {
                lane: (envs[lane].reset()[0], 0.0, False, False)
                if done[lane]
                else envs[lane].step(int(actions[lane]))
                for lane in lanes
            }
            expected = {lane: answer[0] for lane, answer in answers.items()}
            rewards = {lane: float(answer[1]) for lane, answer in answers.items()}
            run.same_rows("reward", reward, rewards)
            ends = {lane: answer[2:4] for lane, answer in answers.items()}
            run.same_rows("end", np.stack([terminated, truncated], axis=1), ends, dtype=False)
            begun, done = done, terminated | truncated
            ended += done
            won += int((reward[lanes] > 0).sum())
    raise AssertionError("no end")


MOST_SEARCHES = 200
"""Of the bot in one step."""


class Bot:
    """BabyAI's bot of minigrid plays, and chance takes a part of the steps."""

    def __init__(self, task_id: str, share: float = 0.9) -> None:
        self.task_id = task_id
        self.share = share
        self.bots: dict[Any, Any] = {}

    def __call__(self, draw: np.random.Generator, envs: list[Any]) -> Any:
        actions = play_at_random(draw, envs)
        for lane, env in enumerate(envs):
            # An error of the bot means that it does not know what to do: chance plays on.
            with contextlib.suppress(Exception):
                wanted = self._wanted(env.unwrapped)
                if draw.random() < self.share and wanted != 6:
                    actions[lane] = wanted
            self._remember(env.unwrapped, int(actions[lane]))
        return actions

    def _wanted(self, env: Any) -> int:
        if env.step_count == 0:
            self.bots.pop(env, None)
            self._tell(env)
            self.bots[env] = (_bounded_bot(env), None)
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


def _bounded_bot(env: Any) -> Any:
    """A bot that gives up, with an error in each step, where minigrid's looks for a way for ever."""
    from minigrid.utils.baby_ai_bot import BabyAIBot

    class Bounded(BabyAIBot):
        searches = 0

        def replan(self, action_taken: Any = None) -> Any:
            if self.searches <= MOST_SEARCHES:
                self.searches = 0
            return super().replan(action_taken)

        def _shortest_path(self, *args: Any, **kwargs: Any) -> Any:
            self.searches += 1
            if self.searches > MOST_SEARCHES:
                raise RuntimeError("the bot finds no way")
            return super()._shortest_path(*args, **kwargs)

    return Bounded(env)


def _instruction(task_id: str) -> Any:
    from minigrid.envs.babyai.core.verifier import ObjDesc, OpenInstr, PickupInstr

    if "Obstructed" in task_id:
        return PickupInstr(ObjDesc("ball", "blue"))
    if "KeyCorridor" in task_id:
        return PickupInstr(ObjDesc("ball"))
    if "Pickup" in task_id:
        return PickupInstr(ObjDesc("box"))
    return OpenInstr(ObjDesc("door"))
