"""minigrid's own environments, and how they are played."""

import contextlib
import io
import itertools
import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import minigrid  # noqa: F401 (registers its environments)
import numpy as np
from parallel_pool.testing import Play

IDS = tuple(
    name
    for name in gymnasium.registry
    if name.startswith(("MiniGrid-", "BabyAI-")) and "WFC" not in name
)

PLAY = (0.12, 0.12, 0.32, 0.14, 0.1, 0.17, 0.03)
"""More forward, pickup, drop and toggle than turns, so that something happens."""


def play_at_random(play: Play) -> Any:
    count, envs = play.pool.single_action_space.n, play.pool.num_envs
    if count < len(PLAY):
        return play.draw.integers(0, count, envs)
    return play.draw.choice(len(PLAY), envs, p=PLAY)


def original(task_id: str, **options: Any) -> Any:
    """minigrid's environment; it prints when it rejects a level."""
    with quiet():
        return gymnasium.make(task_id, disable_env_checker=True, **options)


@contextlib.contextmanager
def quiet() -> Any:
    with warnings.catch_warnings(action="ignore"), contextlib.redirect_stdout(io.StringIO()):
        yield


class Glances:
    def __init__(self, env: Any, lane: int, every: int) -> None:
        self.env, self.lane, self.every = env, lane, every
        self.gen_obs = env.gen_obs
        env.gen_obs = self

    def __call__(self) -> dict[str, Any]:
        if self.env.step_count == 0 or (self.env.step_count + self.lane) % self.every == 0:
            return dict(self.gen_obs())
        return {"direction": self.env.agent_dir, "mission": self.env.mission}


def glancing(task_id: str, every: int) -> Callable[..., Any]:
    """Makes environments of which an image is seen at resets and after one of so many steps."""
    lanes = itertools.count()

    def make(**options: Any) -> Any:
        env = original(task_id, **options)
        Glances(env.unwrapped, next(lanes), every)
        return env

    return make


def limits_too(policy: Callable[[Play], Any], episodes: int) -> Callable[[Play], Any]:
    """Plays so, and compares how many steps the first `episodes` of each row may have."""

    def act(play: Play) -> Any:
        limits = play.pool.read_array("max_steps")
        for row in np.flatnonzero(play.begun & (play.ended < episodes)):
            assert limits[row] == play.originals[row].unwrapped.max_steps
        return policy(play)

    return act


MOST_SEARCHES = 200
"""Of the bot in one step."""


class Bot:
    """BabyAI's bot of minigrid plays, and chance takes a part of the steps."""

    def __init__(self, task_id: str, share: float = 0.9) -> None:
        self.task_id = task_id
        self.share = share
        self.bots: dict[Any, Any] = {}

    def __call__(self, play: Play) -> Any:
        actions = play_at_random(play)
        for row, env in enumerate(each.unwrapped for each in play.originals):
            # An error of the bot means that it does not know what to do: chance plays on.
            with contextlib.suppress(Exception):
                wanted = self._wanted(env)
                if play.draw.random() < self.share and wanted != 6:
                    actions[row] = wanted
            if env in self.bots:
                self.bots[env] = (self.bots[env][0], env.actions(int(actions[row])))
        return actions

    def _wanted(self, env: Any) -> int:
        if env.step_count == 0:
            self.bots.pop(env, None)
            if not self.task_id.startswith("BabyAI"):  # MiniGrid's own rooms have no instruction
                env.instrs = _instruction(self.task_id)
                env.instrs.reset_verifier(env)
            self.bots[env] = (_bounded_bot(env), None)
        bot, last = self.bots[env]
        return int(bot.replan(last))


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
