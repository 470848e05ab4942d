"""What threads, signals, forks and the end of the process do to a pool. Each in a process of its own."""

import multiprocessing
import os
import pickle
import queue
import resource
import signal
import tempfile
import threading
import time
import traceback
import warnings
from copy import copy, deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from parallel_pool import (
    AlreadyPendingError,
    ClosedPoolError,
    EnvBuildError,
    ForkedPoolError,
    NothingPendingError,
    ResetNeededError,
    _core,
)
from test_envs import pools
from test_envs.checks import assert_works, leaves, refused
from test_envs.pools import make, native
from test_envs.threads import in_threads, threads_become, threads_of_this_process

pytestmark = pytest.mark.own_process


def signal_soon(number: int, seconds: float = 0.3) -> None:
    """Sends this process a signal while it does something else."""
    threading.Timer(seconds, os.kill, (os.getpid(), number)).start()


# ---- Ctrl-C --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Sleepy", "SleepyLate"])
def test_ctrl_c_interrupts_a_waiting_recv_and_loses_nothing(name: str) -> None:
    pool = make(name, num_envs=2, batch_size=1, num_threads=2)
    pool.async_reset()
    for _ in range(2):
        pool.recv()
    pool.send([50, 50])
    for _ in range(2):
        pool.recv()
    pool.send([5000], env_id=[0])
    signal_soon(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        pool.recv()
    # The pool is as it was, and the step is not done; its batch comes later, once.
    with refused(AlreadyPendingError, "environment 0"):
        pool.send([0], env_id=[0])
    pool.send([0], env_id=[1])
    assert pool.recv()[4]["env_id"].tolist() == [1]
    obs, reward, *_, info = pool.recv()
    assert info["env_id"].tolist() == [0]
    assert reward[0] == 5000
    pool.send([0], env_id=[0])
    assert pool.recv()[0][0] == obs[0] + 1
    pool.close()


def test_ctrl_c_interrupts_a_synchronous_step() -> None:
    pool = make("SleepyLate", num_envs=2, num_threads=2)
    pool.reset()
    pool.step([20, 20])
    signal_soon(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        pool.step([1500, 1500])
    with refused(AlreadyPendingError, "environment 0"):
        pool.step([0, 0])
    assert pool.recv()[1].tolist() == [1500, 1500]
    assert_works(pool)


def test_a_signal_handler_that_returns_does_not_disturb() -> None:
    seen = []
    signal.signal(signal.SIGUSR1, lambda *_: seen.append(1))
    pool = make("SleepyLate", num_envs=2, batch_size=1, num_threads=1)
    pool.async_reset()
    for _ in range(2):
        pool.recv()
    pool.send([1000], env_id=[0])
    signal_soon(signal.SIGUSR1)
    assert pool.recv()[1].tolist() == [1000]
    assert seen == [1]


def test_a_signal_handler_may_use_the_pool() -> None:
    pool = make("SleepyLate", num_envs=2, batch_size=1, num_threads=2)
    pool.async_reset()
    for _ in range(2):
        pool.recv()
    signal.signal(signal.SIGUSR1, lambda *_: pool.send([0], env_id=[1]))
    pool.send([60000], env_id=[0])
    signal_soon(signal.SIGUSR1)
    assert pool.recv()[4]["env_id"].tolist() == [1]
    print("passed", flush=True)
    os._exit(0)  # nobody waits a minute for environment 0


# ---- closing -------------------------------------------------------------------------------------


@pytest.mark.parametrize("env_type", ["gymnasium", "gym", "dm"])
def test_use_after_close_is_refused(env_type: str) -> None:
    pool = make("Count", env_type, num_envs=2)
    pool.reset()
    pool.close()
    pool.close()
    for use in (
        lambda: pool.step([0, 0]),
        lambda: pool.send([0, 0]),
        pool.recv,
        pool.reset,
        pool.async_reset,
    ):
        with refused(ClosedPoolError, "closed"):
            use()
    assert len(pool) == 2
    assert repr(pool)
    assert pool.stats()["num_threads"]
    pool.close()


@pytest.mark.parametrize("batch_size", [4, 2])
def test_close_joins_every_thread(batch_size: int) -> None:
    before = threads_of_this_process()
    with make(num_envs=4, batch_size=batch_size, num_threads=4) as pool:
        pool.reset()
        assert threads_of_this_process() == before + (3 if batch_size == 4 else 4)
    assert threads_become(before)


def test_a_deleted_pool_is_closed() -> None:
    before = threads_of_this_process()
    pool = make(num_envs=4, batch_size=2, num_threads=2)
    pool.async_reset()
    del pool
    assert threads_become(before)


@pytest.mark.parametrize("batch_size", [2, 1])
def test_close_wakes_a_blocked_recv(batch_size: int) -> None:
    pool = make("SleepyLate", num_envs=2, batch_size=batch_size, num_threads=2)
    pool.async_reset()
    for _ in range(2 // batch_size):
        pool.recv()
    pool.send([1000, 1000])

    def receive() -> None:
        with refused(ClosedPoolError, "closed"):
            pool.recv()

    def close() -> None:
        time.sleep(0.3)
        pool.close()
        pool.close()

    in_threads(receive, close, close)
    with refused(ClosedPoolError, "closed"):
        pool.recv()


@pytest.mark.parametrize("batch_size", [8, 2])
def test_close_with_work_pending(batch_size: int) -> None:
    for milliseconds in (0, 1, 50):
        pool = make("SleepyLate", num_envs=8, batch_size=batch_size, num_threads=2)
        pool.async_reset()
        for _ in range(8 // batch_size):
            pool.recv()
        pool.send([milliseconds] * 8)
        pool.close()


@pytest.mark.parametrize("name", ["SleepyLate", "Sleepy", "Count"])
@pytest.mark.parametrize("batch_size", [4, 2])
def test_the_process_ends_with_work_pending(name: str, batch_size: int) -> None:
    """The runner sees to it that the process ends, in time and with status 0."""
    global kept
    kept = make(name, num_envs=4, batch_size=batch_size, num_threads=2)
    kept.async_reset()
    for _ in range(4 // batch_size):
        kept.recv()
    kept.send([2] * 4)


def test_the_process_ends_with_arrays_and_a_native_pool_alive() -> None:
    global kept
    kept = native("Walk", num_envs=4, batch_size=2, num_threads=2)
    kept = (kept, kept.reset(), {"pool": kept})
    kept[0].send_reset(kept[1][4])


# ---- threads -------------------------------------------------------------------------------------


@pytest.mark.parametrize("action", ["array", "strided", "list"])
@pytest.mark.parametrize("num_threads", [1, 2])
def test_two_threads_that_step_one_pool_get_right_results_or_a_clear_error(
    num_threads: int, action: str
) -> None:
    n = 2000
    pool = make(num_envs=n, max_count=1000000, num_threads=num_threads)
    pool.reset()
    steps: list[int] = []
    # numpy lets other threads run while it copies something large.
    given: Any = {"array": np.ones(n, int), "strided": np.ones(2 * n, np.int16)[::2]}.get(action)
    given = [1] * n if given is None else given

    def play() -> None:
        for _ in range(150):
            try:
                obs, *_, info = pool.step(given)
            except AlreadyPendingError:
                continue
            assert (obs == obs[0]).all()
            assert (info["total"] == obs[0]).all()
            steps.append(int(obs[0]))

    in_threads(play, play, play)
    # Every step happened once and was seen once.
    assert sorted(steps) == list(range(1, len(steps) + 1))
    assert steps
    assert_works(pool)


def test_two_threads_that_step_halves_of_one_pool() -> None:
    pool = make(num_envs=8, max_count=1000000, num_threads=2)
    pool.reset()
    done = {0: 0, 1: 0}

    def play(half: int) -> None:
        ids = np.arange(4 * half, 4 * half + 4)
        while done[half] < 150:
            try:
                obs, *_, info = pool.step([1] * 4, env_id=ids)
            except AlreadyPendingError:
                continue
            assert info["env_id"].tolist() == ids.tolist()
            done[half] += 1
            assert obs.tolist() == [done[half]] * 4

    in_threads(lambda: play(0), lambda: play(1))
    assert done == {0: 150, 1: 150}


def test_one_thread_sends_and_another_receives() -> None:
    n, batch_size, steps = 16, 4, 100
    pool = make("Count", num_envs=n, batch_size=batch_size, num_threads=2, max_count=1000000)
    pool.async_reset()
    ready: queue.SimpleQueue[Any] = queue.SimpleQueue()
    counts = np.zeros(n, int)

    def receive() -> None:
        received = 0
        while received < n * (steps + 1) // batch_size:
            try:
                obs, *_, info = pool.recv()
            except NothingPendingError:  # the sender is behind
                time.sleep(0.001)
                continue
            received += 1
            counts[info["env_id"]] = obs
            ready.put(info["env_id"])

    def send() -> None:
        for _ in range(n * steps // batch_size):
            ids = ready.get()
            pool.send(ids % 3, ids)

    in_threads(receive, send)
    assert counts.sum() == n * steps


def test_many_pools_in_many_threads() -> None:
    def play(seed: int) -> None:
        for batch_size in (8, 4):
            with make("Walk", num_envs=8, batch_size=batch_size, num_threads=2, seed=seed) as pool:
                *_, info = pool.reset()
                for _ in range(50):
                    *_, info = pool.step(info["env_id"] % 3, info["env_id"])

    in_threads(*[lambda seed=seed: play(seed) for seed in range(4)])


@pytest.mark.parametrize("batch_size", [4, 2])
def test_an_exclusive_library_is_never_entered_twice(batch_size: int) -> None:
    """Not by the threads of a pool, not by two pools, not while one is built or closed."""

    def play() -> None:
        for _ in range(3):
            with make("Exclusive", num_envs=4, batch_size=batch_size, num_threads=4) as pool:
                *_, info = pool.reset()
                for _ in range(5):
                    obs, *_, info = pool.step([0] * batch_size, info["env_id"])
                    assert (obs == 0).all(), "two threads were inside"

    warnings.simplefilter("ignore")  # more threads than CPUs
    in_threads(play, play, play)


def test_a_library_has_one_lock_however_it_is_called() -> None:

    with tempfile.TemporaryDirectory() as folder:
        link = Path(folder) / "link.so"
        link.symlink_to(os.environ["PP_TEST_ENVS"])
        assert _core.Plugin(str(link)).path == _core.Plugin(os.environ["PP_TEST_ENVS"]).path


def test_too_many_threads_for_the_system_is_an_error() -> None:
    warnings.simplefilter("ignore")  # more threads than CPUs
    used = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    limits = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used + 256 * 2**20, limits[1]))
    with refused(ValueError, "threads", "num_threads="):
        make(num_envs=2000, num_threads=2000)
    resource.setrlimit(resource.RLIMIT_AS, limits)
    assert_works(make(num_envs=4, num_threads=2))


def test_a_constructor_that_throws_leaves_no_thread() -> None:
    before = threads_of_this_process()
    with refused(EnvBuildError, "level.bin"):
        make("Faulty", num_envs=4, batch_size=2, num_threads=2, fails_in="constructor")
    assert threads_become(before)


# ---- fork and friends ----------------------------------------------------------------------------


def child_is_told(pool: Any) -> None:
    """Runs in a forked child: every use of the parent's pool is refused, at once."""
    for use in (lambda: pool.step([0] * 4), lambda: pool.send([0] * 4), pool.recv, pool.reset):
        with refused(ForkedPoolError, "forked", "in the child", "spawn"):
            use()
    pool.close()


@pytest.mark.parametrize("batch_size", [4, 2])
@pytest.mark.parametrize("pending", [False, True])
def test_a_forked_child_is_told(batch_size: int, pending: bool) -> None:
    pool = make(num_envs=4, batch_size=batch_size, num_threads=2, max_count=100)
    pool.async_reset()
    if not pending:
        for _ in range(4 // batch_size):
            pool.recv()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            child_is_told(pool)
            with make(num_envs=4, num_threads=2) as own:
                assert_works(own)
            del pool
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    if pending:
        for _ in range(4 // batch_size):
            pool.recv()
    pool.send([1] * 4, env_id=[0, 1, 2, 3])
    for _ in range(4 // batch_size):
        assert (pool.recv()[0] == 1).all()


def test_a_forked_child_may_end_the_usual_way() -> None:
    pool = make(num_envs=4, num_threads=2)
    pool.reset()
    pid = os.fork()
    if pid == 0:
        raise SystemExit(0)  # through atexit, garbage collection and all
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert_works(pool)


@pytest.mark.parametrize("method", ["spawn", "forkserver", "fork"])
def test_workers_of_every_start_method_have_pools_of_their_own(method: str) -> None:
    pool = make(num_envs=4, num_threads=2)
    pool.reset()
    context = multiprocessing.get_context(method)
    with context.Pool(2) as workers:
        pids = workers.map(pools.use_in_worker, [os.environ["PP_TEST_ENVS"]] * 2, chunksize=1)
    assert os.getpid() not in pids
    assert_works(pool)


def test_a_worker_that_inherits_a_pool_gets_the_error_and_ends_well() -> None:
    pool = make(num_envs=4, num_threads=2)
    pool.reset()
    worker = multiprocessing.get_context("fork").Process(target=child_is_told, args=(pool,))
    worker.start()
    worker.join()
    assert worker.exitcode == 0
    assert_works(pool)


def test_sigterm_ends_a_process_in_the_middle_of_a_step() -> None:
    pid = os.fork()
    if pid == 0:
        pool = make("SleepyLate", num_envs=2, batch_size=1, num_threads=2)
        pool.async_reset()
        for _ in range(2):
            pool.recv()
        pool.send([60000], env_id=[0])
        signal_soon(signal.SIGTERM)
        pool.recv()
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == -signal.SIGTERM


@pytest.mark.parametrize("env_type", ["gymnasium", "gym", "dm"])
def test_a_pickled_or_copied_pool_is_another_one_of_the_same_recipe(env_type: str) -> None:
    # Without the seconds that an episode took.
    pool = make("Walk", env_type, num_envs=3, drift=0.5, episode_statistics=False)
    first = leaves(pool.reset())
    second = leaves(pool.step([0, 1, 2]))
    for other in (pickle.loads(pickle.dumps(pool)), deepcopy(pool), copy(pool)):
        assert type(other) is type(pool)
        assert other is not pool
        assert {**other.config, "seed": None} == pool.config
        # It begins where this one began, with the seeds that this one drew.
        for got, wanted in zip(leaves(other.reset()), first, strict=True):
            np.testing.assert_array_equal(got, wanted)
        for got, wanted in zip(leaves(other.step([0, 1, 2])), second, strict=True):
            np.testing.assert_array_equal(got, wanted)
        other.close()
    pool.close()
    with pickle.loads(pickle.dumps(pool)) as another:
        another.reset()


@pytest.mark.parametrize("batch_size", [4, 2])
@pytest.mark.parametrize("env_type", ["gymnasium", "gym", "dm"])
def test_with_its_states_a_pickled_pool_goes_on(env_type: str, batch_size: int) -> None:
    arguments = {"batch_size": batch_size, "num_threads": 1, "episode_statistics": False}
    pool = make("Walk", env_type, num_envs=4, **arguments)
    pool.async_reset()
    for _ in range(4 // batch_size):
        pool.recv()
    with refused(TypeError):
        pool.pickled(True)
    with pickle.loads(pool.pickled(include_state=True)) as other:
        for ids in ([0, 1], [2, 3], [1, 2], [0, 3]):
            results = []
            for each in (pool, other):
                each.send([2, 1], ids)
                results.append(leaves(each.recv()))
            for got, wanted in zip(*results, strict=True):
                np.testing.assert_array_equal(got, wanted)
    with pickle.loads(pool.pickled()) as fresh, refused(ResetNeededError, "never reset"):
        fresh.step([0] * 4)
    pool.send([0, 0], [0, 1])
    with refused(AlreadyPendingError, "environment 0"):
        pool.pickled(include_state=True)
    pickle.loads(pool.pickled()).close()
