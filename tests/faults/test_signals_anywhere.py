"""Signal handlers that raise, close and make pools, whatever the main thread does at that moment."""

import os
import signal
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool import AlreadyPendingError, ClosedPoolError
from parallel_pool.pettingzoo import parallel_env
from test_envs.checks import assert_works, refused, reset_all
from test_envs.faulty_pools import FINE, SLOW, THROWS, faulty, soon
from test_envs.pools import make, native
from test_envs.sleepy_envs import QUICK
from test_envs.sleepy_envs import SLOW as SLOW_STEP
from test_envs.storm import Storm, play_all
from test_envs.threads import in_threads, interrupted

pytestmark = pytest.mark.own_process(limit=300)


def on_signal(work: Callable[[], object], seconds: float = 0.2) -> None:
    signal.signal(signal.SIGUSR1, lambda *_: work())
    soon(lambda: os.kill(os.getpid(), signal.SIGUSR1), seconds)


def heard(call: Callable[[], object]) -> None:
    """Ctrl-C while `call` waits is heard. In 100 ms, and a second for a machine that does other things."""
    assert interrupted(call, 0.2) < 1.1


@pytest.mark.parametrize("batch_size", [4, 2])
@pytest.mark.parametrize("isolation", [None, "process"])
def test_finding_01_a_handler_closes_the_pool_that_waits(
    batch_size: int, isolation: str | None
) -> None:
    kind = {"batch_size": batch_size, "num_threads": 2, "slow_ms": 1000, "isolation": isolation}
    pool = reset_all(faulty(num_envs=4, **kind))
    pool.send([SLOW] * 4, [0, 1, 2, 3])
    others: list[Any] = []

    def handler() -> None:
        pool.close()
        others.append(make(num_envs=2))
        assert_works(others[0])

    on_signal(handler)
    with refused(ClosedPoolError, "the pool is closed"):
        pool.recv()
    assert others
    with refused(ClosedPoolError):
        pool.reset()


@pytest.mark.parametrize("isolation", ["process", "thread"])
def test_finding_01_a_handler_closes_the_pool_that_is_asked(isolation: str) -> None:
    pool = parallel_pool.make("gym:Sleepy-v0", num_envs=2, num_threads=1, isolation=isolation)
    pool.reset()
    on_signal(pool.close)
    with refused(ClosedPoolError, "the pool is closed"):
        pool.call("rest")


POOLS: dict[str, dict[str, Any]] = {
    "native": {"task_id": "test/Walk-v0", "num_envs": 3, "num_threads": 2},
    "alone": {"task_id": "test/Walk-v0", "num_envs": 1},
    "lanes": {"task_id": "test/WalkLanes-v0", "num_envs": 40, "num_threads": 2},
    "isolated": {"task_id": "test/Walk-v0", "num_envs": 3, "isolation": "process"},
    "python": {"task_id": "gym:CartPole-v1", "num_envs": 3, "num_threads": 1},
    "threads": {"task_id": "gym:CartPole-v1", "num_envs": 3, "isolation": "thread"},
}


def of_two(*shape: int) -> Callable[[np.random.Generator], Any]:
    return lambda rng: rng.integers(0, 2, shape or None)


def some_throw(rng: np.random.Generator) -> Any:
    return np.where(rng.random(3) < 0.1, THROWS, FINE)


KINDS: dict[str, tuple[Callable[[], Any], Callable[[np.random.Generator], Any]]] = {
    **{
        kind: (partial(parallel_pool.make, seed=7, **arguments), of_two(arguments["num_envs"]))
        for kind, arguments in POOLS.items()
    },
    "single": (lambda: parallel_pool.SingleEnv("classic/CartPole-v1", seed=7), of_two()),
    "single_dm": (lambda: parallel_pool.SingleDmEnv("classic/CartPole-v1", seed=7), of_two()),
    "players": (
        partial(parallel_env, "classic/TwoPlayerPong-v0", seed=7),
        lambda rng: {f"player_{number}": rng.integers(0, 3) for number in range(2)},
    ),
    "dm": (lambda: make("Walk", "dm", num_envs=3, seed=7), of_two(3)),
    "failing": (lambda: faulty(num_envs=3), some_throw),
    "failing_gym": (lambda: faulty(env_type="gym", num_envs=3), some_throw),
    "failing_dm": (lambda: faulty(env_type="dm", num_envs=3), some_throw),
}
"""What is interrupted, pools and what is around them, and how an action is drawn."""


@pytest.mark.parametrize("interrupts", [6, pytest.param(1000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", KINDS)
def test_finding_02_interrupts_lose_nothing(kind: str, interrupts: int) -> None:
    """The trajectory is that of an undisturbed run, however many interrupts there are."""
    (begin, draw), steps, storm = KINDS[kind], 1000, Storm()
    while storm.interrupts < interrupts:
        calm, env = begin(), begin()
        expected = play_all(calm, draw, steps)
        before = storm.interrupts
        with storm.rages():
            assert play_all(env, draw, steps, storm) == expected
        calm.close()
        env.close()
        steps *= 2 if storm.interrupts - before < interrupts / 2 else 1


def test_finding_02_a_result_that_did_not_arrive_comes_again() -> None:
    """The native pool's part: until the result is read from its handle."""
    pool = native("Count", num_envs=2, handles=True)
    pool.reset()
    with refused(AlreadyPendingError, "call recv() first"):
        pool.step(np.array([1, 1]))
    with refused(AlreadyPendingError, "environment 1 has a result that a signal kept"):
        pool.get_state([1])
    assert pool.recv().result[0].tolist() == [0, 0]
    with pytest.raises(parallel_pool.NothingPendingError):
        pool.recv()
    obs = pool.step(np.array([1, 1])).result[0].copy()
    found: list[Any] = []
    in_threads(lambda: found.append(pool.step(np.array([1, 1]))))
    np.testing.assert_array_equal(found[0].result[0], obs + 1)


def test_finding_02_what_is_made_of_a_result_may_be_interrupted() -> None:
    """A function of `map` that raises, or receives the result itself, loses none."""
    pool = native("Count", num_envs=2, batch_size=1, handles=True)
    pool.send_reset()

    def interrupted(_: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _ = pool.recv().map(interrupted).result
    first = pool.recv().result[4].tolist()

    received: list[Any] = []

    def rude(result: Any) -> Any:
        if not received:
            received.append(pool.recv().result[4].tolist())
            pool.send(np.array([1]), np.array(first))
        return result[4].tolist()

    handle = pool.recv()
    assert handle.map(rude).result == first
    assert sorted(first + received[0]) == [0, 1]


@pytest.mark.parametrize(
    ("what", "isolation"),
    [
        *((what, "process") for what in ("save", "load", "ask", "render", "step", "close")),
        *((what, "thread") for what in ("load", "step", "close")),
    ],
)
def test_finding_04_ctrl_c_is_heard_whatever_waits_for_a_worker(what: str, isolation: str) -> None:
    pool = parallel_pool.make(
        "gym:Sleepy-v0", num_envs=2, isolation=isolation, naps=what, render_mode="rgb_array"
    )
    pool.reset()
    if what == "step" or what == "close":
        pool.send(np.array([SLOW_STEP] * 2))
    states = pool.get_state() if what == "load" else []
    calls: dict[str, Callable[[], object]] = {
        "save": pool.get_state,
        "load": lambda: pool.set_state(None, states),
        "ask": lambda: pool.call("rest"),
        "render": pool.render,
        "step": pool.recv,
        "close": pool.close,
    }
    heard(calls[what])
    if what == "close":
        with refused(ClosedPoolError):
            pool.recv()
    else:
        if what == "step":
            assert pool.recv()[0].tolist() == [[1], [1]]
        if what == "load":  # an environment interrupted in it is in no known state
            pool.reset()
        # What was begun comes to its end, and the next call is answered by its own answer.
        assert pool.get_attr("nap") == (1.0, 1.0)
        count = pool.get_attr("count")[0]
        assert pool.step(np.array([QUICK] * 2))[0].tolist() == [[count + 1]] * 2
    pool.close()


def test_finding_04_ctrl_c_is_heard_in_make() -> None:
    arguments = {"num_envs": 4, "num_threads": 2, "naps": "make", "makes_in": os.getpid()}
    heard(lambda: parallel_pool.make("gym:Sleepy-v0", nap=20.0, isolation="process", **arguments))
    with parallel_pool.make("gym:Sleepy-v0", nap=0.01, isolation="process", **arguments) as pool:
        pool.reset()


@pytest.mark.parametrize("isolation", [None, "process"])
def test_finding_04_ctrl_c_is_heard_while_a_pool_is_closed(isolation: str | None) -> None:
    kind = {"num_envs": 2, "batch_size": 1, "num_threads": 2, "isolation": isolation}
    pool = reset_all(faulty(slow_ms=1500, **kind))
    pool.send([SLOW] * 2, [0, 1])
    time.sleep(0.05)
    heard(pool.close)
    with refused(ClosedPoolError):
        pool.recv()
    pool.close()
