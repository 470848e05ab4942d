"""Random programs against the pool and the reference pool at once: every value and every refusal agrees.

Longer than a file should be: Hypothesis takes the rules of one machine from one class.
"""

import contextlib
import pickle
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import parallel_pool
from crowd import given, received_by_threads
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)
from parallel_pool import EnvError
from reading import agree, expected, read
from reference_pool import Config, ReferencePool, State
from test_envs.storm import OneInterrupt

Saved = tuple[bytes, State]

VIEWS = ("gymnasium", "gym", "dm")
MODES = ("NextStep", "SameStep", "Disabled")
NAMES = ("Drift", "DriftLanes", "DriftLate")
THREADS: tuple[dict[str, Any], ...] = (
    *({"num_threads": count} for count in range(1, 5)),
    {"num_threads": 2, "step_timeout": 60.0},
    {"thread_pool": parallel_pool.ThreadPool(2)},
)


class PoolMachine(RuleBasedStateMachine):
    """Draws the pool, then what is done with it, wrong calls included."""

    pool: Any = None
    model: ReferencePool
    view: str
    shows_episodes: bool
    interrupt: OneInterrupt | None = None
    """Of the next call that receives."""
    latest: bool
    """The view has the observations of all environments, for a reset_mask."""

    def __init__(self) -> None:
        super().__init__()
        self.states: list[Saved] = []

    # ---- making

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        self._make(data)

    @rule(data=st.data())
    def close(self, data: st.DataObject) -> None:
        self.pool.close()
        self.pool.close()
        self.model.close()
        self._send(self._drawn(self._draws(data), self.model.config.num_envs, 0.0), None)
        self.recv()
        self.async_reset(data)
        self._both(lambda: self.model.get_state(None), self.pool.get_state)
        self._make(data)

    @rule(data=st.data())
    def move(self, data: st.DataObject) -> None:
        """States go into another pool, mostly one that they fit."""
        saved = self._saved(data, 5)
        self.pool.close()
        fits = data.draw(st.sampled_from([True, True, False]), "fits")
        self._make(data, saved[0][1] if fits and saved else None)
        self._drain()
        ids = list(range(min(len(saved), self.model.config.num_envs)))
        self._set(ids, saved[: len(ids)])
        self.play(data.draw(st.integers(0, 2**16)), 4)

    def _make(self, data: st.DataObject, fits: State | None = None) -> None:
        draw = data.draw
        num_envs = draw(st.integers(1, 20))
        self.view = draw(st.sampled_from(VIEWS))
        mode = draw(st.sampled_from(MODES))
        statistics = draw(st.sampled_from([None, False, True]))
        self.shows_episodes = self.view != "dm" and (
            statistics is True or (self.view == "gym" and statistics is None)
        )
        name, wind = draw(st.sampled_from(NAMES)), draw(st.sampled_from([0.0, 0.25]))
        config = Config(
            name=name if fits is None else fits.name,
            num_envs=num_envs,
            batch_size=draw(st.just(num_envs) | st.integers(1, num_envs)),
            autoreset_mode=mode,
            max_episode_steps=draw(st.sampled_from([0, 0, 1, 3, 10])),
            statistics=self.shows_episodes,
            wind=wind if fits is None else fits.wind,
            chunk=draw(st.sampled_from([None, None, 1, 2, 5]), "chunk"),
        )
        seed = draw(st.integers(0, 2**64 - 1 - num_envs))
        self.model = ReferencePool(config, [seed + env for env in range(num_envs)])
        with warnings.catch_warnings(action="ignore"):  # more threads than CPUs
            self.pool = parallel_pool.make(
                f"drift/{config.name}-v0",
                self.view,
                num_envs=num_envs,
                batch_size=config.batch_size,
                **(draw(st.sampled_from(THREADS), "threads")),
                batch_order=draw(st.sampled_from(["first", "oldest"])),
                seed=seed,
                autoreset_mode=mode,
                max_episode_steps=config.max_episode_steps or None,
                episode_statistics=statistics,
                wind=config.wind,
                action_chunk=config.chunk,
                chunk_rewards=config.chunk is not None,
            )
        self.latest = False
        if draw(st.sampled_from([True, True, True, False]), "reset at once"):
            self._ask_reset(None, None)

    # ---- arguments, some of them wrong

    # What is drawn never depends on which environments are ready, because an asynchronous pool decides
    # that anew in every run, and Hypothesis wants to repeat one: a drawn number stands for a choice.
    # States are no bundle for the same reason: how many there are depends on which environments are idle.

    @staticmethod
    def _draws(data: st.DataObject) -> np.random.Generator:
        return np.random.default_rng(data.draw(st.integers(0, 2**16), "choices"))

    def _saved(self, data: st.DataObject, most: int) -> list[Saved]:
        """At least one, once there are any."""
        draws = self._draws(data)
        chosen = draws.integers(0, len(self.states) or 1, draws.integers(1, most + 1))
        return [self.states[i] for i in chosen] if self.states else []

    def _ids(self, data: st.DataObject) -> list[int] | None:
        """Mostly environments that are idle; now and then anything."""
        n = self.model.config.num_envs
        draws = self._draws(data)
        kind = data.draw(st.sampled_from(["some"] * 5 + ["all", "idle", "anything"]), "kind of ids")
        idle = draws.permutation([env for env in range(n) if env not in self.model.on_its_way])
        if kind == "anything":
            return draws.integers(-1, n + 1, draws.integers(0, n + 2)).tolist()
        if kind == "all":
            return None
        chosen: list[int] = idle.astype(int).tolist()
        return chosen[: draws.integers(1, n + 1)] if kind == "some" else sorted(chosen)

    def _drawn(self, draws: np.random.Generator, n: int, fails: float) -> list[Any]:
        """An action, or a chunk of them, for each of so many environments."""
        chunk = self.model.config.chunk
        usual = (1 - fails) / 3
        shape = n if chunk is None else (n, chunk)
        actions: list[Any] = draws.choice(4, shape, p=[usual, usual, usual, fails]).tolist()
        return actions

    def _actions(self, data: st.DataObject, ids: Sequence[int] | None) -> list[Any]:
        chunk = self.model.config.chunk
        n = self.model.config.num_envs if ids is None else len(ids)
        draws = self._draws(data)
        actions = self._drawn(draws, n, 0.05)
        wrong = data.draw(st.sampled_from(["no"] * 15 + ["value", "fewer", "more"]), "wrong")
        if wrong == "value" and n > 0:
            bad = int(draws.choice([-1, 4, 2**40]))
            actions[draws.integers(n)] = bad if chunk is None else [bad, *[0] * (chunk - 1)]
        if wrong == "fewer" and n > 0:
            actions.pop()
        return actions + [0 if chunk is None else [0] * chunk] * (wrong == "more")

    def _seeds(self, data: st.DataObject, ids: Sequence[int] | None) -> Any:
        n = self.model.config.num_envs if ids is None else len(ids)
        one = data.draw(st.none() | st.integers(0, 2**63) | st.just("each"), "seeds")
        if one != "each":
            return one
        draws = self._draws(data)
        seeds = draws.integers(0, 2**64, n, dtype=np.uint64).tolist()
        return [None if draws.random() < 0.4 else seed for seed in seeds]

    def _spread(self, seeds: Any, ids: Sequence[int] | None) -> Any:
        if not isinstance(seeds, int):
            return seeds
        return [seeds + env for env in (range(self.model.config.num_envs) if ids is None else ids)]

    # ---- doing it twice

    def _both(
        self,
        model: Callable[[], Any],
        pool: Callable[[], Any],
        receive: Callable[[Callable[[], Any]], Any] | None = None,
    ) -> tuple[Any, Any] | None:
        """Both results, or None if both refused, with the same class of error.

        receive: calls `pool` where the model has taken the question, if that gives an answer to compare.
        """
        try:
            wanted = model()
        except Exception as error:
            self._refuses(pool, error)
            return None
        return wanted, pool() if receive is None else receive(pool)

    @staticmethod
    def _refuses(call: Callable[[], Any], error: Exception) -> None:
        try:
            answer = call()
        except Exception as refusal:
            assert type(refusal) is type(error), f"{refusal!r} instead of {error!r}"
        else:
            raise AssertionError(f"{answer} instead of {error!r}")

    def _receive(self, call: Callable[[], Any], *, reset: bool, given_ids: bool = True) -> None:
        """Calls what gives an answer, and compares it with the reference pool's."""
        interrupt, self.interrupt = self.interrupt, None
        try:
            answer: Any = call() if interrupt is None else interrupt.during(call, self.pool)
        except EnvError as error:
            answer = error
        if interrupt is not None and interrupt.by_recv:  # which has a form of its own
            reset, given_ids = False, True
        config = self.model.config
        ids, rows = read(answer, self.view, config, reset=reset)
        wanted = self.model.recv(ids if given_ids else None)
        failures = {env: row.failure for env, row in wanted.items() if row.failure is not None}
        assert (answer.failures if isinstance(answer, EnvError) else {}) == failures
        assert len(rows) == len(wanted)
        for (env, row), got in zip(wanted.items(), rows, strict=True):
            shown = expected(
                row, self.view, config, reset=reset, episode=self.shows_episodes and not reset
            )
            assert agree(got, shown), f"environment {env}: {got}, expected {shown}"
        self.latest = ids == list(range(config.num_envs))

    # ---- what a user does

    @rule(microseconds=st.integers(1, 400))
    def interrupt_comes(self, microseconds: int) -> None:
        """During the next call that receives: nothing is lost."""
        self.interrupt = OneInterrupt(1e-6 * microseconds)

    @rule(data=st.data())
    def step(self, data: st.DataObject) -> None:
        """Send and receive at once."""
        ids = self._ids(data)
        actions = self._actions(data, ids)
        if self.model.config.is_async:
            # The answer may be others'; whether one can come is known before.
            self._send(actions, ids)
            return
        self._both(
            lambda: self.model.send(actions, ids, alone=True),
            lambda: self.pool.step(np.array(actions, int), ids),
            partial(self._receive, reset=False),
        )

    @rule(seed=st.integers(0, 2**16), turns=st.integers(1, 12))
    def play(self, seed: int, turns: int) -> None:
        """As a program would that does everything right: takes what is ready, asks that again."""
        draws = np.random.default_rng(seed)
        for _ in range(turns):
            self._drain(1 if self.model.config.is_async else None)
            idle = [
                env
                for env in range(self.model.config.num_envs)
                if env not in self.model.on_its_way and draws.random() < 0.9
            ]
            due = [env for env in idle if self.model.needs_reset(env)]
            ready = [env for env in idle if env not in due]
            if due:
                self._ask_reset(due, None)
            if ready:
                self._send(self._drawn(draws, len(ready), 0.01), ready)

    @rule(seed=st.integers(0, 2**16), senders=st.integers(1, 3), receivers=st.integers(1, 2))
    def together(self, seed: int, senders: int, receivers: int) -> None:
        """Several threads send and several receive at the same time: environments have their own rows."""
        self._drain()
        draws = np.random.default_rng(seed)
        idle = [e for e in range(self.model.config.num_envs) if e not in self.model.on_its_way]
        due = [env for env in idle if self.model.needs_reset(env)]
        ready = draws.permutation([env for env in idle if env not in due]).astype(int)
        parts = [part.tolist() for part in np.array_split(ready, 2 * senders) if part.size]
        calls = [(part, self._drawn(draws, len(part), 0.01)) for part in parts]
        answers = received_by_threads(
            self.pool, [([env], None) for env in due] + calls, senders, receivers
        )
        asked = {part[0]: (part, actions) for part, actions in calls} | {
            env: ([env], None) for env in due
        }
        interrupt, self.interrupt = self.interrupt, None
        if self.model.config.is_async:
            for ids, actions in asked.values():
                self._model_takes(ids, actions)
        for answer in answers:
            if not self.model.config.is_async:
                ids, _ = read(answer, self.view, self.model.config, reset=False)
                self._model_takes(*asked[ids[0]])
            self._receive(partial(given, answer), reset=False)
        self.interrupt = interrupt

    @rule(data=st.data())
    def seed_next(self, data: st.DataObject) -> None:
        """The seeds of episodes to come."""
        ids = self._ids(data)
        seeds = self._seeds(data, ids)
        count = self.model.config.num_envs if ids is None else len(ids)
        spread = [None] * count if seeds is None else self._spread(seeds, ids)
        self._both(
            lambda: self.model.seed_next(ids, spread), lambda: self.pool.seed_next(ids, seeds)
        )

    def _model_takes(self, ids: list[int], actions: list[Any] | None) -> None:
        self.model.send_reset(ids) if actions is None else self.model.send(actions, ids)

    def _drain(self, most: int | None = None) -> None:
        """Receives what can be received, or as many answers."""
        while most is None or most > 0:
            try:
                self.model.check_recv()
            except (parallel_pool.NothingPendingError, parallel_pool.ClosedPoolError):
                return
            self.recv()
            most = None if most is None else most - 1

    @rule(data=st.data())
    def send(self, data: st.DataObject) -> None:
        """Questions without waiting for the answer."""
        ids = self._ids(data)
        self._send(self._actions(data, ids), ids)

    def _send(self, actions: list[Any], ids: list[int] | None) -> None:
        self._both(
            lambda: self.model.send(actions, ids),
            lambda: self.pool.send(np.array(actions, int), ids),
        )

    @rule(data=st.data())
    def async_reset(self, data: st.DataObject) -> None:
        ids = self._ids(data)
        self._ask_reset(ids, self._seeds(data, ids))

    def _ask_reset(self, ids: list[int] | None, seeds: Any) -> None:
        self._both(
            lambda: self.model.send_reset(ids, self._spread(seeds, ids)),
            lambda: self.pool.async_reset(ids, seed=seeds),
        )

    @rule(data=st.data())
    def reset(self, data: st.DataObject) -> None:
        ids = self._ids(data)
        seeds = self._seeds(data, ids)
        if self.model.config.is_async:
            # The answer is whatever is ready, with a view's reset or step in one: asked apart.
            self._ask_reset(ids, seeds)
            return

        silent = self.view == "gym"
        both = self._both(
            lambda: self.model.send_reset(ids, self._spread(seeds, ids), alone=True),
            lambda: self.pool.reset(ids, seed=seeds),
            partial(self._receive, reset=self.view != "dm", given_ids=not silent),
        )
        if both is not None and not silent:
            self.latest = both[0] == list(range(self.model.config.num_envs))

    @precondition(lambda self: self.view != "dm" and not self.model.config.is_async)
    @rule(data=st.data(), seed=st.none() | st.integers(0, 2**63))
    def reset_masked(self, data: st.DataObject, seed: int | None) -> None:
        n = self.model.config.num_envs
        mask = self._draws(data).random(n) < data.draw(st.sampled_from([0.3, 0.9, 1.1]), "how many")
        chosen = np.flatnonzero(mask).tolist()

        def call() -> Any:
            return self.pool.reset(seed=seed, options={"reset_mask": mask})

        if not chosen:
            self._refuses(call, ValueError())
            return
        if self.view != "gym" and not self.latest and len(chosen) < n:
            self._refuses(call, parallel_pool.ResetNeededError(""))
            return
        seeds = self._spread(seed, chosen)
        some = None if len(chosen) == n else chosen
        both = self._both(lambda: self.model.send_reset(some, seeds, alone=True), call)
        if both is None:
            return
        answer = both[1]
        wanted = self.model.recv(chosen)
        obs = answer if self.view == "gym" else answer[0][chosen]
        assert [tuple(each) for each in obs.tolist()] == [row.obs for row in wanted.values()]
        if self.view == "gymnasium":
            assert len(answer[0]) == n
            assert answer[1]["_travelled"].tolist() == mask.tolist()
            self.latest = True

    @rule()
    def recv(self) -> None:
        self._both(self.model.check_recv, self.pool.recv, partial(self._receive, reset=False))

    @rule()
    def recv_at_once(self) -> None:
        """Without any patience; what does not come in time is not lost."""
        with contextlib.suppress(TimeoutError):
            self._both(
                self.model.check_recv,
                lambda: self.pool.recv(timeout=0),
                partial(self._receive, reset=False),
            )

    # ---- states

    @rule(data=st.data())
    def get_state(self, data: st.DataObject) -> None:
        """Some of them are kept, for this pool and for later ones."""
        ids = self._ids(data)
        both = self._both(lambda: self.model.get_state(ids), lambda: self.pool.get_state(ids))
        if both is not None:
            self.states += list(zip(*reversed(both), strict=True))[:3]

    @rule(data=st.data())
    def set_state(self, data: st.DataObject) -> None:
        """Of this pool or of another one; the number may be wrong."""
        saved = self._saved(data, 4)
        n = self.model.config.num_envs
        idle = [env for env in range(n) if env not in self.model.on_its_way]
        ids = data.draw(st.sampled_from(["fitting", "fitting", "fitting", [0, 0], [-1], None]))
        self._set(idle[: len(saved)] if ids == "fitting" else ids, saved)

    def _set(self, ids: list[int] | None, saved: list[Saved]) -> None:
        self._both(
            lambda: self.model.set_state(ids, [state for _, state in saved]),
            lambda: self.pool.set_state(ids, [given for given, _ in saved]),
        )
        if self.view == "gymnasium":
            self.latest = False

    @rule(data=st.data())
    def clone(self, data: st.DataObject) -> None:
        source = data.draw(st.integers(0, self.model.config.num_envs - 1))
        targets = self._ids(data) or []
        self._both(
            lambda: self.model.clone(source, targets), lambda: self.pool.clone(source, targets)
        )
        if self.view == "gymnasium":
            self.latest = False

    @rule()
    def pickled(self) -> None:
        """The pool goes on as a copy of itself."""
        if self.model.on_its_way or any(env.failed or not env.started for env in self.model.envs):
            return
        copy = self.pool.pickled(include_state=True)
        self.pool.close()
        with warnings.catch_warnings(action="ignore"):  # more threads than CPUs
            self.pool = pickle.loads(copy)
        self.model.set_state(None, self.model.get_state(None))
        self.latest = False

    # ---- always

    @invariant()
    def knows_what_it_is(self) -> None:
        """Nothing that was done changes what the pool says of itself."""
        if self.pool is not None:
            assert len(self.pool) == self.model.config.num_envs
            assert self.pool.is_async == self.model.config.is_async

    def teardown(self) -> None:
        """What is still on its way comes, and is right."""
        if self.pool is None:
            return
        try:
            self._drain()
        finally:
            self.pool.close()
