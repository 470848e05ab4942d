"""Engines end with their pool, whatever ends it, leave nothing, and take nothing with them."""

import ctypes
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import parallel_pool
import pytest
from doom_originals import engines, memory_names
from parallel_pool.plugin_api import find_library
from parallel_pool_vizdoom._package import ENGINE_FOLDER, package_folder
from test_envs.pools import begun
from test_envs.programs import python
from test_envs.threads import interrupted

SMALL: dict[str, Any] = {"screen_resolution": "160x120", "frame_skip": 4}
SOON = 20.0
"""engine_timeout of engines that hang, in seconds: others begin in it on a machine that is busy."""


GAME, MATCH = TASKS = ("vizdoom/Basic-v1", "vizdoom/MultiDuel-v1")
ENGINES = {GAME: 1, MATCH: 2}
"""Of an environment."""
BEGINS = {GAME: "-iwad", MATCH: "-join"}
"""What an engine is given that begins last."""
every_task = pytest.mark.parametrize("task_id", TASKS)


def make(num_envs: int, task_id: str = GAME, **options: Any) -> Any:
    return parallel_pool.make(task_id, num_envs=num_envs, **{**SMALL, **options})


def no_action(pool: Any) -> Any:
    return np.zeros(pool.action_space.shape)


def open_sockets() -> set[str]:
    """Of this process."""
    links = []
    for each in Path("/proc/self/fd").iterdir():
        try:
            links.append(os.readlink(each))
        except OSError:
            continue
    return {link for link in links if link.startswith("socket:") or "engine_network" in link}


@every_task
def test_close_ends_them_and_nothing_is_left(task_id: str, elsewhere: Path) -> None:
    sockets = open_sockets()
    with begun(make(2, task_id), seed=0) as pool:
        mine = engines(os.getpid())
        assert len(mine) == 2 * ENGINES[task_id]
        assert not memory_names() and open_sockets() == sockets
        assert all(os.getsid(pid) != os.getsid(0) for pid in mine), "Ctrl-C is for us"
        pool.step(no_action(pool))
        pool.reset(seed=1)
        assert len(engines(os.getpid())) == 2 * ENGINES[task_id]
    assert not engines(os.getpid())
    assert not list(elsewhere.iterdir()), "engines write nothing"


@pytest.mark.parametrize(
    ("task_id", "number", "how", "mode"),
    [
        (GAME, 1, "crashes", "NextStep"),
        pytest.param(GAME, 1, "crashes", "SameStep", marks=pytest.mark.slow),
        (GAME, 1, "hangs", "SameStep"),
        (MATCH, 0, "crashes", "NextStep"),
        pytest.param(MATCH, 1, "crashes", "NextStep", marks=pytest.mark.slow),
        (MATCH, 1, "hangs", "NextStep"),
    ],
)
def test_an_engine_takes_only_its_environment(
    task_id: str, number: int, how: str, mode: str
) -> None:
    """Also while it is in the same call as others: their steps count. number: of the engine, among all."""
    count = 4 - ENGINES[task_id]
    with (
        make(count, task_id, num_threads=1, engine_timeout=SOON, autoreset_mode=mode) as pool,
        make(count, task_id, num_threads=1, autoreset_mode=mode) as twin,
    ):
        pool.reset(seed=0)
        before = engines(os.getpid())
        twin.reset(seed=0)
        same(pool.step(no_action(pool)), twin.step(no_action(pool)), np.arange(count))
        os.kill(before[number], signal.SIGKILL if how == "crashes" else signal.SIGSTOP)
        result, expected = pool.step(no_action(pool)), twin.step(no_action(pool))
        _, reward, terminated, truncated, info = result
        (lost,) = np.flatnonzero(truncated)
        assert not reward[lost].any() and not terminated[lost]
        engine = {
            GAME: "basic.cfg",
            MATCH: r"multi_duel.cfg: player \d of 2, which wait for each other",
        }
        why = {"crashes": "was ended by signal 9", "hangs": "has not answered for 20"}
        assert re.search(f"{engine[task_id]}: the engine {why[how]}", info["error"][lost])
        others = np.delete(np.arange(count), lost)
        assert [each is None for each in info["error"]] == [i != lost for i in range(count)]
        same(result, expected, others)
        for _ in range(3):
            result, expected = pool.step(no_action(pool)), twin.step(no_action(pool))
            assert "error" not in result[-1]
            same(result, expected, others)
        after = [pid for pid in engines(os.getpid()) if pid in before or pid > max(before)]
        assert len(set(before) & set(after)) == len(others) * ENGINES[task_id]
    assert not engines(os.getpid())


def same(result: Any, expected: Any, rows: Any) -> None:
    for ours, theirs in zip(result[:4], expected[:4], strict=True):
        assert np.array_equal(ours[rows], theirs[rows])


@every_task
def test_an_engine_that_crashes_ends_at_once_and_writes_nothing(task_id: str) -> None:
    """Its own handler would call a debugger, and leave what that says in the engine's folder."""
    with begun(parallel_pool.make(task_id, num_envs=1, **SMALL), seed=0) as pool:
        engine = engines(os.getpid())[0]
        folder = Path(f"/proc/{engine}/cwd").resolve()
        before = sorted(folder.iterdir())
        os.kill(engine, signal.SIGSEGV)
        began = time.monotonic()
        assert pool.single_action_space is not None
        *_, info = pool.step(np.zeros((1, *(pool.single_action_space.shape or ()))))
        assert time.monotonic() - began < 2
        assert "was ended by signal 11" in info["error"][0]
        assert sorted(folder.iterdir()) == before


def test_what_is_shown_of_an_episode_that_broke() -> None:
    """The picture that was seen last, in an observation and when it is drawn."""
    whole = {"img_height": 0, "img_width": 0, "stack_num": 1}
    with begun(make(1, render_mode="rgb_array", **whole), seed=0) as pool:
        obs, *_ = pool.step(no_action(pool))
        os.kill(engines(os.getpid())[0], signal.SIGKILL)
        last, *_, info = pool.step(no_action(pool))
        assert info["error"][0]
        assert np.array_equal(last, obs)
        assert np.array_equal(np.asarray(pool.render())[0], last[0].transpose(1, 2, 0))
        obs, *_ = pool.step(no_action(pool))
        assert not np.array_equal(last, obs)


def slow_to_begin(folder: Path, seconds: int, argument: str) -> str:
    """An engine that takes so long to begin, if it has that argument."""
    path = folder / "slow"
    path.write_text(
        f'#!/bin/sh\nfor each; do [ "$each" = {argument} ] && sleep {seconds}; done\n'
        f'exec {package_folder() / "vizdoom"} "$@"\n'
    )
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("task_id", "num_threads"),
    [(GAME, 1), pytest.param(GAME, 2, marks=pytest.mark.slow), (MATCH, 2)],
)
def test_ctrl_c_is_heard_and_loses_nothing(task_id: str, num_threads: int, elsewhere: Path) -> None:
    """While engines begin, and in a step in which one hangs."""
    slow = slow_to_begin(elsewhere, 3, BEGINS[task_id])
    with make(2, task_id, num_threads=num_threads, vzd_path=slow) as pool, make(2, task_id) as twin:
        assert interrupted(lambda: pool.reset(seed=0)) < 0.1
        obs = pool.recv()[0]
        engine = min(engines(os.getpid()))
        assert (obs == twin.reset(seed=0)[0]).all()
        same(pool.step(no_action(pool)), twin.step(no_action(twin)), np.arange(2))
        os.kill(engine, signal.SIGSTOP)
        try:
            assert interrupted(lambda: pool.step(no_action(pool))) < 0.1
            with pytest.raises(parallel_pool.AlreadyPendingError):
                pool.step(no_action(pool))
        finally:
            os.kill(engine, signal.SIGCONT)
        for result in (pool.recv(), pool.step(no_action(pool))):
            same(result, twin.step(no_action(pool)), np.arange(2))
            assert "error" not in result[-1]


def test_a_game_cannot_be_saved_and_says_why() -> None:
    with begun(make(1), seed=0) as pool:
        for ask in (pool.get_state, lambda: pool.set_state(None, [b""])):
            with pytest.raises(parallel_pool.NotOfferedError, match="saved games are not exact"):
                ask()


@every_task
def test_an_engine_that_is_none(task_id: str) -> None:
    """Those of a match do not wait for it."""
    player = r"basic.cfg: the engine" if task_id == GAME else "player . of 2.*"
    with make(1, task_id, vzd_path="/bin/false") as pool:
        began = time.monotonic()
        with pytest.raises(parallel_pool.EnvError, match=f"{player} ended with exit code 1"):
            pool.reset(seed=0)
        assert time.monotonic() - began < 5
    assert not memory_names()


@pytest.mark.parametrize(
    ("earlier", "words"),
    [
        (0, "no thread to start engines from: Resource temporarily unavailable"),
        (1, "the engine shares memory that cannot be mapped: Cannot allocate memory"),
    ],
)
def test_no_memory_for_an_engine(earlier: int, words: str) -> None:
    """For the thread that starts them, or if an earlier pool has it, for what they share."""
    program = f"""
import mmap
import resource
import time
import parallel_pool
# The engine has the same limit, and may not reach it first.
room = mmap.mmap(-1, 4 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ)
def size():
    return int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
def make():
    return parallel_pool.make("vizdoom/Basic-v1", num_envs=1, screen_resolution="160x120")
for _ in range({earlier}):
    with make() as pool:
        pool.reset(seed=0)
with make() as pool:
    used = 0
    while used != (used := size()):  # threads of the earlier pool may still give their stacks back
        time.sleep(0.3)
    resource.setrlimit(resource.RLIMIT_AS, (used + (1 << 20), resource.RLIM_INFINITY))
    try:
        pool.reset(seed=0)
    except parallel_pool.EnvError as error:
        print(error)
"""
    assert words in python("-c", program, seconds=60)


def test_an_engine_that_loads_nothing_of_ours(elsewhere: Path) -> None:
    engine = elsewhere / "engine"
    engine.write_text(f'#!/bin/sh\nexec env -u LD_PRELOAD {package_folder() / "vizdoom"} "$@"\n')
    engine.chmod(0o755)
    with (
        make(1, vzd_path=str(engine)) as pool,
        pytest.raises(parallel_pool.EnvError, match=r"has not loaded what it was given"),
    ):
        pool.reset(seed=0)


def test_what_users_have_engines_load_is_loaded_too(monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = find_library("parallel_pool_vizdoom", "engine_network")
    monkeypatch.setenv("LD_PRELOAD", str(theirs))
    with begun(make(1), seed=0):
        (engine,) = engines(os.getpid())
        loaded = Path(f"/proc/{engine}/maps").read_text()
        assert str(theirs) in loaded
        assert "engine_tics" in loaded


def test_what_an_engine_says_last_is_in_the_message(elsewhere: Path) -> None:
    (elsewhere / "no.wad").write_bytes(b"nothing")
    with (
        make(1, iwad_path=str(elsewhere / "no.wad")) as pool,
        pytest.raises(parallel_pool.EnvError, match=r"(?s)basic.cfg: the engine .*IWAD"),
    ):
        pool.reset(seed=0)


def test_nothing_is_stored_of_a_map_that_takes_long() -> None:
    """The engine would keep its nodes; here every map takes too long."""
    before = set(ENGINE_FOLDER.rglob("*"))
    with make(1, game_args="+gl_cachetime 0") as pool:
        pool.reset(seed=0)
    assert set(ENGINE_FOLDER.rglob("*")) == before


STARTING = """
import os, threading
import parallel_pool
pool = parallel_pool.make("{task_id}", num_envs={count}, screen_resolution="160x120")
print("starts", flush=True)
{how}
pool.reset(seed=0)
print("ready", flush=True)
threading.Event().wait(60)  # no child outlives a test that was killed for long
"""


def starting(task_id: str, count: int, how: str = "") -> subprocess.Popen[bytes]:
    """A process that starts the engines of so many environments."""
    program = STARTING.format(task_id=task_id, count=count, how=how)
    return subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)


@pytest.mark.parametrize("times", [1, pytest.param(4, marks=pytest.mark.slow)])
@every_task
def test_a_process_that_ends_while_engines_start_leaves_nothing(task_id: str, times: int) -> None:
    """Whatever ends it, and at any moment: no name of theirs is ever in a folder."""
    ends: list[tuple[str, signal.Signals | None]] = [
        ("", signal.SIGTERM),
        ("", signal.SIGKILL),
        ("threading.Timer({delay}, os._exit, [0]).start()", None),
    ]
    children = []
    for number in range(3 * times):
        how, number_of_signal = ends[number % 3]
        delay = 0.3 * random.random()
        child = starting(task_id, 2, how.format(delay=delay))
        children.append((child, delay, number_of_signal))
    for child, delay, number_of_signal in children:
        assert child.stdout is not None
        assert child.stdout.readline() == b"starts\n"
        if number_of_signal is not None:
            time.sleep(delay)
            child.send_signal(number_of_signal)
        child.communicate(timeout=60)
        assert not memory_names(child.pid)
        for _ in range(100):  # the system ends them, soon after
            theirs = {pid for pid in engines(None) if f"ParallelPool{child.pid}x" in command(pid)}
            if not theirs:
                break
            time.sleep(0.1)
        assert not theirs


def command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


def test_a_player_who_never_comes(elsewhere: Path) -> None:
    slow = slow_to_begin(elsewhere, 1000, "-join")
    with make(1, MATCH, vzd_path=slow, engine_timeout=SOON) as pool:
        with pytest.raises(
            parallel_pool.EnvError, match=r"multi_duel.cfg: player \d of 2.*not answered for 20"
        ):
            pool.reset(seed=0)
        assert not engines(os.getpid()) and not memory_names()


def test_ports_of_many_processes() -> None:
    """Matches of several processes begin at the same time, and no player is in another's."""
    children = [starting(MATCH, 2) for _ in range(2)]
    try:
        for child in children:
            assert child.stdout is not None
            assert [child.stdout.readline() for _ in range(2)] == [b"starts\n", b"ready\n"]
            assert len(engines(child.pid)) == 4
    finally:
        for child in children:
            child.kill()
            child.communicate()


@pytest.mark.parametrize(
    ("name", "functions"),
    [
        (
            "engine_network",
            ["bind", "recvfrom", "sendto", "shm_open", "sigaction", "socket", "usleep"],
        ),
        ("engine_tics", ["mmap", "pthread_cond_wait", "shm_open", "sigaction"]),
    ],
)
def test_what_engines_load_takes_the_place_of_few_functions(
    name: str, functions: list[str]
) -> None:
    """Of a runtime of C++ in it the engine would use parts instead of its own."""
    library = find_library("parallel_pool_vizdoom", name)
    command = ["nm", "-D", "--defined-only", "--format=just-symbols", library]
    assert sorted(subprocess.check_output(command, text=True).split()) == functions


# Engines that stop, or die, within the few instructions in which they hold the lock of a queue. Where a signal
# meets them is chance, so the lock is taken here instead: it lies in memory of ours.
LIBC = ctypes.CDLL(None)
LOCK_OFFSET = 48  # in the queue, engine/queue_layout.hpp


def queue_lock(name: str) -> ctypes.c_void_p:
    lines = Path("/proc/self/maps").read_text().splitlines()
    (queue,) = [line for line in lines if f"ViZDoomMQ{name}" in line]
    return ctypes.c_void_p(int(queue.split("-")[0], 16) + LOCK_OFFSET)


def test_stopped_with_the_lock() -> None:
    with begun(make(1, engine_timeout=SOON), seed=0) as pool:
        lock = queue_lock("Doom")
        assert LIBC.pthread_mutex_lock(lock) == 0
        *_, info = pool.step(np.zeros((1, 3)))
        assert LIBC.pthread_mutex_unlock(lock) == 0
        assert "the engine has not answered for 20" in info["error"][0]


@pytest.mark.parametrize("queue", ["Doom", "Ctr"])
def test_died_with_the_lock(queue: str) -> None:
    """Seen at once. A child of ours holds the lock in the engine's place."""
    with begun(make(1, engine_timeout=600.0), seed=0) as pool:
        (engine,) = engines(os.getpid())
        os.kill(engine, signal.SIGKILL)
        child = os.fork()
        if child == 0:
            os._exit(LIBC.pthread_mutex_lock(queue_lock(queue)))
        assert os.waitpid(child, 0)[1] == 0
        *_, info = pool.step(np.zeros((1, 3)))
        assert "signal 9" in info["error"][0]
