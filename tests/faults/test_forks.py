"""Row 23 of the fault matrix, in every family: children that are forked whatever the parent's threads do."""

import gc
import json
import os
import signal
import sys
import threading
from functools import partial
from pathlib import Path

import parallel_pool
import pytest
from parallel_pool import ForkedPoolError, per_process
from parallel_pool.imports.undisturbed import undisturbed
from test_envs.checks import assert_works, in_child, refused
from test_envs.pools import begun, make

sys.path.append(str(Path(__file__).parents[2] / "tools"))
from families import families
from test_envs.programs import ran
from test_envs.threads import in_threads

ROOT = Path(__file__).parents[2]

A_PROCESS = 20
"""Children of one process: the first ones meet its imports and its first scan."""
MANY = int(os.environ.get("PP_FORKS", "200")) // A_PROCESS

CASES = {
    "atari": ("atari/Pong-v5", "atari/Breakout-v5", "atari/Seaquest-v5", "atari/Qbert-v5"),
    "box2d": ("box2d/LunarLander-v3", "box2d/BipedalWalker-v3", "box2d/CarRacing-v3"),
    "classic": ("classic/CartPole-v1", "classic/Taxi-v3", "classic/Pendulum-v1"),
    "dmc": ("dmc/cartpole-swingup-v1", "dmc/cheetah-run-v1", "dmc/reacher-easy-v1"),
    "minigrid": ("minigrid/MiniGrid-DoorKey-5x5-v0", "minigrid/BabyAI-GoToObj-v0"),
    "mujoco": ("mujoco/Ant-v5", "mujoco/Hopper-v5", "mujoco/Reacher-v5"),
    "tasks": ("tasks/Cheetah-v0",),
    "vizdoom": ("vizdoom/VizdoomBasic-v1",),
}
"""What the parent's threads and the children make."""


def test_every_family_has_a_case() -> None:
    assert set(CASES) == set(families())


def forks(ids: tuple[str, ...], number: int, seed: int = 0) -> None:
    program = ROOT / "tests/test_envs/forking.py"
    done = ran("-X", "faulthandler", program, json.dumps(ids), number, seed, seconds=280)
    assert done.returncode == 0, f"{done.returncode} of {number} children failed\n{done.stderr}"


def installed() -> tuple[str, ...]:
    """One id of each family."""
    return tuple(CASES[each][0] for each in CASES if parallel_pool.list_all_envs(each))


def test_row_23_children_of_threads_that_make_and_step() -> None:
    """A child of each family, which the parent has just begun to use."""
    forks(installed(), len(installed()))


@pytest.mark.slow
@pytest.mark.timeout(0)
@pytest.mark.parametrize("family", CASES)
def test_row_23_many_children(family: str) -> None:
    if not parallel_pool.list_all_envs(family):
        pytest.skip(f"the family {family} is not installed")
    for seed in range(MANY):
        forks(CASES[family], A_PROCESS, seed)


@pytest.mark.own_process(limit=120)
def test_row_23_a_thread_holds_every_lock() -> None:
    ids = installed()

    def use_all() -> None:
        for id in ids:
            with begun(parallel_pool.make(id, num_envs=1)) as pool:
                pool.step([pool.single_action_space.sample()])

    use_all()  # the modules that have locks are imported
    held, end = threading.Event(), threading.Event()

    def hold() -> None:
        for shared in [each.here for each in per_process._all]:
            for lock in (shared, *getattr(shared, "__dict__", {}).values()):
                if hasattr(lock, "acquire"):
                    assert lock.acquire(timeout=10)
        held.set()
        end.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    assert held.wait(20)
    in_child(use_all)
    end.set()
    thread.join()


SLOW_PLUGIN = """
import os
from parallel_pool.plugin_api import EnvSpec, hookimpl
if os.getpid() == int(os.environ["PP_PARENT"]):
    os.write(int(os.environ["PP_BEGUN"]), b".")
    os.read(int(os.environ["PP_GO_ON"]), 1)
@hookimpl
def parallel_pool_envs():
    return [EnvSpec("slow/Slow-v0", backend="python")]
"""
A_FORK_DURING_THE_FIRST_SCAN = """
import faulthandler, os, sys, threading, warnings
warnings.simplefilter("ignore")
begun, go_on = os.pipe(), os.pipe()
os.environ.update(PP_PARENT=str(os.getpid()), PP_BEGUN=str(begun[1]), PP_GO_ON=str(go_on[0]))
import parallel_pool
parallel_pool.imports.in_children.PATIENCE = 0.2  # the import waits for the fork
thread = threading.Thread(target=parallel_pool.list_all_envs)
thread.start()
os.read(begun[0], 1)
if (pid := os.fork()) == 0:
    faulthandler.dump_traceback_later(60, exit=True)
    assert parallel_pool.list_all_envs("slow") == ["slow/Slow-v0"]
    from parallel_pool.registry.process import registry
    assert not registry().plugin("slow").problems
    os._exit(0)
status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
os.write(go_on[1], b".")
thread.join()
assert parallel_pool.list_all_envs("slow")
sys.exit(status)
"""


def test_row_23_a_fork_while_a_plugin_is_imported(tmp_path: Path) -> None:
    (tmp_path / "slow_plugin.py").write_text(SLOW_PLUGIN)
    info = tmp_path / "pp_slow-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pp-slow\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[parallel_pool]\nslow = slow_plugin\n")
    done = ran("-c", A_FORK_DURING_THE_FIRST_SCAN, seconds=100, PYTHONPATH=str(tmp_path))
    assert done.returncode == 0, done.stderr


@pytest.mark.own_process(limit=60)
@pytest.mark.parametrize("batch_size", [4, 2])
def test_row_23_the_pool_of_a_parent_that_steps_it(batch_size: int) -> None:
    """A child is told at once, and deletes what it has of it."""
    pools = [make(num_envs=4, batch_size=batch_size, num_threads=2)]
    pools[0].async_reset()
    kept = [pools[0].recv()]
    end = threading.Event()

    def step() -> None:
        while not end.is_set():
            pools[0].send([1] * batch_size, kept[-1][-1]["env_id"])
            kept[:] = [*kept[-3:], pools[0].recv()]

    def told() -> None:
        pool = pools[0]
        for use in (pool.recv, pool.reset, pool.stats, pool.get_state, lambda: pool.step([0] * 4)):
            with refused(ForkedPoolError, "in the child", "spawn"):
                use()
        pool.close()
        pools.clear()
        gc.collect()
        kept.clear()
        with make(num_envs=4, num_threads=2) as own:
            assert_works(own)

    thread = threading.Thread(target=step)
    thread.start()
    for _ in range(20):
        in_child(told)
    end.set()
    thread.join()


@pytest.mark.own_process
def test_row_23_the_pool_of_a_parent_that_closes_it() -> None:
    pools = [make(num_envs=4, num_threads=2)]
    pools[0].reset()
    closing = threading.Thread(target=pools[0].close)
    closing.start()

    def told() -> None:
        pools.pop().close()
        gc.collect()

    in_child(told)
    closing.join()


@pytest.mark.own_process
def test_row_23_a_thread_forks_while_signals_are_delayed() -> None:
    came: list[int] = []
    signal.signal(signal.SIGUSR1, lambda number, _: came.append(number))

    def interrupted() -> None:
        signal.raise_signal(signal.SIGUSR1)
        assert came == [signal.SIGUSR1]

    undisturbed(in_threads, partial(in_child, interrupted))
    assert not came


@pytest.mark.own_process
def test_row_23_what_a_program_registered() -> None:
    spec = parallel_pool.EnvSpec("forked/Walk-v0", backend="python")

    def register() -> None:
        parallel_pool.register(spec, factory=lambda spec, options: lambda: None)

    def registered() -> None:
        assert parallel_pool.list_all_envs("forked") == ["forked/Walk-v0"]
        register()

    register()
    in_child(registered)
