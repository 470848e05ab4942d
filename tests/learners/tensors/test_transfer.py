"""Results on their way to a GPU: what is being copied is never written, and never seen half."""

import gc
import pickle
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import torch
from learners.tensors.late_device import Late, pool_on  # noqa: F401
from learners.tensors.test_output import same
from parallel_pool.errors import OptionError
from parallel_pool.pool_errors import EnvError
from parallel_pool.tensors import output
from parallel_pool.tensors.devices import Cuda, Registration
from parallel_pool.tensors.transfer import REGISTERED
from test_envs.checks import leaves
from test_envs.faulty_pools import FINE, THROWS, faulty
from test_envs.pools import begun, make

Pools = Callable[..., Any]

MANY = 50_000
"""As many environments that count need a batch of some megabytes."""


def steps(pool: Any, twin: Any, count: int) -> Iterator[tuple[Any, Any]]:
    pool.reset(seed=1)
    twin.reset(seed=1)
    for _ in range(count):
        action = np.zeros(len(pool), np.int64)
        yield pool.step(torch.from_numpy(action)), twin.step(action)


@pytest.mark.parametrize("num_envs", [3, MANY])
def test_a_copy_under_way_is_not_disturbed(pool_on: Pools, num_envs: int) -> None:  # noqa: F811
    """Even if only the memory is ever waited for: results that were due are right."""
    device, arguments = Late(), {"num_envs": num_envs, "max_count": 1000}
    with pool_on(device, **arguments) as pool, make(**arguments) as twin:
        expected, moved = [], []
        for result, arrays in steps(pool, twin, 20):
            expected.append(arrays[0].copy())
            moved.append(result[0])
            del result, arrays
            for before, copy in zip(expected[:-2], moved[:-2], strict=True):
                np.testing.assert_array_equal(before, copy.numpy())
        if num_envs == MANY:  # read where the environments wrote it
            assert 2 <= len(device.leases) <= 6  # batches circulate
            assert all(lease.size >= REGISTERED for lease in device.leases)
            assert not device.blocks
        else:
            assert (
                len(device.blocks) <= 4
            )  # recycled, one for each of two copies; a reset's are smaller
        assert device.said.count("order") == 21
        assert device.said[:6] == ["start", "order", "start", "order", "wait", "start"]
        assert not any(lease.ended for lease in device.leases)
    del pool
    gc.collect()
    assert all(lease.ended for lease in device.leases)


def test_kept_results_end_their_lease_before_their_memory(pool_on: Pools) -> None:  # noqa: F811
    """More than circulate: those are given back to the system."""
    device = Late()
    with begun(pool_on(device, num_envs=MANY, max_count=1000)) as pool:
        kept = []
        for _ in range(120):
            pool.send(torch.zeros(MANY, dtype=torch.int64))
            kept.append(pool._pool.recv().result)
            pool._tensors.converter()(kept[-1])
        assert len(device.leases) >= 120
        kept.clear()
        pool.step(torch.zeros(MANY, dtype=torch.int64))
        assert 0 < sum(lease.ended for lease in device.leases) < len(device.leases)


def test_a_pool_that_is_dropped_while_its_result_is_read(pool_on: Pools) -> None:  # noqa: F811
    device = Late()
    pool, twin = pool_on(device, num_envs=MANY), make(num_envs=MANY)
    for result, arrays in steps(pool, twin, 1):
        moved, expected = result[0], arrays[0]
    del result, arrays
    pool.close()
    assert not any(lease.ended for lease in device.leases)
    del pool
    gc.collect()
    np.testing.assert_array_equal(moved.numpy(), expected)
    assert all(lease.ended for lease in device.leases)
    twin.close()


def test_where_nothing_can_be_registered(pool_on: Pools) -> None:  # noqa: F811
    """It is said once, and the results are right."""
    device = Late(registers=False, at_once=True)
    with pool_on(device, num_envs=MANY) as pool, make(num_envs=MANY) as twin:
        with pytest.warns(UserWarning, match="cudaHostRegister"):
            pool.reset(seed=1)
        for result, arrays in steps(pool, twin, 4):
            same(result, arrays)
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


def forget_what_does_not_count(result: Any, env_type: str) -> None:
    """Last observations in rows whose episode goes on; where all do, they are not moved."""
    if env_type == "dm":
        final, ended = getattr(result.observation, "final_obs", None), result.step_type == 2
    else:
        final, ended = result[-1].get("final_obs"), result[2] | result[3]
    if env_type == "gymnasium":
        final = result[-1].get("final_obs_dense")
    if env_type != "dm" and not ended.any():
        for name in ("final_obs", "final_obs_dense"):
            result[-1].pop(name, None)
    elif final is not None:
        final[~ended] = 0


@pytest.mark.parametrize("env_type", ["gymnasium", "gym", "dm"])
@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("num_envs", [2, MANY])
def test_every_view(pool_on: Pools, env_type: str, mode: str, num_envs: int) -> None:  # noqa: F811
    """All that they return, last observations too."""
    arguments: dict[str, Any] = {"num_envs": num_envs, "env_type": env_type, "autoreset_mode": mode}
    if env_type == "gym":
        arguments["episode_statistics"] = False  # seconds are among them
    with pool_on(Late(at_once=True), **arguments) as pool, make(**arguments) as twin:
        for result, arrays in steps(pool, twin, 8):
            for each in (result, arrays):
                forget_what_does_not_count(each, env_type)
            same(result, arrays)


def test_recv_on_a_device(pool_on: Pools) -> None:  # noqa: F811
    """With and without waiting; a reset_mask after it has all that it needs."""
    device = Late()
    with begun(pool_on(device, num_envs=3), make(num_envs=3)) as (pool, twin):
        pool.send(torch.zeros(3, dtype=torch.int64))
        same(pool.recv(device="cuda"), twin.step(np.zeros(3, np.int64)))
        assert device.said[-2:] == ["start", "wait"]
        device.at_once = True
        mask = {"reset_mask": np.array([True, False, True])}
        same(pool.reset(options=mask), twin.reset(options=mask))
        pool.send(torch.zeros(3, dtype=torch.int64))
        assert pool.recv(device="cpu")[0].data_ptr() not in [
            leaf.data_ptr() for leaf in leaves(pool.reset())
        ]


def test_several_batches_as_one(pool_on: Pools) -> None:  # noqa: F811
    arguments = {"num_envs": 4, "batch_size": 1, "num_threads": 1}
    with pool_on(Late(at_once=True), **arguments) as pool:
        pool.async_reset(seed=1)
        obs, *_, info = pool.recv(min_batch=4)
        assert sorted(info["env_id"].tolist()) == [0, 1, 2, 3]
        assert info["_env_id"].all()
        assert len(obs) == 4


def test_a_plan_is_made_once(pool_on: Pools) -> None:  # noqa: F811
    """The calls of a step that goes to the device, those of a step of the CPU's left out."""

    def calls(pool: Any, action: Any) -> int:
        for _ in range(4):
            pool.step(action)
        counted = 0

        def count(_frame: Any, event: str, _argument: Any) -> None:
            nonlocal counted
            counted += event in ("call", "c_call")

        sys.setprofile(count)
        try:
            pool.step(action)
        finally:
            sys.setprofile(None)
        return counted

    action = torch.zeros(3, dtype=torch.int64)
    arguments = {"num_envs": 3, "autoreset_mode": "SameStep", "max_count": 1000}
    pools = pool_on(Late(), **arguments), make(output="torch", **arguments)
    with begun(*pools) as (pool, twin):
        tensors = len(leaves(twin.step(action)))
        pool.step(action)
        # Read, placed and shown, and one call makes the tensor; some for the result as a whole.
        assert calls(pool, action) - calls(twin, action) <= 6 * tensors + 50


def test_in_and_out_of_inference_mode(pool_on: Pools) -> None:  # noqa: F811
    """What a pool keeps from step to step is made in one of them and used in both."""
    action = torch.zeros(3, dtype=torch.int64)
    with begun(pool_on(Late(at_once=True), num_envs=3, autoreset_mode="SameStep")) as pool:
        for inside in (True, False, True):
            with torch.inference_mode(inside):
                *_, info = pool.step(action)
        assert not info["_env_id"].is_inference()


def test_what_is_always_so_is_not_moved(pool_on: Pools) -> None:  # noqa: F811
    """Masks of infos, and last observations of episodes that go on."""
    device, arguments = Late(), {"num_envs": 4096, "autoreset_mode": "SameStep", "max_count": 3}
    with begun(pool_on(device, **arguments)) as pool:
        moved = []
        for _ in range(4):
            *_, info = pool.step(torch.zeros(4096, dtype=torch.int64))
            moved.append((sum(each.numel() for each in device.sources), "final_obs" in info))
            assert info["_env_id"].stride() == (0,)
        assert {ended for _, ended in moved} == {True, False}
        assert min(size for size, ended in moved if ended) > max(
            size for size, ended in moved if not ended
        )


def test_pickles_name_the_device(pool_on: Pools, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    with pool_on(Late(), num_envs=2) as pool:
        pickled = pickle.dumps(pool)
    with pickle.loads(pickled) as again:
        assert again.config["device"] == "cuda"
    monkeypatch.undo()
    if not torch.cuda.is_available():
        with pytest.raises(OptionError, match="finds no CUDA device"):
            pickle.loads(pickled)


def test_errors_have_tensors_of_the_cpu(
    faulty_library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = Late()
    monkeypatch.setattr(output, "Cuda", lambda _: device)
    with begun(faulty(num_envs=2, output="torch", device="cuda")) as pool:
        said = list(device.said)
        with pytest.raises(EnvError) as caught:
            pool.step(torch.tensor([FINE, THROWS]))
        assert isinstance(caught.value.result[0], torch.Tensor)
        assert caught.value.result[1].tolist()[1] == 0
        assert device.said == said  # and so nothing went to the device


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
    with pytest.raises(
        OptionError, match=r"device is 'cuda', and results are arrays: .*output='torch'"
    ):
        make(device="cuda")
    with pytest.raises(OptionError, match="expected 'cpu', 'cuda' or 'cuda:N'"):
        make(output="torch", device="meta")
    if not torch.cuda.is_available():
        with pytest.raises(OptionError, match="finds no CUDA device"):
            make(output="torch", device=torch.device("cuda"))


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")
def test_a_real_device() -> None:
    """Much work before and after each copy, in the caller's stream."""
    assert Cuda("cuda")
    with make(num_envs=64, max_count=100000, output="torch", device="cuda") as pool:
        pool.async_reset()
        total = torch.zeros((), dtype=torch.float64, device="cuda")
        expected = 0.0
        for _ in range(300):
            obs, *_ = pool.recv()
            total += obs.double().sum()
            action = torch.zeros(64, dtype=torch.int64, device="cuda")
            pool.send(action)
        pool.recv()
        with make(num_envs=64, max_count=100000) as twin:
            expected += float(twin.reset()[0].sum())
            for _ in range(299):
                expected += float(twin.step(action.cpu().numpy())[0].sum())
        assert total.item() == pytest.approx(expected)
