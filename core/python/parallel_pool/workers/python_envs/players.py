"""PettingZoo's parallel environments in the form in which workers have environments.

Agents are players: the number of an agent is its place in `possible_agents`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gymnasium import Env

from parallel_pool.errors import OptionError, PluginError

Flags = dict[Any, bool]


def as_env(env_id: str, made: Any) -> Env[Any, Any]:
    """What a factory made: a gymnasium.Env, or a ParallelEnv as `Players`. Raises PluginError, OptionError."""
    if isinstance(made, Env):
        return made
    if hasattr(made, "agent_iter"):
        raise OptionError(
            f"{env_id}: its agents act in turn, as pettingzoo's AECEnv: "
            "pettingzoo.utils.conversions.aec_to_parallel makes a ParallelEnv of it, if its rules allow that"
        )
    if not hasattr(made, "possible_agents"):
        raise PluginError(
            f"{env_id}: its factory must make a gymnasium.Env or a pettingzoo.ParallelEnv with "
            f"possible_agents, and made {made!r}"
        )
    return Players(env_id, made)


class Players(Env[Any, Any]):
    """A ParallelEnv. `step` takes an action for each number of an agent; results are dicts by agent."""

    def __init__(self, env_id: str, env: Any) -> None:
        self.env = env
        self.agents: Sequence[Any] = list(env.possible_agents)
        if not self.agents:
            raise OptionError(f"{env_id}: its possible_agents are empty")
        self.observation_space = self._common(env_id, "observation_space")
        self.action_space = self._common(env_id, "action_space")
        self.metadata = env.metadata

    def _common(self, env_id: str, name: str) -> Any:
        of = getattr(self.env, name)
        first = of(self.agents[0])
        for agent in self.agents:
            if of(agent) != first:
                raise OptionError(
                    f"{env_id}: its agents {self.agents[0]!r} and {agent!r} differ in their {name}, {first} "
                    f"and {of(agent)}: players of a pool have one. SuperSuit's pad_observations_v0 and "
                    "pad_action_space_v0 make them equal"
                )
        return first

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[Any, Any], dict[str, Any]]:
        """(observations, infos), by agent."""
        obs, infos = self.env.reset(seed=seed, options=options)
        return obs, _told(infos)

    def step(self, action: Any) -> tuple[dict[Any, Any], Any, Any, Any, dict[str, Any]]:
        """(observations, rewards, terminations, truncations, infos), by agent.

        Where no agent is left, those that did not end are truncated, so that the episode ends.
        """
        acting = set(self.env.agents)
        actions = {agent: action[n] for n, agent in enumerate(self.agents) if agent in acting}
        obs, rewards, over, cut, infos = self.env.step(actions)
        if not self.env.agents:
            cut = {agent: cut.get(agent) or not over.get(agent) for agent in self.agents}
        return obs, rewards, over, cut, _told(infos)

    def render(self) -> Any:
        """As the environment's."""
        return self.env.render()

    def close(self) -> None:
        """As the environment's."""
        self.env.close()

    @property
    def unwrapped(self) -> Any:
        """The environment without wrappers."""
        return getattr(self.env, "unwrapped", self.env)

    def get_wrapper_attr(self, name: str) -> Any:
        """An attribute of the environment."""
        return getattr(self.env, name)

    def set_wrapper_attr(self, name: str, value: Any, *, force: bool = True) -> bool:
        """Sets an attribute of the environment."""
        setattr(self.env, name, value)
        return True


def _told(infos: Mapping[Any, Mapping[str, Any]]) -> dict[str, Any]:
    """The infos of those agents that have any."""
    return {str(agent): dict(info) for agent, info in infos.items() if info}
