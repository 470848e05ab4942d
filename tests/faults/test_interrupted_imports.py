"""Finding M6: a signal handler that raises during the first `make` leaves a process that can go on."""

import signal
import time
from typing import Any

import pytest
from parallel_pool.imports import undisturbed as module
from parallel_pool.imports.undisturbed import undisturbed
from test_envs.programs import ran
from test_envs.threads import in_threads

FIRST_MAKE = """
import signal, sys
class Alarm(Exception): ...
def handler(*_): raise Alarm
signal.signal(signal.SIGALRM, handler)
import parallel_pool
signal.setitimer(signal.ITIMER_REAL, float(sys.argv[1]))
try:
    parallel_pool.make("gym:CartPole-v1", num_envs=2, num_threads=1).close()
except Alarm:
    pass
signal.setitimer(signal.ITIMER_REAL, 0)
with parallel_pool.make("gym:CartPole-v1", num_envs=2, num_threads=1) as envs:
    envs.reset()
    envs.step([0, 1])
"""


@pytest.mark.parametrize(
    "delay", [0.1, 0.35, *(pytest.param(each, marks=pytest.mark.slow) for each in (0.02, 0.2))]
)
def test_an_interrupted_make_can_be_repeated(delay: float) -> None:
    done = ran("-c", FIRST_MAKE, delay, seconds=240)
    assert done.returncode == 0, done.stderr


class Alarm(Exception): ...


@pytest.fixture
def handled(monkeypatch: pytest.MonkeyPatch) -> Any:
    seen: list[int] = []

    def handler(number: int, _: Any) -> None:
        seen.append(number)
        raise Alarm

    before = signal.signal(signal.SIGUSR1, handler)
    yield seen, handler
    signal.signal(signal.SIGUSR1, before)


def test_a_handler_runs_once_the_work_is_done(handled: Any) -> None:
    seen, handler = handled
    steps = []

    def work() -> None:
        for step in range(3):
            signal.raise_signal(signal.SIGUSR1)
            undisturbed(steps.append, step)  # one in another delays nothing twice

    with pytest.raises(Alarm):
        undisturbed(work)
    assert steps == [0, 1, 2]
    assert seen == [signal.SIGUSR1]
    assert signal.getsignal(signal.SIGUSR1) is handler


def test_what_the_work_raises_is_not_lost(handled: Any) -> None:
    def work() -> None:
        signal.raise_signal(signal.SIGUSR1)
        raise ImportError("half")

    with pytest.raises(Alarm) as caught:
        undisturbed(work)
    assert isinstance(caught.value.__context__, ImportError)


def test_work_that_hangs_can_be_ended(handled: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.05)
    seen, handler = handled

    def work() -> None:
        while len(seen) < 1:
            signal.raise_signal(signal.SIGUSR1)
            time.sleep(0.01)

    with pytest.raises(Alarm):
        undisturbed(work)
    assert signal.getsignal(signal.SIGUSR1) is handler


def test_other_threads_change_no_handlers(handled: Any) -> None:
    _, handler = handled
    found: list[Any] = []
    in_threads(lambda: undisturbed(lambda: found.append(signal.getsignal(signal.SIGUSR1))))
    assert found == [handler]


def test_a_purged_package_says_what_to_do() -> None:
    code = """
import sys, parallel_pool
parallel_pool.make("CartPole-v1").close()
for name in [each for each in sys.modules if each.partition(".")[0].startswith("parallel_pool")]:
    del sys.modules[name]
import parallel_pool
try:
    parallel_pool.make("CartPole-v1")
except ImportError as error:
    print(error)
"""
    done = ran("-c", code, seconds=240)
    assert "Leave its modules in sys.modules" in done.stdout, done.stderr
