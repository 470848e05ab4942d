"""The rows of one worker's environments: actions out of them, and what environments return into them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from parallel_pool.config.python_env import PythonEnv
from parallel_pool.workers.python_envs.action_objects import object_of
from parallel_pool.workers.python_envs.obs_objects import SeenObjects
from parallel_pool.workers.python_envs.row_checks import RowError, checked_flag, checked_number
from parallel_pool.workers.python_envs.space_fields import Column, Read, reader, writer


class Columns:
    """The columns of an environment's fields, by role."""

    def __init__(self, env: PythonEnv, columns: Sequence[Column]) -> None:
        self._pairs = list(zip((field["role"] for field in env.fields), columns, strict=True))

    def of(self, role: str) -> Iterator[Column]:
        """Those of this role, in their order."""
        return (column for each, column in self._pairs if each == role)

    def one(self, role: str) -> Column:
        """The only one of this role."""
        return next(self.of(role))


class EnvRows:
    """Rows of environments with one player."""

    at_reset: tuple[Any, Any, Any] = (0.0, False, False)
    """The reward and the flags of a reset."""

    def __init__(
        self, env: PythonEnv, columns: Columns, actions: int, objects: SeenObjects
    ) -> None:
        """actions: the file of those that are no arrays."""
        read_object = partial(object_of, actions)
        self.read_action = reader(env.action_space, columns.of("action"), read_object)
        self._write_obs = objects.kept(
            writer(
                env.observation_space,
                columns.of("obs"),
                "the observation",
                objects.add,
                check=env.check_obs,
            )
        )
        self._check = env.check_obs
        self._reward, self._terminated, self._truncated = map(
            columns.one, ("reward", "terminated", "truncated")
        )

    def write(
        self, lane: int, shown: int, obs: Any, reward: Any, terminated: Any, truncated: Any
    ) -> None:
        """Writes what an environment returned, the observation into row `shown`. Raises RowError."""
        if self._check:
            reward = checked_number(reward, "the reward")
            terminated = checked_flag(terminated, "terminated")
            truncated = checked_flag(truncated, "truncated")
        self._reward[lane] = reward
        self._terminated[lane] = terminated
        self._truncated[lane] = truncated
        self._write_obs(shown, obs)

    def ended(self, lane: int) -> bool:
        """Whether this row ends an episode."""
        return bool(self._terminated[lane] or self._truncated[lane])


class PlayerRows:
    """Rows of environments with several players, of dicts by agent."""

    at_reset: tuple[Any, Any, Any] = ({}, {}, {})

    def __init__(self, env: PythonEnv, columns: Columns) -> None:
        def of_player(number: int, role: str) -> Iterator[Column]:
            return (column[:, number] for column in columns.of(role))

        def read(number: int) -> Read:
            return reader(env.action_space, of_player(number, "action"), _no_object)

        def write(number: int, agent: Any) -> Callable[[int, Any], None]:
            name = f"the observation of {agent!r}"
            values = of_player(number, "obs")
            return writer(env.observation_space, values, name, _no_object, check=env.check_obs)

        self._reads = [read(number) for number, _ in enumerate(env.agents)]
        self._writes = {agent: write(number, agent) for number, agent in enumerate(env.agents)}
        self._number = {agent: number for number, agent in enumerate(env.agents)}
        self._check = env.check_obs
        self._present = columns.one("players")
        self._numbers = [
            ("the reward", columns.one("reward"), 0.0, checked_number),
            ("terminated", columns.one("terminated"), False, checked_flag),
            ("truncated", columns.one("truncated"), False, checked_flag),
        ]

    def read_action(self, lane: int) -> list[Any]:
        """An action for each player."""
        return [read(lane) for read in self._reads]

    def write(self, lane: int, shown: int, obs: Any, *given: Any) -> None:
        """As `EnvRows.write`. Players without an observation are absent."""
        for (name, column, usual, checked), values in zip(self._numbers, given, strict=True):
            column[lane] = usual
            for agent, value in self._by_agent(name, values):
                if self._check:
                    value = checked(value, f"{name} of {agent!r}")
                column[lane, self._number[agent]] = value
        self._present[lane] = 0
        for agent, value in self._by_agent("the observation", obs):
            self._present[lane, self._number[agent]] = 1
            self._writes[agent](shown, value)

    def acting(self, lane: int) -> bytes:
        """Which players act after what this row says."""
        _, (_, terminated, *_), (_, truncated, *_) = self._numbers
        going = self._present[lane].astype(bool) & ~(terminated[lane] | truncated[lane])
        return bytes(going.tobytes())

    def _by_agent(self, name: str, values: Any) -> Iterator[tuple[Any, Any]]:
        if not isinstance(values, Mapping):
            raise RowError(f"{name} is {values!r}, expected a dict by agent")
        for agent, value in values.items():
            if agent not in self._number:
                raise RowError(f"{name} has {agent!r}, which is not in possible_agents")
            yield agent, value


def _no_object(_: Any) -> None:
    raise AssertionError("players have arrays only")
