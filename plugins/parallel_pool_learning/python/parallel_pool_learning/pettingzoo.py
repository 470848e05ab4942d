"""An environment with several players through PettingZoo's parallel API. Needs the package pettingzoo.

```python
from parallel_pool.pettingzoo import parallel_env

env = parallel_env("classic/TwoPlayerPong-v0")
```
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.utils.seeding import np_random
from parallel_pool.pool_api import (
    Field,
    GymnasiumPool,
    OneEnvironment,
    is_multi_player,
    result_tree,
    result_trees,
    space_of,
    tree_of,
)

try:
    from pettingzoo import ParallelEnv
except ImportError as error:
    raise ImportError(
        "parallel_pool.pettingzoo needs the package pettingzoo: "
        'pip install "parallel-pool[pettingzoo]"'
    ) from error


_Stepped: TypeAlias = tuple[
    dict[str, Any],
    dict[str, float],
    dict[str, bool],
    dict[str, bool],
    dict[str, dict[str, Any]],
]


def parallel_env(task_id: str, **arguments: Any) -> ParallelPlayers:
    """One environment as a `pettingzoo.ParallelEnv`; arguments as for `parallel_pool.make`.

    Raises OptionError if the environment has one player, and what `make` raises.
    """
    return ParallelPlayers(task_id, **arguments)


class ParallelPlayers(OneEnvironment[GymnasiumPool], ParallelEnv[str, Any, Any]):  # type: ignore[misc]
    """A pool of one environment as a `pettingzoo.ParallelEnv`, with one dict entry per agent.

    Agents are "player_0", "player_1", ...: the number is the player's index in padded arrays. `agents` has
    the agents that act next; it is empty at the end of an episode, and `reset` starts the next one. An
    observation contains the player's own part and the part that all players share. An agent that leaves
    without its own termination or truncation is truncated, with zeros as its last observation. A reward for
    all players is given to each agent.
    """

    def __init__(self, task_id: str, **arguments: Any) -> None:
        pool = self._open(GymnasiumPool, task_id, arguments, autoreset_mode="Disabled")
        config = pool.definition
        if not is_multi_player(config.fields):
            self._refuse(
                f"{task_id} has one player: use gymnasium.make('parallel_pool.gymnasium:{config.env.id}')"
            )
        if config.arguments.chunk_rewards:
            self._refuse(
                f"{task_id}: chunk_rewards is not for PettingZoo's interface: leave it out"
            )
        self._fields = config.fields
        self._own_info = result_trees.info_tree(config, per_player=True)
        self._common_info = result_trees.info_tree(config)
        if config.arguments.action_chunk is not None:
            self._common_info["chunk_steps"] = result_tree.HostColumn("chunk_steps")
        self.metadata = {"name": config.env.id.partition("/")[2], **config.render_metadata}
        self.render_mode = config.arguments.render_mode
        self._np_random: np.random.Generator | None = None
        self.possible_agents = [f"player_{number}" for number in range(config.max_players)]
        self._number = {agent: number for number, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        # One space each: PettingZoo seeds them separately.
        self.observation_spaces = {a: space_of(self._fields, "obs") for a in self.possible_agents}
        self.action_spaces = {a: space_of(self._fields, "action") for a in self.possible_agents}
        self._part = _part_of(self._fields)

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """Returns the agent's space, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        """Returns the agent's space, always the same object."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Returns (observations, infos). seed: reseeds the generator (None: it continues). No options."""
        if seed is not None:
            self._np_random, _ = np_random(seed)
        seeds = None if seed is None else [seed]
        self.agents, result = self._pool.reset_handle(None, seeds).map(self._first).result
        begun: tuple[dict[str, Any], dict[str, dict[str, Any]]] = result
        return begun

    def step(self, actions: dict[str, Any]) -> _Stepped:
        """Returns (observations, rewards, terminations, truncations, infos) of the agents that acted or joined.

        actions: one for each of `agents`. Raises ValueError that names an agent without an action, or an
        agent that does not act.
        """
        if not self.agents:
            return {}, {}, {}, {}, {}
        before = self.agents
        for agent in before:
            if agent not in actions:
                raise ValueError(f"there is no action for {agent}, which is one of env.agents")
        for agent in actions:
            if agent not in before:
                raise ValueError(f"{agent} does not act now; env.agents are {before}")
        self.agents, result = (
            self._pool.step_handle(self._joint(actions), None).map(self._next).result
        )
        stepped: _Stepped = result
        return stepped

    def recv(self) -> _Stepped:
        """The result of a reset or step that was interrupted by an exception of a signal handler.

        Raises NothingPendingError if the call was interrupted before it started: repeat it.
        """
        self.agents, result = self._pool.recv_handle().map(self._next).result
        stepped: _Stepped = result
        return stepped

    def _acting(self, info: dict[str, Any]) -> list[str]:
        here = info["players"]["acting"][0]
        return [agent for agent, number in self._number.items() if here[number]]

    def _first(self, result: Any) -> tuple[list[str], Any]:
        obs, info = result
        agents = self._acting(info)
        return agents, (self._each(obs, agents), self._infos(info, agents))

    def _next(self, result: Any) -> tuple[list[str], _Stepped]:
        """The agents that act next, and the result of `step`."""
        before = self.agents
        obs, reward, _, _, info = result
        players = info["players"]
        present = players["present"][0]
        shown = [a for a, number in self._number.items() if present[number] or a in before]
        rewards, terminations, truncations = {}, {}, {}
        for agent in shown:
            number = self._number[agent]
            rewards[agent] = float(reward[0, number] if reward.ndim > 1 else reward[0])
            terminations[agent] = bool(players["terminated"][0, number])
            truncations[agent] = bool(players["truncated"][0, number] or not present[number])
        infos = self._infos(info, shown)
        return self._acting(info), (
            self._each(obs, shown),
            rewards,
            terminations,
            truncations,
            infos,
        )

    @property
    def np_random(self) -> np.random.Generator:
        """A generator for wrappers that draw random numbers, such as SuperSuit's, reseeded by `reset`.

        The environment has its own generator.
        """
        if self._np_random is None:
            self._np_random, _ = np_random(None)
        return self._np_random

    def render(self) -> Any:
        """A picture (uint8, height x width x 3), in mode "ansi" a text, None without a render_mode."""
        return None if self.render_mode is None else self._pool.render()[0]

    def _each(self, obs: Any, agents: list[str]) -> dict[str, Any]:
        return {agent: self._part(obs, self._number[agent]) for agent in agents}

    def _infos(self, info: dict[str, Any], agents: list[str]) -> dict[str, dict[str, Any]]:
        common = _rows(self._common_info, info, 0)
        return {
            agent: {**common, **_rows(self._own_info, info["players"], (0, self._number[agent]))}
            for agent in agents
        }

    def _joint(self, actions: dict[str, Any]) -> Any:
        """The padded action of the environment; a part that all players share is the first agent's."""

        def leaf(number: int, field: Field) -> Any:
            path = field["name"].split("/") if field["name"] else []
            parts = {agent: np.asarray(_at(action, path)) for agent, action in actions.items()}
            if not field["per_player"]:
                return next(iter(parts.values()))[None]
            for agent, part in parts.items():
                if part.shape != field["shape"]:
                    raise ValueError(
                        f"the action of {agent} has shape {part.shape}, not {field['shape']}"
                    )
            shape = (1, len(self.possible_agents), *field["shape"])
            joint = np.zeros(shape, np.result_type(*parts.values()))
            for agent, part in parts.items():
                joint[0, self._number[agent]] = part
            return joint

        return tree_of(self._fields, "action", leaf)


def _part_of(fields: Any) -> Callable[[Any, int], Any]:
    """One player's observation out of a padded batch of one environment."""

    def leaf(_: int, field: Field) -> Callable[[Any, int], Any]:
        # Discrete spaces contain numbers, all others arrays, also of no dimension.
        plain = field["kind"] == "discrete"
        own = field["per_player"]
        if field["kind"] == "text":
            return lambda batch, _: batch[0]

        def take(batch: npt.NDArray[Any], player: int) -> Any:
            part = batch[0, player, ...] if own else batch[0, ...]
            return np.int64(part) if plain else part

        return take

    def gather(members: dict[str, Any]) -> Callable[[Any, int], Any]:
        return lambda batch, player: {k: take(batch[k], player) for k, take in members.items()}

    def line_up(members: list[Any]) -> Callable[[Any, int], Any]:
        return lambda batch, player: tuple(
            take(each, player) for take, each in zip(members, batch, strict=True)
        )

    part: Callable[[Any, int], Any] = tree_of(fields, "obs", leaf, gather, line_up)
    return part


def _rows(tree: Mapping[str, result_tree.Tree], info: dict[str, Any], index: Any) -> dict[str, Any]:
    """The values of a tree of infos at one index: numbers for scalars."""
    rows: dict[str, Any] = {}
    for name, inner in tree.items():
        if isinstance(inner, Mapping):
            rows[name] = _rows(inner, info[name], index)
        else:
            value = info[name][index]
            rows[name] = value.item() if np.ndim(value) == 0 else value
    return rows


def _at(tree: Any, path: list[str]) -> Any:
    for key in path:
        tree = tree[int(key)] if isinstance(tree, tuple) else tree[key]
    return tree
