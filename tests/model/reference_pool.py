"""What a pool promises, as the shortest Python program that keeps the promise.

One environment after the other, one thread, no memory shared, nothing fast. The pool in C++ has to agree
with it in every value and every refusal, whatever its threads, shards and batch size:

- An environment is a process of its own: its rows depend on its seed, its options and its actions only.
- A refusal changes nothing. What is wrong is looked for in this order: environment ids (out of range),
  the number of actions, the pool (closed), then for one id after the other whether it occurs twice, has
  a result on its way, or needs a reset; then, of calls that want their own answer, whether another one is
  on its way; the values of the actions come last.
- A synchronous pool answers in the order of the questions, an asynchronous one with any `batch_size` of
  the environments that were asked. Nothing is lost and nothing comes twice.
"""

import copy
import math
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from drift import Blown, Drift
from parallel_pool import (
    AlreadyPendingError,
    ClosedPoolError,
    NothingPendingError,
    ResetNeededError,
    StateError,
)

Obs = tuple[float, float]


@dataclass(frozen=True)
class Config:
    name: str = "Drift"
    num_envs: int = 1
    batch_size: int = 1
    autoreset_mode: str = "NextStep"
    max_episode_steps: int = 0
    """0: no limit."""
    statistics: bool = False
    """Whether returns of episodes are counted."""
    wind: float = 0.0
    chunk: int | None = None
    """Actions in one call; None: one, that is no list."""

    @property
    def is_async(self) -> bool:
        """Whether answers have fewer rows than the pool has environments."""
        return self.batch_size < self.num_envs


@dataclass(frozen=True)
class Row:
    """What one environment answers to one step or reset."""

    obs: Obs = (0.0, 0.0)
    reward: float = 0.0
    terminated: bool = False
    truncated: bool = False
    elapsed: int = 0
    first: bool = False
    """Whether it was a reset."""
    travelled: float = 0.0
    final_obs: Obs | None = None
    """SAME_STEP: the last observation of the episode that ended here."""
    final_travelled: float | None = None
    episode: tuple[float, int] | None = None
    """Return and length of the episode that ended here."""
    failure: str | None = None
    rewards: tuple[float, ...] = ()
    """Of the steps of a chunk that were made."""


@dataclass
class Process:
    """One environment: all that its next row depends on, and nothing else. A saved state is a copy."""

    env: Drift
    rng: np.random.Generator
    seed: int | None
    """Of the next reset; None: the generator goes on."""
    started: bool = False
    ended: bool = False
    failed: bool = False
    elapsed: int = 0
    total: float = 0.0
    """The rewards of the episode so far; NaN where they were not counted."""

    def reset(self) -> Obs:
        """Begins an episode."""
        if self.seed is not None:
            self.rng = np.random.default_rng(self.seed)
            self.seed = None
        self.ended = False
        self.elapsed = 0
        self.total = 0.0
        return self.env.reset(self.rng)

    def play(self, actions: Sequence[int] | int | None, config: Config) -> Row:
        """The last of the rows of some actions, with the rewards of all; an end or a reset ends them."""
        if not isinstance(actions, Sequence):
            return self.answer(actions, config)
        rewards: list[float] = []
        row = Row()
        for action in actions:
            row = self.answer(action, config)
            if row.first or row.failure is not None:
                break
            rewards.append(row.reward)
            if row.terminated or row.truncated:
                break
        return replace(row, reward=sum(rewards, 0.0), rewards=tuple(rewards))

    def answer(self, action: int | None, config: Config) -> Row:
        if action is None or (self.ended and config.autoreset_mode == "NextStep"):
            return Row(self.reset(), first=True)
        try:
            obs, reward, terminated, truncated = self.env.step(action, self.rng)
        except Blown as error:
            self.failed, self.ended = True, False
            return Row(truncated=True, failure=str(error))
        self.elapsed += 1
        self.total += reward
        truncated |= 0 < config.max_episode_steps <= self.elapsed
        self.ended = terminated or truncated
        row = Row(obs, reward, terminated, truncated, self.elapsed, travelled=self.env.travelled)
        if not self.ended:
            return row
        episode = (self.total, self.elapsed) if config.statistics else None
        if config.autoreset_mode != "SameStep":
            return Row(**{**vars(row), "episode": episode})
        return Row(
            self.reset(),
            reward,
            terminated,
            truncated,
            final_obs=row.obs,
            final_travelled=row.travelled,
            episode=episode,
        )


@dataclass
class State:
    """A saved environment, and what it was saved from."""

    process: Process
    name: str
    wind: float


@dataclass
class ReferencePool:
    """See the module. `ids` None: all environments in order. Actions are ints, in chunks lists of them."""

    config: Config
    seeds: Sequence[int]
    closed: bool = False
    envs: list[Process] = field(init=False)
    on_its_way: dict[int, Row] = field(default_factory=dict)
    """Rows that were not received, by environment."""
    questions: deque[list[int]] = field(default_factory=deque)
    """Of a synchronous pool: whose rows each answer has."""

    def __post_init__(self) -> None:
        self.envs = [
            Process(Drift(self.config.wind), np.random.default_rng(seed), seed)
            for seed in self.seeds
        ]

    # ---- sending

    def send(
        self, actions: Sequence[Any], ids: Sequence[int] | None, alone: bool = False
    ) -> list[int]:
        """Steps. `alone`: refuse while another answer is on its way. Says which environments it took."""
        chosen = self._known(ids)
        if len(actions) != len(chosen):
            raise ValueError("one action for each environment")
        self._check(chosen, step=True, alone=alone)
        if not all(0 <= action <= 3 for action in np.ravel(actions)):
            raise ValueError("not an action")
        self._take(chosen, actions)
        return chosen

    def send_reset(
        self,
        ids: Sequence[int] | None,
        seeds: Sequence[int | None] | None = None,
        alone: bool = False,
    ) -> list[int]:
        """Resets. A seed of None lets the generator go on."""
        chosen = self._known(ids)
        self._check(chosen, step=False, alone=alone)
        for env, seed in zip(chosen, seeds or [None] * len(chosen), strict=True):
            process = self.envs[env]
            process.started, process.failed = True, False
            process.seed = process.seed if seed is None else seed
        self._take(chosen, [None] * len(chosen))
        return chosen

    def seed_next(self, ids: Sequence[int] | None, seeds: Sequence[int | None]) -> None:
        """Seeds of the next resets, whatever asks for them; None: as it was."""
        chosen = self._known(ids)
        self._check(chosen, step=False)
        for env, seed in zip(chosen, seeds, strict=True):
            process = self.envs[env]
            process.seed = process.seed if seed is None else seed

    def _known(self, ids: Sequence[int] | None) -> list[int]:
        if ids is None:
            return list(range(self.config.num_envs))
        if not ids:
            raise ValueError("no environment is named")
        if not all(0 <= env < self.config.num_envs for env in ids):
            raise IndexError("no such environment")
        return list(ids)

    def _check(self, chosen: Sequence[int], *, step: bool, alone: bool = False) -> None:
        if self.closed:
            raise ClosedPoolError
        seen: set[int] = set()
        for env in chosen:
            if env in seen:
                raise ValueError("named twice")
            seen.add(env)
            if env in self.on_its_way:
                raise AlreadyPendingError("busy")
            if step and self.needs_reset(env):
                raise ResetNeededError
        if alone and not self.config.is_async and self.on_its_way:
            raise AlreadyPendingError("an answer is on its way")

    def needs_reset(self, env: int) -> bool:
        """Whether a step of this environment is refused."""
        process = self.envs[env]
        waits = process.ended and self.config.autoreset_mode == "Disabled"
        return process.failed or not process.started or waits

    def _take(self, chosen: list[int], actions: Sequence[Any]) -> None:
        for env, action in zip(chosen, actions, strict=True):
            self.on_its_way[env] = self.envs[env].play(action, self.config)
        self.questions.append(chosen)

    # ---- receiving

    def check_recv(self) -> None:
        """Raises where an answer could never come."""
        if self.closed:
            raise ClosedPoolError
        wanted = self.config.batch_size if self.config.is_async else 1
        if len(self.on_its_way) < wanted:
            raise NothingPendingError("too little is on its way")

    def recv(self, ids: Iterable[int] | None) -> dict[int, Row]:
        """The next answer, by environment, in the order of its rows.

        `ids`: those that the pool answered with; None where it does not say. An asynchronous pool is free
        to choose them.
        """
        self.check_recv()
        if not self.config.is_async:
            chosen = self.questions.popleft()
            assert ids is None or list(ids) == chosen
        else:
            assert ids is not None
            chosen = list(ids)
            assert len(set(chosen)) == len(chosen) == self.config.batch_size
        return {env: self.on_its_way.pop(env) for env in chosen}

    # ---- states

    def get_state(self, ids: Sequence[int] | None) -> list[State]:
        """Copies of environments that are idle, were reset once and have not failed since."""
        chosen = self._known(ids)
        self._check(chosen, step=False)
        if any(self.envs[env].failed or not self.envs[env].started for env in chosen):
            raise ResetNeededError
        states = [
            State(copy.deepcopy(self.envs[env]), self.config.name, self.config.wind)
            for env in chosen
        ]
        if not self.config.statistics:
            for state in states:
                state.process.total = math.nan
        return states

    def set_state(self, ids: Sequence[int] | None, states: Sequence[State]) -> None:
        """Makes environments go on from copies. A failed one is well again."""
        chosen = self._known(ids)
        if len(states) != len(chosen):
            raise ValueError("one state for each environment")
        self._check(chosen, step=False)
        for state in states:
            if (state.name, state.wind) != (self.config.name, self.config.wind):
                raise StateError("of another environment or other options")
            if state.process.ended and self.config.autoreset_mode == "SameStep":
                raise StateError("waits for a reset, which never comes here")
        for env, state in zip(chosen, states, strict=True):
            self.envs[env] = copy.deepcopy(state.process)

    def clone(self, source: int, targets: Sequence[int]) -> None:
        """The arguments are looked at first, then `source`, which may be a target, and then the others."""
        others = self._known(targets)
        if source in others:
            others.remove(source)
        self._check([source, *others], step=False)
        self.set_state(targets, self.get_state([source]) * len(targets))

    def close(self) -> None:
        """Drops what is on its way."""
        self.closed = True
