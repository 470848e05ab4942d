"""Threads that are too many for the CPUs, or have waited for them, are warned about; processes share CPUs."""

import re
import sys
import time
import warnings
from pathlib import Path

import parallel_pool
import pytest
from parallel_pool import ThreadPool, _core
from parallel_pool.threads import cpu_waits
from parallel_pool.threads.cpu_waits import Clocks, finding, run_and_waited
from parallel_pool.views import open_pools
from test_envs.pools import begun, make
from test_envs.programs import ran

own_process = pytest.mark.own_process
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
USABLE = _core.usable_cpus()


@own_process
def test_many_pools_with_threads_of_their_own_are_warned_about_once() -> None:
    with warnings.catch_warnings(record=True, action="always") as seen:
        pools = [make(num_envs=8, batch_size=4, num_threads=1) for _ in range(2 * USABLE)]
        assert not seen
        pools += [make(num_envs=8, batch_size=4, num_threads=1) for _ in range(3)]
    (warning,) = seen
    assert warning.category is parallel_pool.OversubscriptionWarning
    assert Path(warning.filename).name == "pools.py"
    text = str(warning.message)
    assert f"{2 * USABLE + 1} pools of this process have {2 * USABLE + 1} threads" in text
    assert f"for {USABLE} CPUs" in text
    assert "thread_pool=" in text


@own_process
def test_closed_pools_and_shared_threads_do_not_count_again() -> None:
    warnings.simplefilter("error")
    for _ in range(3 * USABLE):
        make(num_envs=8, batch_size=4, num_threads=1).close()
    with ThreadPool(USABLE) as threads:
        pools = [make(num_envs=8, batch_size=4, thread_pool=threads) for _ in range(3 * USABLE)]
        for pool in pools:
            pool.close()


@pytest.mark.parametrize(
    ("text", "share"),
    [("", 1), ("1", 1), ("2", 2), ("0", 1), ("-3", 1), ("two", 1), ("100000", 100000)],
)
def test_siblings_on_this_machine_get_their_share(
    monkeypatch: pytest.MonkeyPatch, text: str, share: int
) -> None:
    """torchrun starts LOCAL_WORLD_SIZE processes, and each makes its pools."""
    monkeypatch.setenv("LOCAL_WORLD_SIZE", text)
    expected = max(1, USABLE // share)
    assert parallel_pool.make_spec("test/Count-v0", num_envs=500).config.num_threads == expected
    spec = parallel_pool.make_spec("test/Count-v0", num_envs=9, num_threads=2)
    assert spec.config.num_threads == 2
    with ThreadPool() as threads:
        assert threads.num_threads == expected


@own_process
@linux
def test_threads_have_times() -> None:
    with begun(make("Walk", num_envs=8, num_threads=3)) as pool:
        while -1 in (ids := pool.stats()["thread_ids"]):  # until each has begun
            time.sleep(0.001)
        times = run_and_waited(ids)
        assert len(set(ids)) == len(times) == len(pool.stats()["seconds_slept"]) >= 2
        waited = pool.stats()["seconds_waited_for_cpus"]
        assert all(now >= before >= 0 for now, (_, before) in zip(waited, times, strict=True))
    assert run_and_waited(ids) == []


@pytest.mark.parametrize(
    ("times", "cpus_used", "said"),
    [
        ([(20.0, 30.0)] * 2, 2.0, r"waited 60 of the 100 seconds.*torch.set_num_threads"),
        ([(20.0, 30.0)] * 2, 0.9, r"waited 60 of the 100 .*other programs.* had 0.9 CPUs"),
        ([(20.0, 5.0)] * 2, 2.0, None),  # a fifth
        ([(1.0, 2.0)], 2.0, None),  # too short
        ([], 2.0, None),  # the system does not tell
    ],
)
def test_what_is_said(
    times: list[tuple[float, float]],
    cpus_used: float,
    said: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cpu_waits._core, "usable_cpus", lambda: 2)
    monkeypatch.setattr(time, "monotonic", lambda: 1050.0)
    monkeypatch.setattr(time, "process_time", lambda: 7.0 + 50 * cpus_used)
    text = finding("mine/Env-v0", times, Clocks(1000.0, 7.0))
    assert text is None if said is None else re.search(said, text or "")


@own_process
def test_it_is_said_once() -> None:
    open_pools.run_and_waited = lambda ids: [(20.0, 30.0)]
    first, second, alone = (make("Walk", num_envs=4, num_threads=n) for n in (2, 2, 1))
    alone.close()  # has no threads
    with pytest.warns(parallel_pool.OversubscriptionWarning, match="have waited 30 of the 50"):
        first.close()
    first.close()
    second.close()


PROGRAM = """
import parallel_pool
from parallel_pool.views import open_pools

open_pools.run_and_waited = lambda ids: [(20.0, 30.0)]
pools = [parallel_pool.make("CartPole-v1", num_envs=8, num_threads=2) for _ in range(2)]
pools[0].reset()
"""


def test_pools_that_nobody_closes_say_it_at_the_end() -> None:
    pytest.importorskip("parallel_pool_classic")
    done = ran("-c", PROGRAM)
    assert done.returncode == 0
    assert done.stderr.count("OversubscriptionWarning: ") == 1, done.stderr
    assert "classic/CartPole-v1: the threads of this pool have waited" in done.stderr
