"""An environment that finds no memory fails like any other, wherever in its engine that is: the process goes
on, and so does the environment after a reset.
"""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import parallel_pool
import pytest
from test_envs.compiling import SOURCES
from test_envs.programs import ran

IDS = (
    *("atari/Pong-v5", "atari/ALE-Pong-v5", "classic/Acrobot-v1", "dmc/cheetah-run-v1"),
    *("box2d/LunarLander-v3", "box2d/BipedalWalker-v3", "box2d/CarRacing-v3"),
    *("minigrid/MiniGrid-KeyCorridorS3R1-v0", "mujoco/HalfCheetah-v5"),
)
"""Of families whose engines run in the process of the pool."""

PROGRAM = """
import ctypes, os, resource, sys
import numpy as np
import parallel_pool

def make():
    options = {"engine": "ale"} if "ALE" in task_id else {}
    return parallel_pool.make(
        task_id, num_envs=2, num_threads=1, autoreset_mode="SameStep", **options
    )

def play(pool, seed):
    pool.reset(seed=seed)
    pool.action_space.seed(seed)
    for _ in range(3):
        obs, *_ = pool.step(pool.action_space.sample())
    return obs if isinstance(obs, np.ndarray) else obs.get("image", obs.get("position"))

def use(pool):
    play(pool, 0)
    pool.set_state(None, pool.get_state())
    play(pool, 1)

def use_one():
    with make() as pool:
        use(pool)

preloaded = ctypes.CDLL(None)
preloaded.refuse_after.argtypes = [ctypes.c_long]
preloaded.refuse_after.restype = ctypes.c_long
MANY = 1 << 40
count = int(sys.argv[1])
for task_id in sys.argv[2:]:
    use_one()
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    for more in np.geomspace(16 << 10, 64 << 20, count).astype(int):
        child = os.fork()
        if child == 0:
            resource.setrlimit(resource.RLIMIT_AS, (used + int(more),) * 2)
            try:
                with make() as pool:
                    for _ in range(3):
                        use(pool)
            except Exception:
                pass
            os._exit(0)
        status = os.waitpid(child, 0)[1]
        assert status == 0, (task_id, int(more), status)
    with make() as pool:
        expected = play(pool, 2)
    for mark in (f"parallel_pool_{task_id.partition('/')[0]}/", "libmujoco"):
        preloaded.watch_library(mark.encode())
    preloaded.refuse_after(MANY)
    use_one()
    total = MANY - preloaded.refuse_after(-1)
    assert total > 10, (task_id, total)
    refused = 0
    for number in np.unique(np.linspace(0, total - 1, count).astype(int)):
        with make() as pool:
            preloaded.refuse_after(int(number))
            try:
                use(pool)
                use_one()
            except Exception:  # whatever: it is an error, and the process goes on
                pass
            finally:
                refused += preloaded.refuse_after(-1) < 0
            # A world that was thrown away leaves another, of which the last bits differ.
            difference = np.abs(play(pool, 2) - expected.astype(float))
            assert np.median(difference) < 1e-2, (task_id, number, difference)
    assert refused > count / 2, (task_id, refused)
"""

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="loads and limits as Linux has them"
)


@pytest.mark.parametrize(
    ("ids", "count"), [(IDS, 6), *(pytest.param([id], 400, marks=pytest.mark.slow) for id in IDS)]
)
def test_finding_12_no_memory(
    ids: Sequence[str], count: int, compiled: Callable[[Path], Path]
) -> None:
    """One of all requests that the engine makes while a pool is made and used, evenly spread; and limits of
    memory, in children of the process that has imported everything: each may take so much more.
    """
    ids = [id for id in ids if parallel_pool.list_all_envs(id.partition("/")[0])]
    preload = str(compiled(SOURCES / "refuse_malloc.c"))
    seconds = 60 + 4 * count * len(ids)
    done = ran("-c", PROGRAM, count, *ids, seconds=seconds, LD_PRELOAD=preload)
    assert (done.returncode, done.stderr) == (0, "")
