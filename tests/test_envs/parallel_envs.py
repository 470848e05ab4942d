"""PettingZoo's parallel environments, for workers to import."""

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv


class Race(ParallelEnv):  # type: ignore[misc]
    """Three runners; each ends alone at the goal, all of them are cut off at the limit. "late" starts at 2.

    leaves: the number of the step after which "b" is gone without a word; 0: never.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "race",
        "render_modes": ["rgb_array"],
        "render_fps": 7,
    }

    def __init__(self, goal: int = 6, limit: int = 8, leaves: int = 0, **options: Any) -> None:
        self.render_mode = options.get("render_mode")
        self.goal, self.limit, self.leaves = goal, limit, leaves
        self.possible_agents = ["a", "b", "late"]

    def observation_space(self, agent: str) -> Any:
        return spaces.Dict({"place": spaces.Box(0, 99, (2,)), "turn": spaces.Discrete(99)})

    def action_space(self, agent: str) -> Any:
        return spaces.Discrete(3)

    def _seen(self, agent: str) -> dict[str, Any]:
        place = np.array([self.places[agent], self.possible_agents.index(agent)], np.float32)
        return {"place": place, "turn": self.turn}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        begin = (options or {}).get("begin", 0 if seed is None else seed % 3)
        self.turn = 0
        self.agents = ["a", "b"]
        self.places = {agent: begin for agent in self.possible_agents}
        return {each: self._seen(each) for each in self.agents}, {each: {} for each in self.agents}

    def step(self, actions: dict[str, int]) -> Any:
        assert set(actions) == set(self.agents)
        self.turn += 1
        for agent, action in actions.items():
            self.places[agent] += int(action)
        if self.turn == self.leaves and "b" in self.agents:
            self.agents.remove("b")
        shown = list(self.agents)
        if self.turn == 2:
            shown.append("late")
        over = {each: self.places[each] >= self.goal for each in shown}
        cut = {each: self.turn >= self.limit and not over[each] for each in shown}
        self.agents = [each for each in shown if not over[each] and not cut[each]]
        rewards = {
            each: float(actions.get(each, 0)) - self.possible_agents.index(each) for each in shown
        }
        infos = {each: {"gone": self.places[each]} if each != "a" else {} for each in shown}
        return {each: self._seen(each) for each in shown}, rewards, over, cut, infos

    def render(self) -> Any:
        return np.full((4, 6, 3), self.turn, np.uint8)

    def close(self) -> None: ...


def race(**options: Any) -> Race:
    """For the id "pettingzoo:test_envs.parallel_envs:race"."""
    return Race(**options)


class Unlike(Race):
    """Its agents have other actions each."""

    def action_space(self, agent: str) -> Any:
        return spaces.Discrete(2 + len(agent))


class Wild(Race):
    """Returns what it should not."""

    def __init__(self, kind: str = "") -> None:
        super().__init__()
        self.kind = kind

    def step(self, actions: dict[str, int]) -> Any:
        obs, rewards, over, cut, infos = super().step(actions)
        if self.kind == "stranger":
            obs["stranger"] = obs["a"]
        elif self.kind == "list":
            rewards = list(rewards.values())
        elif self.kind == "none":
            rewards["b"] = None
        elif self.kind == "shape":
            obs["b"] = {**obs["b"], "place": np.zeros(3, np.float32)}
        return obs, rewards, over, cut, infos


class InTurn:
    """Looks as an AECEnv does."""

    def agent_iter(self) -> Any: ...
