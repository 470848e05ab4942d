"""Python environments in threads: they stay in theirs, wait together, meet, and leave nothing behind."""

import os
import pickle
import threading
import time
import warnings
from types import SimpleNamespace
from typing import Any

import gymnasium
import parallel_pool
import pytest
from parallel_pool import (
    AlreadyPendingError,
    EnvBuildError,
    EnvError,
    OptionError,
    WaitingEnvsWarning,
    WorkerCrashWarning,
    _core,
)
from parallel_pool.threads.cpu_budget import gil_is_on
from test_envs.pools import begun
from test_envs.programs import python, ran
from test_envs.python_envs import LEAVE, Drawn, Make, Slow
from test_envs.threads import refused_after


class Meeting(Slow):
    """Its steps and pictures wait for those of two other threads."""

    together = threading.Barrier(3)

    def step(self, action: Any) -> Any:
        self.together.wait(60)
        return super().step(action)

    def render(self) -> Any:
        self.together.wait(60)
        return super().render()


gymnasium.register("Meeting-v0", Meeting)


def test_environments_stay_in_their_threads_and_wait_together() -> None:
    how = {"isolation": "thread", "render_mode": "rgb_array", "seconds": 0.0}
    with parallel_pool.make("gym:Meeting-v0", num_envs=6, num_threads=3, **how) as pool:
        assert pool.config["isolation"] == "thread"
        assert "worker_pids" not in pool.stats()
        pool.reset()
        *_, info = pool.step([0] * 6)
        homes = set(info["home"])  # what could not be pickled
        assert len(homes) == 3
        assert info["home"].tolist() == list(pool.get_attr("home"))
        assert threading.current_thread() not in homes
        assert len(pool.render()) == 6
    for each in homes:
        each.join(5)
        assert not each.is_alive()


@pytest.mark.serial
@pytest.mark.filterwarnings("ignore::parallel_pool.errors.LostInfoWarning")  # their threads
def test_environments_that_wait_are_pointed_out(make: Make, slow: str) -> None:
    workers = "num_threads=num_envs gives each a worker of its own"
    with make(slow, num_envs=4, num_threads=2, seconds=0.002) as pool:
        quiet = gil_is_on() and pool.config["isolation"] == "thread"
        pool.reset()
        with warnings.catch_warnings(record=True, action="always") as caught:
            for _ in range(33):
                pool.step([0] * 4)
        said = [each for each in caught if each.category is WaitingEnvsWarning]
        assert len(said) == (0 if quiet else 1)
        assert all(workers in str(each.message) for each in said)
        assert all(each.filename == __file__ for each in said)
    # Of a worker that holds one, and of one whose environments compute, there is nothing to say.
    for arguments in ({"id": slow, "num_envs": 1}, {"id": "gym:CartPole-v1", "num_envs": 4}):
        with begun(make(arguments.pop("id"), num_threads=1, **arguments)) as pool:
            for _ in range(70 if pool.num_envs > 1 else 3):
                pool.step([0] * pool.num_envs)


def test_who_sends_does_not_wait_for_threads_that_work(slow: str) -> None:
    """They may need the lock of Python that the sender has."""
    with begun(parallel_pool.make(slow, num_envs=2, num_threads=1, isolation="thread")) as pool:
        pool.send([0], [0])
        receiver = threading.Thread(target=pool.recv)
        receiver.start()
        time.sleep(0.02)
        pool.send([0], [1])
        pool.stats()
        receiver.join()
        assert pool.recv()[-1]["env_id"].tolist() == [1]


def test_threads_that_do_not_come_out_do_not_keep_the_pool(slow: str) -> None:
    pool = parallel_pool.make(slow, num_envs=5, num_threads=5, isolation="thread")
    pool.reset()
    pool.send([0, *[LEAVE] * 4])  # they are given up together, not one after another
    with pytest.raises(TimeoutError):
        pool.recv(timeout=0.2)
    began = time.monotonic()
    pool.close()
    assert time.monotonic() - began < 10


def threads_and_descriptors() -> tuple[set[threading.Thread], int]:
    """Which and how many. Threads that were given up by other tests may end meanwhile."""
    return set(threading.enumerate()), len(os.listdir("/proc/self/fd"))


def test_threads_that_cannot_all_begin_leave_none_behind(
    slow: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from parallel_pool.workers.python_envs import worker_threads

    refused, started = refused_after(2)
    threads, descriptors = threads_and_descriptors()
    monkeypatch.setattr(worker_threads, "threading", SimpleNamespace(Thread=refused))
    with pytest.raises(EnvBuildError, match=r"cannot start a worker thread: .*can't start new"):
        parallel_pool.make(slow, num_envs=4, num_threads=4, isolation="thread")
    for each in started:
        each.join(20)
    left, open_ones = threads_and_descriptors()
    assert left <= threads
    assert open_ones <= descriptors


class Closing(Drawn):
    closed: list["Closing"] = []  # noqa: RUF012

    def close(self) -> None:
        self.closed.append(self)


gymnasium.register("Closing-v0", Closing)


def test_a_thread_that_ends_closes_its_environments() -> None:
    others = set(threading.enumerate())
    how = {"num_threads": 1, "isolation": "thread"}
    with begun(parallel_pool.make("gym:Closing-v0", num_envs=2, **how)) as pool:
        threads, descriptors = threads_and_descriptors()
        (ends,) = threads - others
        theirs = list(pool.get_attr("unwrapped"))
        Closing.closed.clear()
        with pytest.warns(WorkerCrashWarning, match=r"worker thread .*SystemExit: enough"):
            pool.step([0, LEAVE])
        assert Closing.closed == theirs
        pool.step([0, 0])
        ends.join(20)
        left, open_ones = threads_and_descriptors()
        assert len(left - others) == 1
        assert open_ones <= descriptors


def test_a_thread_that_is_given_up_may_have_much_to_say() -> None:
    """In a process of its own, because it has crashed there."""
    program = """
import threading, time
import gymnasium, parallel_pool
from gymnasium.envs.classic_control import CartPoleEnv

class Heavy(CartPoleEnv):
    def __getstate__(self):
        asked.set()
        time.sleep(2.5)
        return {"much": bytes(64 << 20)}

asked = threading.Event()
gymnasium.register("Heavy-v0", Heavy)
pool = parallel_pool.make("gym:Heavy-v0", num_envs=1, isolation="thread")
pool.reset()
(worker,) = (each for each in threading.enumerate() if each.name == "parallel_pool worker")

def ask():
    try:
        pool.get_state()
    except parallel_pool.ClosedPoolError as error:
        print(error)

asking = threading.Thread(target=ask)
asking.start()
asked.wait()
pool.close()
asking.join()
worker.join(30)
print("worker:", worker.is_alive())
"""
    said = python("-c", program)
    assert "the pool is closed" in said
    assert "worker: False" in said


def test_threads_that_have_just_begun_are_gone_when_a_pool_is_closed() -> None:
    """Those left would end the process badly where they come out while Python takes itself apart."""
    program = """
import sys, warnings
import gymnasium, parallel_pool
from gymnasium.envs.classic_control import CartPoleEnv

class Leaving(CartPoleEnv):
    def step(self, action):
        sys.exit("enough")

warnings.simplefilter("ignore")
gymnasium.register("Leaving-v0", Leaving)
pool = parallel_pool.make("gym:Leaving-v0", num_envs=16, num_threads=16, isolation="thread")
pool.reset()
pool.step([0] * 16)
pool.close()
"""
    done = ran("-c", program)
    assert (done.returncode, done.stderr) == (0, "")


def test_threads_where_they_run_at_the_same_time(slow: str) -> None:
    with parallel_pool.make(slow, num_envs=1) as pool:
        assert pool.config["isolation"] == ("process" if gil_is_on() else "thread")
        # Chosen again by the code that makes it again.
        assert pickle.loads(pickle.dumps(pool.spec)) is not None
    with parallel_pool.make(slow, num_envs=1, step_timeout=60) as pool:
        assert pool.config["isolation"] == "process"
    for wrong, words in (
        ({"isolation": "thread", "step_timeout": 3}, "step_timeout=3 needs a process .*='thread'"),
        ({"isolation": "fiber"}, "isolation is 'fiber', expected 'process'"),
        ({"isolation": "thread", "numa_node": 0}, "numa_node is for threads of this process"),
    ):
        with pytest.raises(OptionError, match=words):
            parallel_pool.make(slow, **wrong)


class Gilded(Drawn):
    """As if its module had an extension that turns the global lock on."""

    gil_is_on = False

    def __init__(self) -> None:
        Gilded.gil_is_on = True
        super().__init__()


gymnasium.register("Gilded-v0", Gilded)


def test_an_import_may_turn_the_lock_on(monkeypatch: pytest.MonkeyPatch) -> None:
    from parallel_pool.workers.python_envs import choose_workers

    monkeypatch.setattr(choose_workers, "gil_is_on", lambda: Gilded.gil_is_on)
    spec = parallel_pool.make_spec("gym:Sized-v0", num_envs=64)
    assert spec.config.isolation == "thread"
    most = choose_workers.WORKERS_PER_CPU["process"] * choose_workers.share_of_cpus()
    spec = parallel_pool.make_spec("gym:Gilded-v0", num_envs=64)
    assert (spec.config.isolation, spec.config.num_threads) == ("process", most)


def test_answers_and_infos_of_threads_leave_nothing_behind(drawn: str) -> None:
    with parallel_pool.make(drawn, num_envs=2, num_threads=1, isolation="thread") as pool:
        store = pool.definition.python.serializer
        pool.reset(options={"at": 1})
        pool.call("shifted", 1.0)
        with pytest.raises(parallel_pool.EnvAccessError):
            pool.call("shifted")
        pool.set_attr("friction", [0.0, None])
        with pytest.raises(EnvError):
            pool.step([0, 0])
        assert store._values == {}
        assert store._answers == {}


def test_without_processes_they_run_in_one_thread_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As on Windows and macOS; tests/isolation/test_without_workers.py has a core that is built so."""
    from parallel_pool.workers.python_envs import choose_workers

    monkeypatch.setattr(_core, "WORKER_PROCESSES", False)
    monkeypatch.setattr(choose_workers, "gil_is_on", lambda: True)
    choose_workers._warn_of_no_processes.cache_clear()
    with pytest.warns(UserWarning, match="need Linux.*no step_timeout"):
        pool = parallel_pool.make("gym:Sized-v0", num_envs=4)
    with pool, parallel_pool.make("gym:Sized-v0", num_envs=4) as told_once:
        for each in (pool, told_once):
            assert (each.config["isolation"], each.config["num_threads"]) == ("thread", 1)
            each.reset(seed=1)
    for refused in (
        {"task_id": "gym:Sized-v0", "step_timeout": 1.0},
        {"task_id": "gym:Sized-v0", "seed_globals": True},
        {"task_id": "gym:Sized-v0", "isolation": "process"},
        {"task_id": "CartPole-v1", "isolation": "process"},
    ):
        with pytest.raises(OptionError, match="need Linux"):
            parallel_pool.make(**refused)


class Posing(Drawn):
    """Is drawn for as long as a test wants it to be."""

    drawing, drawn = threading.Event(), threading.Event()

    def render(self) -> Any:
        self.drawing.set()
        assert self.drawn.wait(60)
        return super().render()


gymnasium.register("Posing-v0", Posing)


def test_a_call_that_meets_another_threads_picture_says_so() -> None:
    how = {"isolation": "thread", "render_mode": "rgb_array"}
    with begun(parallel_pool.make("gym:Posing-v0", num_envs=2, **how)) as pool:
        artist = threading.Thread(target=pool.render, args=([1],))
        artist.start()
        assert Posing.drawing.wait(60)
        try:
            # A step needs the pool to itself, whichever environments it is for.
            for use in (
                lambda: pool.send([0, 0]),
                lambda: pool.step([0], [0]),
                lambda: pool.get_state([1]),
            ):
                with pytest.raises(AlreadyPendingError, match=r"1 is in another call \(render, "):
                    use()
        finally:
            Posing.drawn.set()
        artist.join(60)
        pool.step([0, 0])
