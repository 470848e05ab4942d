"""Simulations from saved states are what an environment of the same state would do, and change nothing.

Those of real families: tests/model/test_real_families.py.
"""

import signal
import threading
import time
from functools import partial
from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool import (
    AlreadyPendingError,
    ClosedPoolError,
    ForkedPoolError,
    NotOfferedError,
    OptionError,
    SimulationError,
    StateError,
)
from test_envs.checks import in_child, refused
from test_envs.pools import WALKS, begun, make
from test_envs.states import ACTIONS, actions_of, expect_as_played, nested, play
from test_envs.threads import in_threads

HORIZON = 25


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("name", [*ACTIONS, "Types"])
def test_sequences_are_as_played(name: str, threads: int) -> None:
    """From states of one each, with ends of episodes and time limits, and from one state for all."""
    common: dict[str, Any] = {"max_episode_steps": 20, "autoreset_mode": "NextStep"}
    with begun(make(name, num_envs=5, num_threads=threads, seed=1, **common)) as pool:
        *_, (_, _, *ended, _) = play(pool, name, 4, 0)
        going = np.flatnonzero(~np.logical_or(*ended))
        actions = nested(actions_of(name, np.random.default_rng(3), 23 * HORIZON), 23, HORIZON)
        states = pool.get_state()
        expect_as_played(pool, [states[going[i % len(going)]] for i in range(23)], actions)
        expect_as_played(pool, states[going[0]], actions)
        assert pool.get_state() == states


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("name", WALKS)
def test_seeds_are_those_of_generators_from_the_state_on(name: str, threads: int) -> None:
    """Sequences of a seed each are what numpy's generators say, whoever plays them; the pool is untouched."""
    with begun(make(name, num_envs=2, num_threads=threads, seed=1)) as pool:
        pool.step([1, 1])
        states = pool.get_state()
        places = pool.step([1, 1])[0][:, 0]  # an action of 1 moves nothing
        actions = np.random.default_rng(0).integers(0, 3, (21, HORIZON))
        plain = pool.simulate(states[0], actions).rewards
        seeds = [*range(2**63, 2**63 + 20), 2**63]
        got = pool.simulate([states[i % 2] for i in range(21)], actions, seeds)
        for i, seed in enumerate(seeds):
            rng, place, rewards = np.random.default_rng(seed), places[i % 2], np.zeros(HORIZON)
            for step in range(got.lengths[i]):
                noise = rng.random()
                assert (noise < 0.1) == (got.terminated[i] and step == got.lengths[i] - 1)
                rewards[step] = place = place + (actions[i, step] - 1) * noise
            np.testing.assert_array_equal(got.rewards[i], rewards)
            assert got.obs[i, 1] == noise
        by_number = pool.simulate([states[i % 2] for i in range(20)], actions[:20], 2**63)
        np.testing.assert_array_equal(by_number.rewards, got.rewards[:20])
        np.testing.assert_array_equal(pool.simulate(states[0], actions).rewards, plain)


def test_seeds_that_reach_no_generator_are_refused() -> None:
    with make("Lives", num_envs=1, seed=0) as pool:  # it has `seed`, and so perhaps a simulator
        pool.reset()
        with refused(NotOfferedError, "test/Lives-v0", "simulate without seeds"):
            pool.simulate(pool.get_state(), np.ones((2, 2)), [1, 2])
        assert pool.simulate(pool.get_state(), np.ones((2, 2))).lengths.tolist() == [2, 2]
    with begun(make("Memory", num_envs=1, seed=0)) as pool:
        with pytest.raises(SimulationError, match="saves a generator of its own") as caught:
            pool.simulate(pool.get_state(), np.ones((2, 2), int), [1, 2])
        assert list(caught.value.failures) == [0, 1]
        for wrong, said in (([1, 2, 3], "3 values for 2 sequences"), ([1, None], "a None")):
            with refused(OptionError, said):
                pool.simulate(pool.get_state(), np.ones((2, 2), int), wrong)


def test_work_under_way_is_untouched() -> None:
    """An asynchronous pool simulates while it steps, and its rows are those of a twin that does not."""
    with (
        make("Walk", num_envs=6, batch_size=2, num_threads=2, seed=1, batch_order="oldest") as pool,
        make("Walk", num_envs=6, batch_size=2, num_threads=2, seed=1, batch_order="oldest") as twin,
    ):
        for each in (pool, twin):
            each.async_reset()
        state = None
        for step in range(60):
            rows = [each.recv() for each in (pool, twin)]
            np.testing.assert_array_equal(rows[0][0], rows[1][0])
            ids = rows[0][-1]["env_id"]
            if step == 2:
                (state,) = pool.get_state(ids[:1])
            if state is not None:
                pool.simulate(state, np.ones((9, 5), int))
            for each in (pool, twin):
                each.send(np.ones(2, int), ids)


def test_simulations_of_several_threads_take_turns() -> None:
    with begun(make("Walk", num_envs=2, num_threads=2, seed=1)) as pool:
        states = pool.get_state()
        actions = np.random.default_rng(0).integers(0, 3, (40, 50))
        wanted = pool.simulate(states[0], actions).rewards
        results: list[Any] = []

        def simulate() -> None:
            results.extend(pool.simulate(states[0], actions).rewards for _ in range(5))

        in_threads(*[simulate] * 3)
        assert len(results) == 15
        for each in results:
            np.testing.assert_array_equal(each, wanted)


def test_a_sequence_that_fails_costs_no_other() -> None:
    fine, throw, load_throws = 0, 1, 6
    with begun(make("Faulty", num_envs=2, num_threads=2, seed=0)) as pool:
        good = pool.get_state([0])[0]
        pool.step([fine, load_throws])
        bad = pool.get_state([1])[0]
        actions = np.full((6, 4), fine)
        actions[2, 1] = actions[4, 0] = throw
        with pytest.raises(
            SimulationError, match="sequence 2: boom at step 2; sequence 4: "
        ) as caught:
            pool.simulate([good] * 5 + [bad], actions)
        assert list(caught.value.failures) == [2, 4, 5]
        assert "boom in load" in caught.value.failures[5]
        result = caught.value.result
        assert result.lengths.tolist() == [4, 4, 1, 4, 0, 0]
        assert result.rewards.sum(axis=1).tolist() == [4, 4, 1, 4, 0, 0]
        assert result.obs.tolist() == [4, 4, 0, 4, 0, 0]
        assert not result.truncated.any()
        assert pool.simulate(good, actions[:2]).lengths.tolist() == [4, 4]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("way", ["interrupt", "close", "handler"])
def test_a_simulation_that_is_given_up(way: str, threads: int) -> None:
    """By a signal, because another thread closes the pool, or a handler does: long before its end."""

    def close(*_: object) -> None:
        with refused(AlreadyPendingError, "simulates already"):
            pool.simulate(state, milliseconds)
        pool.close()
        raise KeyboardInterrupt

    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, close if way == "handler" else before)
    with begun(make("Sleepy", num_envs=2, num_threads=threads, seed=0)) as pool:
        state, milliseconds = pool.get_state([0])[0], np.full((20, 2000), 1)
        act = pool.close if way == "close" else partial(signal.raise_signal, signal.SIGINT)
        timer = threading.Timer(0.3, act)
        timer.start()
        with pytest.raises(ClosedPoolError if way == "close" else KeyboardInterrupt):
            pool.simulate(state, milliseconds)
        timer.join()
        signal.signal(signal.SIGINT, before)
        if way == "interrupt":
            assert pool.simulate(state, milliseconds[:3, :2]).lengths.tolist() == [2] * 3


@pytest.mark.own_process
def test_a_forked_child_is_told() -> None:
    """Also if another thread simulates in that moment."""
    with begun(make("Sleepy", num_envs=2, seed=0)) as pool:
        state = pool.get_state([0])[0]
        thread = threading.Thread(target=pool.simulate, args=(state, np.full((2, 300), 1)))
        thread.start()
        time.sleep(0.05)

        def child() -> None:
            with refused(ForkedPoolError, "before the process forked"):
                pool.simulate(state, np.ones((2, 2), int))

        in_child(child)
        thread.join()


def test_others_in_the_same_threads_have_their_turns() -> None:
    """A step of another pool comes while a simulation of seconds goes on."""
    with (
        parallel_pool.ThreadPool(1) as threads,
        make("Sleepy", num_envs=4, thread_pool=threads, seed=0) as pool,
        make("Count", num_envs=2, batch_size=1, thread_pool=threads) as other,
    ):
        pool.reset()
        state = pool.get_state([0])[0]
        thread = threading.Thread(target=pool.simulate, args=(state, np.full((8, 400), 1)))
        thread.start()
        other.async_reset()
        for _ in range(10):
            other.send([0], other.recv()[-1]["env_id"])
        assert thread.is_alive()
        thread.join()


def test_what_is_refused() -> None:
    with begun(make(num_envs=2, max_episode_steps=3, autoreset_mode="Disabled", seed=0)) as pool:
        states = pool.get_state()
        actions = np.ones((2, 4), int)
        with refused(ValueError, "2 states", "3 sequences"):
            pool.simulate(states, np.ones((3, 4), int))
        for wrong in (np.ones(2, int), np.ones((2, 0), int)):
            with refused(ValueError, str(wrong.shape), "(sequences, steps, ...)"):
                pool.simulate(states, wrong)
        with refused(ValueError, "action of sequence 1, step 0 is 7"):
            pool.simulate(states, actions * [[1], [7]])
        with refused(ValueError, "(8, 1)", "one of 2 x 4 steps"):
            pool.simulate(states, actions[..., None])
        with refused(TypeError, "states[1] is str"):
            pool.simulate([states[0], "x"], actions)
        with refused(StateError, "states[1]: ", "corrupt"):
            pool.simulate([states[0], states[1][:-1] + b"x"], actions)
        with make("Walk", seed=0) as other:
            other.reset()
            with refused(StateError, "states[0]: the state does not fit the pool", "test/Walk-v0"):
                pool.simulate(other.get_state(), actions)
        for _ in range(3):
            pool.step([1, 1])
        with refused(StateError, "states[0]: its episode has ended"):
            pool.simulate(pool.get_state([0]), actions)
        assert pool.simulate(states, actions).lengths.tolist() == [3, 3]
        pool.close()
        with refused(ClosedPoolError, "closed"):
            pool.simulate(states, actions)


@pytest.mark.parametrize(
    ("task_id", "arguments", "reason"),
    [
        ("CartPole-v1", {"isolation": "process"}, "worker processes"),
        ("CartPole-v1", {"transform": {"frame_stack": 2}}, "transform"),
        ("gym:CartPole-v1", {}, "worker processes"),
        (["CartPole-v1", "CartPole-v0"], {"max_episode_steps": 9}, "different ids or options"),
        ("classic/TwoPlayerPong-v0", {}, "several players"),
    ],
)
def test_pools_that_cannot_simulate(task_id: Any, arguments: Any, reason: str) -> None:
    with parallel_pool.make(task_id, num_envs=2, seed=0, **arguments) as pool:
        pool.reset()
        with refused(NotOfferedError, "cannot simulate", reason):
            pool.simulate(pool.get_state([0]), np.zeros((2, 2), int))
