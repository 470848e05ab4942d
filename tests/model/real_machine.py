"""Random programs on a pool of real environments and on pools of one environment each: every row, state,
picture and refusal agrees.

There is no twin in Python of a real family: an environment alone is what it has to be in any company.
Environments of the pool differ in their options, and states go from any pool into any other.
"""

import pickle
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import parallel_pool
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, multiple, rule
from parallel_pool import ResetNeededError, StateError
from parallel_pool.schema.trees import leaves
from test_envs.chunks import by_steps, expect_as_by_steps


@dataclass(frozen=True)
class Played:
    """What is played of a family."""

    env: str
    variants: tuple[dict[str, Any], ...]
    """Options that differ from environment to environment."""
    common: dict[str, Any] = field(default_factory=dict)
    draws: bool = False
    """Whether pictures are compared: those that need no OpenGL."""


Saved = tuple[int, bytes]
"""The number of the variant, and a state of it."""

REFUSALS = (ResetNeededError, StateError)


class RealMachine(RuleBasedStateMachine):
    """Draws the pool, then what is done with it. A subclass says what is `played`."""

    played: Played
    states = Bundle("states")

    pool: Any = None
    alone: list[Any]
    """A pool of one for each environment of the pool."""
    kinds: list[int]
    """The variant of each."""
    due: list[bool]
    """Whether a step of that environment is refused."""

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        self._make(data)

    @rule(data=st.data(), reset=st.booleans())
    def again(self, data: st.DataObject, reset: bool) -> None:
        """Another pool; states saved so far may go into it."""
        self.teardown()
        self._make(data)
        if reset:
            self._reset(list(range(len(self.kinds))), None)

    def teardown(self) -> None:
        """Closes everything."""
        for each in [self.pool, *self.alone] if self.pool is not None else []:
            each.close()

    def _make(self, data: st.DataObject) -> None:
        draw = data.draw
        count = draw(st.integers(2, 6))
        self.kinds = draw(
            st.lists(st.integers(0, len(self.played.variants) - 1), min_size=count, max_size=count)
        )
        seed = draw(st.integers(0, 2**32))
        mode = draw(st.sampled_from(["NextStep", "SameStep", "Disabled"]))
        limit = draw(st.sampled_from([None, 4, 9]))
        common = {"autoreset_mode": mode, "max_episode_steps": limit, **self.played.common}
        if self.played.draws:
            common["render_mode"] = "rgb_array"
        options = [self.played.variants[kind] for kind in self.kinds]
        threads = draw(st.integers(1, 3))
        chunk = draw(st.sampled_from([None, 4]), "chunk")
        self._chunked = chunk is not None
        with warnings.catch_warnings(action="ignore"):  # more threads than CPUs
            self.pool = parallel_pool.make(
                self.played.env,
                num_envs=count,
                num_threads=threads,
                seed=seed,
                env_options=options,
                action_chunk=chunk,
                chunk_rewards=chunk is not None,
                **common,
            )
            self.alone = [
                parallel_pool.make(
                    self.played.env, num_threads=1, seed=seed + env, **options[env], **common
                )
                for env in range(count)
            ]
        self.due = [True] * count
        self._disabled = mode == "Disabled"

    def _some(self, data: st.DataObject) -> list[int]:
        everyone = list(range(len(self.kinds)))
        return data.draw(st.permutations(everyone))[: data.draw(st.integers(1, len(everyone)))]

    def _both(
        self, pool: Callable[[], Any], alone: Sequence[Callable[[], Any]]
    ) -> tuple[Any, list[Any]] | None:
        """What both give, or None if the pool refuses as the first that refuses alone does."""
        given: list[Any] = []
        refusal: Exception | None = None
        for call in alone:
            try:
                given.append(call())
            except REFUSALS as error:
                refusal = refusal or error
        try:
            answer = pool()
        except REFUSALS as error:
            assert type(error) is type(refusal), f"{error!r}, alone {refusal!r}"
            return None
        assert refusal is None, f"taken, but alone {refusal!r}"
        return answer, given

    # ---- play

    @rule(data=st.data(), seed=st.none() | st.integers(0, 2**32))
    def reset(self, data: st.DataObject, seed: int | None) -> None:
        """Some of them."""
        self._reset(self._some(data), seed)

    def _reset(self, envs: list[int], seed: int | None) -> None:
        together = self.pool.reset(envs, seed=seed)
        for row, env in enumerate(envs):
            own = self.alone[env].reset(seed=None if seed is None else seed + env)
            _agree(together, row, own)
            self.due[env] = False

    @rule(data=st.data(), draws=st.integers(0, 2**16), steps=st.integers(1, 8))
    def step(self, data: st.DataObject, draws: int, steps: int) -> None:
        """Some of them, for a while; where one may not be stepped, none is."""
        envs = self._some(data)
        space = self.pool.single_action_space
        space.seed(draws)
        for _ in range(steps):
            actions = np.stack([np.asarray(space.sample()) for _ in envs])
            first = actions[:1, 0] if self._chunked else actions[:1]
            if due := [env for env in envs if self.due[env]]:
                with pytest.raises(ResetNeededError):
                    self.pool.step(actions, envs)
                with pytest.raises(ResetNeededError):
                    self.alone[due[0]].step(first)
                envs = [env for env in envs if not self.due[env]]
                if not envs:
                    return
                actions = actions[: len(envs)]
            together = self.pool.step(actions, envs)
            own = [self._alone(env, actions[row : row + 1]) for row, env in enumerate(envs)]
            if self._chunked:
                expect_as_by_steps(together, own)
            for row, env in enumerate(envs):
                if not self._chunked:
                    _agree(together, row, own[row])
                self.due[env] = self._disabled and bool(together[2][row] or together[3][row])

    def _alone(self, env: int, actions: Any) -> Any:
        """What this environment does with its action, or its chunk of them."""
        pool = self.alone[env]
        return by_steps(pool, actions, [0])[0] if self._chunked else pool.step(actions)

    # ---- states and pictures

    @rule(target=states, data=st.data())
    def save(self, data: st.DataObject) -> Any:
        """Equal bytes in any company, but for the seconds that pass."""
        envs = self._some(data)
        both = self._both(
            lambda: self.pool.get_state(envs),
            [lambda env=env: self.alone[env].get_state()[0] for env in envs],
        )
        if both is None:
            return multiple()
        together, own = both
        assert [*map(_lasting, together)] == [*map(_lasting, own)], "it depends on those beside it"
        return multiple(*[(self.kinds[env], state) for env, state in zip(envs, own, strict=True)])

    @rule(data=st.data(), saved=states)
    def restore(self, data: st.DataObject, saved: Saved) -> None:
        """Into one environment, mostly one that it fits; before its first reset as well."""
        kind, state = saved
        fitting = [env for env, each in enumerate(self.kinds) if each == kind]
        if not fitting or data.draw(st.integers(0, 9), "of ten") == 0:
            fitting = list(range(len(self.kinds)))
        self._set(data.draw(st.sampled_from(fitting)), state)

    def _set(self, env: int, state: bytes) -> None:
        both = self._both(
            lambda: self.pool.set_state([env], [state]),
            [lambda: self.alone[env].set_state(None, [state])],
        )
        if both is not None:
            self.due[env] = self._disabled and self._waits(env)

    def _waits(self, env: int) -> bool:
        """Whether the state that was restored is of an episode that has ended."""
        (state,) = self.alone[env].get_state()
        return state[ENDED] != 0

    @rule(data=st.data())
    def clone(self, data: st.DataObject) -> None:
        source = data.draw(st.sampled_from(range(len(self.kinds))))
        targets = [env for env, kind in enumerate(self.kinds) if kind == self.kinds[source]]
        if self.due[source] and not self._began(source):
            with pytest.raises(ResetNeededError):
                self.pool.clone(source, targets)
            return
        self.pool.clone(source, targets)
        (state,) = self.alone[source].get_state()
        for env in targets:
            self.alone[env].set_state(None, [state])
            self.due[env] = self.due[source]

    def _began(self, env: int) -> bool:
        try:
            self.alone[env].get_state()
        except ResetNeededError:
            return False
        return True

    @rule()
    def pickled(self) -> None:
        """The pool goes on as a copy of itself, where every environment has begun."""
        try:
            copy = self.pool.pickled(include_state=True)
        except ResetNeededError:
            assert not all(map(self._began, range(len(self.kinds))))
            return
        self.pool.close()
        with warnings.catch_warnings(action="ignore"):  # more threads than CPUs
            self.pool = pickle.loads(copy)

    @rule(data=st.data())
    def glance(self, data: st.DataObject) -> None:
        """Pictures of the pool only: those of later are the same."""
        if self.played.draws:
            with suppress(*REFUSALS):
                self.pool.render(self._some(data))

    @rule(data=st.data())
    def look(self, data: st.DataObject) -> None:
        """Pictures: equal in any company, also after a state was restored."""
        if not self.played.draws:
            return
        env = data.draw(st.sampled_from(range(len(self.kinds))))
        both = self._both(lambda: self.pool.render([env]), [self.alone[env].render])
        if both is not None:
            np.testing.assert_array_equal(both[0][0], both[1][0][0])


SECONDS = 16 + 8
ENDED = 16 + 29
"""Where a state has the time of its episode, and whether that has ended (host/state/host_state.hpp)."""


def _lasting(state: bytes) -> bytes:
    """All but the checksum and the time."""
    return state[16:SECONDS] + state[SECONDS + 8 :]


APART = ("env_id", "final_obs", "final_info", "final_obs_dense", "chunk_steps", "chunk_rewards")
"""Infos that depend on others in the answer, or that only chunks have."""


def _agree(together: Any, row: int, own: Any) -> None:
    """One row of an answer is the answer of the environment alone, but for the number of the environment."""
    for mine, theirs in zip(_shown(together), _shown(own), strict=True):
        np.testing.assert_array_equal(mine[row], theirs[0])


def _shown(answer: Any) -> list[Any]:
    """The arrays of an answer that have a row for each environment, whatever the others did."""
    info = {key: value for key, value in answer[-1].items() if key.lstrip("_") not in APART}
    return [np.asarray(each) for each in leaves((*answer[:-1], info))]
