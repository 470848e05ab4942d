"""Results on their way to a GPU: what is being copied is never written, and nobody sees half of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from parallel_pool.errors import OptionError
from parallel_pool.tensors.transfer import Cuda, Transfer
from test_envs.pools import make

torch = pytest.importorskip("torch")


class Late:
    """A device whose copies are done when they are waited for, and not before: the slowest there can be."""

    def __init__(self) -> None:
        self.blocks: list[Any] = []
        self.said: list[str] = []

    def pinned(self, size: int) -> Any:
        self.blocks.append(torch.empty(size, dtype=torch.uint8))
        return self.blocks[-1]

    def start(self, source: Any) -> Any:
        moved = torch.full_like(source, 255)
        done: list[Callable[[], Any]] = [lambda: moved.copy_(source)]
        self.said.append("start")
        return moved, done

    def wait(self, done: list[Callable[[], Any]]) -> None:
        self.said.append("wait")
        while done:
            done.pop()()

    def order(self, moved: Any, done: list[Callable[[], Any]]) -> None:
        del moved, done
        self.said.append("order")


def results(pool: Any, count: int) -> Any:
    pool.reset()
    for _ in range(count):
        yield pool.step(torch.zeros(len(pool), dtype=torch.int64))


def test_a_copy_under_way_is_not_disturbed() -> None:
    """Even if nobody ever waits but for the memory: results that were due are right."""
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
