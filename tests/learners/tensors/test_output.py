"""output="torch": the same results, in the same memory, as tensors."""

import sys
from typing import Any

import numpy as np
import parallel_pool
import pytest
import torch
from learners.tensors.late_device import Late
from parallel_pool import envpool
from parallel_pool.errors import LibraryError, OptionError
from test_envs.checks import leaves
from test_envs.code_blocks import DOCS, blocks
from test_envs.pools import begun, make
from test_envs.texts import TELLER


def same(tensors: Any, arrays: Any) -> None:
    for tensor, array in zip(leaves(tensors), leaves(arrays), strict=True):
        if not isinstance(array, np.ndarray):
            assert tensor == array
            continue
        if array.dtype == object:
            same([*tensor], [*array])
            continue
        assert isinstance(tensor, np.ndarray if array.dtype.char in "gMU" else torch.Tensor)
        assert np.asarray(tensor).dtype == array.dtype
        np.testing.assert_array_equal(np.asarray(tensor), array)


@pytest.mark.parametrize("device", [None, "cuda"])
@pytest.mark.parametrize("build", [envpool.make_gymnasium, envpool.make_dm])
def test_in_envpools_interface(build: Any, device: Any, pool_on: Any) -> None:
    late, arguments = Late(at_once=True), {"task_id": "CartPole-v1", "num_envs": 2}
    pool_on(late).close()  # "cuda" is that device from now on
    pools = build(output="torch", device=device, **arguments), build(**arguments)
    with begun(*pools) as (pool, twin):
        action = torch.ones(2, dtype=torch.int32)
        same(pool.step(action), twin.step(action.numpy()))
        ids = np.array([1], np.int32)
        same(
            pool.step({"action": action[:1], "env_id": torch.tensor([1])}),
            twin.step({"action": np.ones(1, np.int32), "env_id": ids}),
        )
        assert bool(late.said) == (device is not None)


def test_nothing_is_copied() -> None:
    """Every column is where it is in the batch, at a multiple of 128 bytes; what all share is a copy."""
    with begun(make(num_envs=5, output="torch"), make(num_envs=5)) as (pool, twin):
        tensors = pool.step(torch.zeros(5, dtype=torch.int64))
        arrays = twin.step(np.zeros(5, int))
        begin, other = tensors[0].data_ptr(), arrays[0].ctypes.data
        for tensor, array in zip(leaves(tensors), leaves(arrays), strict=True):
            if not array.flags.writeable:
                continue
            assert tensor.data_ptr() - begin == array.ctypes.data - other
            assert abs(tensor.data_ptr() - begin) < pool.stats()["batch_bytes"]
            assert tensor.data_ptr() % 128 == 0
        pool.reset()[1]["_env_id"].zero_()
        assert pool.reset()[1]["_env_id"].all()


def test_what_is_kept_is_never_written() -> None:
    with begun(make(num_envs=4, max_count=1000, output="torch")) as pool:
        action = torch.zeros(4, dtype=torch.int64)
        kept = [pool.step(action)[0][1:] for _ in range(40)]  # views keep the batch too
        copies = [each.clone() for each in kept]
        for _ in range(40):
            pool.step(action)
        assert all(torch.equal(a, b) for a, b in zip(kept, copies, strict=True))
        assert len({each.data_ptr() for each in kept}) == 40
        batches = pool.stats()["batches"]
        kept.clear()
        for _ in range(100):
            pool.step(action)
        assert pool.stats()["batches"] <= batches


def test_batches_of_an_asynchronous_pool() -> None:
    with make(num_envs=6, batch_size=2, max_count=1000, num_threads=2, output="torch") as pool:
        pool.async_reset()
        counts = torch.zeros(6, dtype=torch.int64)
        kept = []
        for _ in range(90):
            obs, *_, info = pool.recv()
            ids = info["env_id"].long()
            assert torch.equal(info["elapsed_step"].long(), counts[ids])
            counts[ids] += 1
            kept.append((obs, obs.clone()))
            pool.send(torch.zeros(2, dtype=torch.int64), info["env_id"])
        assert all(torch.equal(obs, copy) for obs, copy in kept)


def test_actions_on_another_device() -> None:
    class Elsewhere:
        """As a tensor on a GPU: numpy cannot read it."""

        def __init__(self, tensor: Any) -> None:
            self._tensor, self.device = tensor, torch.device("cuda", 0)

        def cpu(self) -> Any:
            return self._tensor

        def __array__(self, *_: Any, **__: Any) -> Any:
            raise TypeError("it is on a GPU")

    with begun(make(num_envs=2, output="torch"), make(num_envs=2)) as (pool, arrays):
        action = Elsewhere(torch.tensor([1, 0]))
        assert pool.step(action)[-1]["elapsed_step"].tolist() == [1, 1]
        pool.send(action, Elsewhere(torch.tensor([1, 0])))
        assert pool.recv()[-1]["env_id"].tolist() == [1, 0]
        with pytest.raises(TypeError, match=r"action\.cpu\(\)"):
            arrays.step(action)
        needs = torch.ones(2, requires_grad=True)
        with pytest.raises(TypeError, match=r"action\.detach\(\)"):
            pool.step(needs)


def test_dlpack_both_ways() -> None:
    with make(num_envs=2, output="torch") as pool, make(num_envs=2) as arrays:
        tensor, info = pool.reset()
        array = np.from_dlpack(tensor)
        assert array.ctypes.data == tensor.data_ptr()
        array, info = arrays.reset()
        assert torch.from_dlpack(array).data_ptr() == array.ctypes.data
        assert not info["_env_id"].flags.writeable
        assert not np.from_dlpack(info["_env_id"]).flags.writeable


def test_a_missing_and_an_old_library(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "torch", None)
        with pytest.raises(
            LibraryError, match=r"needs torch.*pip install -U 'parallel-pool\[torch\]'"
        ):
            make(output="torch")
    monkeypatch.setattr(torch, "__version__", "2.1.0+cpu")
    with pytest.raises(LibraryError, match=r"2\.4 or newer, and this is 2\.1\.0"):
        make(output="torch")
    with pytest.raises(OptionError, match="output is 'cupy'"):
        make(output="cupy")


def test_a_text_is_refused_by_name(told: None) -> None:
    with pytest.raises(OptionError, match=r"'said' is a text.*output='torch'.*texts='bytes'"):
        parallel_pool.make(TELLER, output="torch")
    with parallel_pool.make(TELLER, num_envs=2, output="torch", texts="bytes") as pool:
        obs, info = pool.reset()
        assert obs["said"].dtype == info["heard"].dtype == torch.uint8


def test_the_programs_of_the_pages() -> None:
    """Of docs/torch.md and docs/training.md; they run as they stand, but for what needs a GPU."""
    loop, on_a_gpu = blocks(DOCS / "torch.md")
    (shares,) = blocks(DOCS / "training.md")
    assert 'device="cuda"' in on_a_gpu
    for source in (loop, on_a_gpu.replace('"cuda"', '"cpu"'), shares):
        names: dict[str, Any] = {}
        exec(source, names)
        if source is shares:
            assert {*names["shares"].seconds()} == {"policy", "waiting", "steps", "other"}
        else:
            assert isinstance(names["obs"], torch.Tensor)
            assert names["obs"].shape == (64, 4, 84, 84)
            names["envs"].close()
