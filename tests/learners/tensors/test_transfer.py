"""Results on their way to a GPU: what is being copied is never written, and never seen half."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable
from typing import Any

import pytest
from parallel_pool.errors import OptionError
from parallel_pool.tensors.transfer import REGISTERED, Cuda, Registration, Transfer
from test_envs.pools import make

torch = pytest.importorskip("torch")


class Late:
    """A device whose copies are done when they are waited for, and not before: the slowest there can be."""

    def __init__(self, registers: bool = True) -> None:
        self.registers = registers
        self.blocks: list[Any] = []
        self.leases: list[Lease] = []
        self.sources: list[Any] = []
        self.said: list[str] = []

    def pinned(self, size: int) -> Any:
        self.blocks.append(torch.empty(size, dtype=torch.uint8))
        return self.blocks[-1]

    def registered(self, begin: int, size: int) -> Any:
        if not self.registers:
            return None
        self.leases.append(Lease(begin, size))
        return Token(self.leases[-1])

    def start(self, sources: list[Any]) -> tuple[list[Any], Any]:
        self.sources = sources
        moved = [torch.full_like(source, 255) for source in sources]
        done: list[Callable[[], Any]] = [
            lambda to=to, source=source: to.copy_(source)
            for to, source in zip(moved, sources, strict=True)
        ]
        self.said.append("start")
        return moved, done

    def wait(self, done: list[Callable[[], Any]]) -> None:
        self.said.append("wait")
        while done:
            done.pop()()

    def order(self, moved: list[Any], done: list[Callable[[], Any]]) -> None:
        del moved, done
        self.said.append("order")


class Lease:
    """Memory that a device was told of; it still has to be memory when the device is told to forget it."""

    def __init__(self, begin: int, size: int) -> None:
        self.begin, self.size, self.ended = begin, size, False

    def end(self) -> None:
        ctypes.string_at(self.begin, self.size)  # ends the process where nothing is
        self.ended = True


class Token:
    """Ends a lease when it is let go of."""

    def __init__(self, lease: Lease) -> None:
        self.lease = lease

    def __del__(self) -> None:
        self.lease.end()


def results(pool: Any, count: int) -> Any:
    pool.reset()
    for _ in range(count):
        yield pool.step(torch.zeros(len(pool), dtype=torch.int64))


def test_a_copy_under_way_is_not_disturbed() -> None:
    """Even if only the memory is ever waited for: results that were due are right."""
    device = Late()
    transfer = Transfer(device)
    with make(num_envs=3, max_count=1000, output="torch") as pool:
        expected, moved = [], []
        for result in results(pool, 20):
            expected.append(result[0].clone())
            moved.append(transfer.move(result, non_blocking=True)[0])
            for before, copy in zip(expected[:-2], moved[:-2], strict=True):
                assert torch.equal(before, copy)
    assert len(device.blocks) == 2  # recycled
    assert device.said.count("order") == 20
    assert device.said[:6] == ["start", "order", "start", "order", "wait", "start"]


MANY = 50_000
"""As many environments that count need a batch of some megabytes."""


def test_a_large_result_is_read_where_it_was_written() -> None:
    """No copy of it is made on the CPU, and none of its batches is written while it is read."""
    device = Late()
    with make(num_envs=MANY, max_count=1000, output="torch") as pool:
        transfer = Transfer(device, pool._pool.block)
        expected, moved = [], []
        for result in results(pool, 20):
            obs = result[0]
            expected.append(obs.clone())
            moved.append(transfer.move(result, non_blocking=True)[0])
            assert any(
                0 <= obs.data_ptr() - each.data_ptr() < each.nbytes for each in device.sources
            )
            del result, obs
            for before, copy in zip(expected[:-2], moved[:-2], strict=True):
                assert torch.equal(before, copy)
        assert 2 <= len(device.leases) <= 6  # batches circulate
        assert all(lease.size >= REGISTERED for lease in device.leases)
        # What is copied are masks that are no columns, a byte each.
        assert max(each.numel() for each in device.blocks) < 4 * MANY
        assert not any(lease.ended for lease in device.leases)
        del transfer
    del pool
    gc.collect()
    assert all(lease.ended for lease in device.leases)


def test_kept_results_end_their_lease_before_their_memory() -> None:
    """More than circulate: those are given back to the system."""
    device = Late()
    with make(num_envs=MANY, max_count=1000, output="torch") as pool:
        transfer = Transfer(device, pool._pool.block)
        kept = []
        for result in results(pool, 120):
            transfer.move(result, non_blocking=False)
            kept.append(result)
            del result
        assert len(device.leases) >= 120
        kept.clear()
        assert 0 < sum(lease.ended for lease in device.leases) < len(device.leases)


def test_a_pool_that_is_dropped_while_its_result_is_read() -> None:
    device = Late()
    pool = make(num_envs=MANY, output="torch")
    transfer = Transfer(device, pool._pool.block)
    result = pool.reset()[0]
    pool.step(torch.zeros(MANY, dtype=torch.int64))
    moved = transfer.move((result,), non_blocking=True)[0]
    expected = result.clone()
    pool.close()
    del pool, result
    assert not any(lease.ended for lease in device.leases)
    del transfer
    assert torch.equal(moved, expected)
    gc.collect()
    assert all(lease.ended for lease in device.leases)


def test_where_nothing_can_be_registered() -> None:
    device = Late(registers=False)
    with make(num_envs=MANY, output="torch") as pool:
        transfer = Transfer(device, pool._pool.block)
        for result in results(pool, 4):
            moved = transfer.move(result, non_blocking=False)
            assert torch.equal(moved[0], result[0])
        assert pool._pool.block(moved[0].data_ptr(), device.registered) is None
    assert len(device.sources) == 1


def test_a_registration() -> None:
    """The calls of CUDA's runtime, by a stand-in."""
    said: list[Any] = []

    class Runtime:
        refuses = False

        def cudaHostRegister(self, begin: int, size: int, flags: int) -> int:
            said.append((begin, size, flags))
            return 2 if self.refuses else 0

        def cudaHostUnregister(self, begin: int) -> int:
            said.append(begin)
            return 0

    runtime = Runtime()
    registration = Registration.of(runtime, 4096, 100)
    assert registration is not None
    del registration
    runtime.refuses = True
    assert Registration.of(runtime, 8192, 10) is None
    assert said == [(4096, 100, 1), 4096, (8192, 10, 1)]


def test_blocking() -> None:
    device = Late()
    transfer = Transfer(device)
    with make(num_envs=3, output="torch") as pool:
        for result in results(pool, 4):
            moved = transfer.move(result, non_blocking=False)
            assert torch.equal(moved[0], result[0])
            assert moved[1].dtype == result[1].dtype
            assert moved[-1]["env_id"].tolist() == [0, 1, 2]
            assert moved[0].data_ptr() != result[0].data_ptr()
    assert "order" not in device.said


def test_every_view() -> None:
    for env_type in ("gymnasium", "gym", "dm"):
        with make(num_envs=2, env_type=env_type, autoreset_mode="SameStep", output="torch") as pool:
            transfer = Transfer(Late())
            for result in results(pool, 8):
                moved = transfer.move(result, non_blocking=False)
                assert type(moved) is type(result)
                assert torch.equal(moved[1], result[1])


def test_what_cannot_be_is_said() -> None:
    with make(num_envs=2, output="torch") as pool, make(num_envs=2) as arrays:
        for each in (pool, arrays):
            each.async_reset()
        with pytest.raises(OptionError, match=r"make\(\.\.\., output='torch'\)"):
            arrays.recv(device="cuda")
        assert pool.recv(device="cpu")[0].device.type == "cpu"
        pool.async_reset()
        with pytest.raises(OptionError, match="expected 'cpu', 'cuda' or 'cuda:N'"):
            pool.recv(device="meta")
        if not torch.cuda.is_available():
            with pytest.raises(OptionError, match="finds no CUDA device"):
                pool.recv(device="cuda")
        assert len(pool.recv()[0]) == 2  # what was on its way is not lost


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")
def test_a_real_device() -> None:
    """Much work before and after each copy, in the caller's stream."""
    assert Cuda("cuda")
    with make(num_envs=64, max_count=100000, output="torch") as pool:
        pool.async_reset()
        total = torch.zeros((), dtype=torch.float64, device="cuda")
        expected = 0.0
        for _ in range(300):
            obs, *_ = pool.recv(device="cuda", non_blocking=True)
            total += obs.double().sum()
            action = torch.zeros(64, dtype=torch.int64, device="cuda")
            pool.send(action)
        pool.recv()
        with make(num_envs=64, max_count=100000) as twin:
            expected += float(twin.reset()[0].sum())
            for _ in range(299):
                expected += float(twin.step(action.cpu().numpy())[0].sum())
        assert total.item() == pytest.approx(expected)
