"""Where threads run: CPU lists and NUMA nodes, checked against what this process may use."""

import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from parallel_pool import OptionError, ThreadPool, _core
from parallel_pool.threads.placement import numa_cpus, numa_nodes, ranges, thread_cpus
from test_envs.checks import assert_works, refused, resident_bytes
from test_envs.pools import make

ALLOWED = sorted(os.sched_getaffinity(0))
FORBIDDEN = max(ALLOWED) + 1


def machine(root: Path, nodes: str, **cpus: str) -> str:
    """A folder as /sys/devices/system/node would be."""
    (root / "online").write_text(nodes)
    for node, text in cpus.items():
        (root / node).mkdir()
        (root / node / "cpulist").write_text(text)
    return str(root)


@pytest.mark.parametrize(
    ("text", "cpus"),
    [
        ("", []),
        ("\n", []),
        ("0\n", [0]),
        ("0-3\n", [0, 1, 2, 3]),
        ("0-1,8,10-11\n", [0, 1, 8, 10, 11]),
        ("4,2,2-3", [2, 3, 4]),
    ],
)
def test_the_systems_lists(tmp_path: Path, text: str, cpus: list[int]) -> None:
    root = machine(tmp_path, "0", node0=text)
    assert numa_cpus(0, root) == cpus
    assert thread_cpus("x", [ALLOWED[0]]) == [[ALLOWED[0]]]


@pytest.mark.parametrize("text", ["a", "1-", "-1", "3-1", "1;2", "1,,2", "0-99999999999", "1 2"])
def test_other_lists_are_refused(tmp_path: Path, text: str) -> None:
    with refused(ValueError, "not a list of CPUs"):
        numa_cpus(0, machine(tmp_path, "0", node0=text))


def test_nodes(tmp_path: Path) -> None:
    here = ranges(ALLOWED)
    root = machine(tmp_path, "0-1,3", node0=here, node1=str(FORBIDDEN), node3="")
    assert numa_nodes(root) == [0, 1, 3]
    assert thread_cpus("x", numa_node=0, root=root) == [ALLOWED]
    assert thread_cpus("x", numa_node=np.int64(0), root=root) == [ALLOWED]
    with refused(OptionError, "x: NUMA node 1 has CPUs", str(FORBIDDEN), f"may use {here} only"):
        thread_cpus("x", numa_node=1, root=root)
    with refused(OptionError, "NUMA node 3 has no CPU"):
        thread_cpus("x", numa_node=3, root=root)
    for node in (2, -1, "0", 0.0, True):
        with refused(OptionError, f"numa_node is {node!r}", "has the nodes 0-1,3"):
            thread_cpus("x", numa_node=node, root=root)
    with refused(OptionError, "names no NUMA nodes", "thread_affinity"):
        thread_cpus("x", numa_node=0, root=str(tmp_path / "nowhere"))


@pytest.mark.parametrize(
    "value", [[], "01", 3, [0.5], [True], [None], {"cpu": 1}, [[0]], np.array([0.0])]
)
def test_an_affinity_is_a_list_of_cpus(value: Any) -> None:
    with refused(OptionError, "test/Count-v0: thread_affinity is", "[0, 2, 4]"):
        make(num_envs=4, thread_affinity=value)


@pytest.mark.parametrize("cpu", [FORBIDDEN, -1, 10**6])
def test_cpus_of_others_are_refused(cpu: int) -> None:
    with refused(OptionError, f"names CPU {cpu}", f"may use {ranges(ALLOWED)} only", "taskset"):
        make(num_envs=4, thread_affinity=[ALLOWED[0], cpu])
    with refused(OptionError, "ThreadPool: thread_affinity", f"CPU {cpu}"):
        ThreadPool(thread_affinity=[cpu])
    with refused(ValueError, f"CPU {cpu} is not among those"):
        _core.ThreadPool(1, [[cpu]])


def test_one_way_at_a_time() -> None:
    with refused(OptionError, "thread_affinity or numa_node, not both"):
        make(num_envs=4, thread_affinity=ALLOWED, numa_node=0)
    with refused(OptionError, "not several"):
        make(num_envs=4, thread_affinity=ALLOWED, thread_affinity_offset=0)


def test_ranges() -> None:
    assert ranges([0, 1, 2, 5, 7, 8]) == "0-2,5,7-8"
    assert ranges([4]) == "4"


@pytest.mark.parametrize("cpu", [ALLOWED[0], ALLOWED[-1]])
@pytest.mark.parametrize("shared", [False, True])
def test_environments_are_built_and_stepped_where_they_should(cpu: int, shared: bool) -> None:
    """Built, so that what they allocate lies near; all on one CPU shows that the caller does not help."""
    threads = ThreadPool(2, thread_affinity=[cpu]) if shared else None
    where = {} if shared else {"num_threads": 2, "thread_affinity": [cpu]}
    with make("Where", num_envs=20, batch_size=10, thread_pool=threads, **where) as pool:
        seen = [pool.reset()[0], pool.recv()[0]]
    if threads is not None:
        assert f"cpus={cpu}, " in repr(threads)
        threads.close()
    assert {tuple(row) for obs in seen for row in obs.tolist()} == {(cpu, cpu)}


@pytest.mark.skipif(len(ALLOWED) < 2, reason="one CPU")
def test_threads_take_the_cpus_in_their_order() -> None:
    with make(
        "Where", num_envs=2, batch_size=1, num_threads=2, thread_affinity=ALLOWED[:2][::-1]
    ) as pool:
        for _ in range(50):  # until both have been at work at the same time
            pool.async_reset() if not _ else pool.send([20, 20], [0, 1])
            cpus = {int(pool.recv()[0][0, 1]) for _ in range(2)}
            if len(cpus) == 2:
                break
        assert cpus == set(ALLOWED[:2])


@pytest.mark.own_process
def test_threads_may_run_on_any_cpu_of_their_node() -> None:
    if not numa_nodes():
        return  # refused, as the test of nodes shows
    node = next(n for n in numa_nodes() if set(numa_cpus(n)) & set(ALLOWED))
    before = set(os.listdir("/proc/self/task"))
    pool = make(num_envs=8, batch_size=4, numa_node=node, num_threads=2)
    mine = set(os.listdir("/proc/self/task")) - before
    wanted = sorted(set(numa_cpus(node)) & set(ALLOWED))
    assert len(mine) == 2
    for thread in mine:
        assert sorted(os.sched_getaffinity(int(thread))) == wanted
    pool.close()
    assert sorted(os.sched_getaffinity(0)) == ALLOWED, "the caller's own thread is left alone"


def test_batches_take_no_memory_before_they_are_written() -> None:
    """Pages come to be where they are first written: by the thread that has the row."""
    with make("Options", num_envs=64, batch_size=64, size=100_000) as pool:
        pool.async_reset(env_id=[3])
        before = resident_bytes()
        obs = pool.recv()[0]
        assert obs.shape == (1, 100_000)
        assert pool.stats()["batch_bytes"] > 25_000_000
        assert resident_bytes() - before < 5_000_000


def test_placed_pools_work() -> None:
    with make(num_envs=8, num_threads=1, thread_affinity=[ALLOWED[0]]) as pool:
        assert_works(pool)
    with make(num_envs=8, thread_affinity=iter(ALLOWED)) as pool:
        assert_works(pool)
        assert pool.config["thread_affinity"] == ALLOWED
        with pickle.loads(pickle.dumps(pool)) as other:
            assert other.config["thread_affinity"] == ALLOWED
