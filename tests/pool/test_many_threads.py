"""More threads than CPUs are warned about once; several processes share the CPUs."""

import warnings
from pathlib import Path

import parallel_pool
import pytest
from parallel_pool import ThreadPool
from test_envs.pools import make

own_process = pytest.mark.own_process


@own_process
def test_many_pools_with_threads_of_their_own_are_warned_about_once() -> None:
    usable = parallel_pool._core.usable_cpus()  # type: ignore[attr-defined]
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        pools = [make(num_envs=8, batch_size=4, num_threads=1) for _ in range(2 * usable)]
        assert not seen
        pools += [make(num_envs=8, batch_size=4, num_threads=1) for _ in range(3)]
    (warning,) = seen
    assert warning.category is parallel_pool.OversubscriptionWarning
    assert Path(warning.filename).name == "pools.py"
    text = str(warning.message)
    assert f"{2 * usable + 1} pools of this process have {2 * usable + 1} threads" in text
    assert f"for {usable} CPUs" in text
    assert "thread_pool=" in text


@own_process
def test_closed_pools_and_shared_threads_do_not_count_again() -> None:
    usable = parallel_pool._core.usable_cpus()  # type: ignore[attr-defined]
    warnings.simplefilter("error")
    for _ in range(3 * usable):
        make(num_envs=8, batch_size=4, num_threads=1).close()
    with ThreadPool(usable) as threads:
        pools = [make(num_envs=8, batch_size=4, thread_pool=threads) for _ in range(3 * usable)]
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
    usable = parallel_pool._core.usable_cpus()  # type: ignore[attr-defined]
    monkeypatch.setenv("LOCAL_WORLD_SIZE", text)
    expected = max(1, usable // share)
    assert parallel_pool.make_spec("test/Count-v0", num_envs=500).config.num_threads == expected
    assert (
        parallel_pool.make_spec("test/Count-v0", num_envs=9, num_threads=2).config.num_threads == 2
    )
    with ThreadPool() as threads:
        assert threads.num_threads == expected
