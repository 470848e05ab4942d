"""Results on their way to a GPU: what is being copied is never written, and never seen half."""

import gc
import pickle
import sys
import time
from functools import partial
from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
import torch
from learners.tensors.late_device import Late
from learners.tensors.test_output import same
from parallel_pool.errors import OptionError
from parallel_pool.pool_errors import AlreadyPendingError, EnvError
from parallel_pool.tensors import devices
from parallel_pool.tensors.devices import Cuda
from parallel_pool.tensors.transfer import REGISTERED
from test_envs.checks import leaves
from test_envs.faulty_pools import FINE, THROWS, faulty
from test_envs.pools import begun, make
from test_envs.python_envs import Sized
from test_envs.threads import in_threads

MANY = 50_000
"""As many environments that count need a batch of some megabytes."""
VIEWS: dict[str, Any] = {"gymnasium": {}, "gym": {"episode_statistics": False}, "dm": {}}
"""Arguments of each; seconds are among those statistics."""


class Telling(Sized):
    """Has infos that torch cannot hold, too."""

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        texts, dates = np.array(["ab", "c"]), np.array(["2020-01-01"], "M8[D]")
        info = {"number": 1, "numbers": np.ones(2), "long": np.ones(2, "g"), "text": "ab"}
        return self.reset()[0], 0.0, False, False, info | {"texts": texts, "dates": dates}


gymnasium.register("Telling-v0", Telling, max_episode_steps=2)
READY = {"normalize_obs": True, "frame_stack": 2}
KINDS: dict[str, tuple[str, dict[str, Any], Any]] = {
    "small": ("CartPole-v1", {"num_envs": 3}, np.ones(3, int)),
    "transformed": ("CartPole-v1", {"num_envs": 3, "transform": READY}, np.ones(3, int)),
    "large": ("test/Count-v0", {"num_envs": 9000}, np.zeros(9000, int)),
    "pictures": ("Pong-v5", {"num_envs": 64}, np.zeros(64, int)),
    "Python": ("gym:Telling-v0", {"num_envs": 3, "isolation": "thread"}, np.zeros(3, int)),
}


@pytest.mark.parametrize(("num_envs", "registers"), [(3, True), (MANY, True), (MANY, False)])
def test_a_copy_under_way_is_not_disturbed(
    pool_on: Any, num_envs: int, registers: bool, recwarn: Any
) -> None:
    """Even if only the memory is ever waited for: results that were due are right, and the last ones of a pool
    that is dropped. That nothing can be registered is said once."""
    device, arguments = Late(registers=registers), {"num_envs": num_envs, "max_count": 1000}
    expected, moved = [], []
    action = np.zeros(num_envs, np.int64)
    with begun(pool_on(device, **arguments), make(**arguments)) as (pool, twin):
        for _ in range(20):
            moved.append(pool.step(torch.from_numpy(action))[0])
            expected.append(twin.step(action)[0].copy())
            for before, copy in zip(expected[:-2], moved[:-2], strict=True):
                np.testing.assert_array_equal(before, copy.numpy())
        if num_envs == MANY and registers:  # read where the environments wrote it
            assert 2 <= len(device.leases) <= 6  # batches circulate
            assert all(lease.size >= REGISTERED for lease in device.leases)
            assert not device.blocks
        else:
            assert len(device.blocks) <= 4  # recycled, two at a time; a reset's are smaller
            assert len(device.sources) == 1
        assert device.said.count("order") == 21
        assert device.said[:6] == ["start", "order", "start", "order", "wait", "start"]
    assert sum("cudaHostRegister" in str(each.message) for each in recwarn) == (not registers)
    assert not any(lease.ended for lease in device.leases)
    del pool
    gc.collect()
    np.testing.assert_array_equal(expected[-1], moved[-1].numpy())
    assert all(lease.ended for lease in device.leases)


def test_kept_results_end_their_lease_before_their_memory(pool_on: Any) -> None:
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


def test_cuda(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a stand-in: the caller's streams are current again, whatever happened, and theirs is each copy."""
    said: list[Any] = []
    add, of = said.append, SimpleNamespace
    of_0, of_1 = (of(device=torch.device("cuda", index), wait_event=add) for index in (0, 1))
    runtime = of(cudaHostUnregister=add)
    runtime.cudaHostRegister = lambda *given: (
        add(given) or 2 * (given[1] == 10)
    )  # refuses the second
    cuda = of(
        is_available=lambda: True,
        Stream=lambda device: f"copies on {device}",
        current_stream=lambda device=of_1.device: of_1 if device.index else of_0,
        set_stream=add,
        Event=lambda: of(record=add),
        cudart=lambda: runtime,
    )
    of_torch = of(cuda=cuda, device=torch.device, zeros=lambda *_, **__: None)
    monkeypatch.setattr(devices, "torch_module", lambda: of_torch)
    device, own = Cuda("cuda:0"), "copies on cuda:0"
    source = of(to=lambda *_, **__: of(record_stream=add))
    moved, done = device.start([source, source])
    device.order(moved, done)
    assert said == [own, own, of_0, of_1, done, of_0, of_0]
    with pytest.raises(AttributeError):
        device.start([source, None])
    assert said[7:] == [own, of_0, of_1]
    assert device.registered(4096, 100) is not None  # and is let go of
    assert device.registered(8192, 10) is None
    assert said[10:] == [(4096, 100, 1), 4096, (8192, 10, 1)]


def forget_what_does_not_count(result: Any) -> None:
    """Last observations in rows whose episode goes on; where all do, a device has zeros."""
    final, ended = (), np.True_
    if hasattr(result, "observation"):
        final, ended = getattr(result.observation, "final_obs", ()), result.step_type == 2
    elif len(result) == 5:  # of a step
        info, ended = result[-1], result[2] | result[3]
        final = info.get("final_obs_dense", info.get("final_obs", ()))
    for leaf in leaves(final):
        if isinstance(leaf, np.ndarray) or ended.any():
            leaf[~ended] = 0


@pytest.mark.parametrize("device", [None, "cuda"])
@pytest.mark.parametrize("env_type", list(VIEWS))
@pytest.mark.parametrize("kind", list(KINDS))
@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_the_same_as_arrays(mode: str, kind: str, env_type: str, device: Any, pool_on: Any) -> None:
    """All that they return, last observations too."""
    env_id, arguments, action = KINDS[kind]
    arguments = {"seed": 1, "autoreset_mode": mode, **VIEWS[env_type], **arguments}
    pool_on(Late(at_once=True)).close()  # "cuda" is that device from now on
    with (
        parallel_pool.make(env_id, env_type, output="torch", device=device, **arguments) as pool,
        parallel_pool.make(env_id, env_type, **arguments) as twin,
    ):
        for step in range(27 if len(pool) == 3 else 10):
            if step == 0:
                results = pool.reset(), twin.reset()
            elif step == 9:
                results = pool.reset([2]), twin.reset([2])
            else:
                results = pool.step(torch.from_numpy(action)), twin.step(action)
            for each in results if device else ():
                forget_what_does_not_count(each)
            same(*results)


@pytest.mark.parametrize(("num_envs", "count"), [(8, 80), (MANY, 20)])
def test_threads_that_step_parts(pool_on: Any, num_envs: int, count: int) -> None:
    """Each gets its rows of the step that it asked for."""
    arguments = {"name": "Walk", "num_envs": num_envs, "seed": 3}
    with begun(pool_on(Late(), **arguments), make(**arguments)) as (pool, twin):
        parts = np.array_split(np.arange(num_envs), 4)
        moved: list[list[Any]] = [[] for _ in parts]

        def play(part: Any, rows: list[Any]) -> None:
            while len(rows) < count:
                try:
                    rows.append(pool.step(torch.zeros(len(part), dtype=torch.int64), part)[0])
                except AlreadyPendingError:  # of another thread
                    time.sleep(0)

        in_threads(*(partial(play, *each) for each in zip(parts, moved, strict=True)))
        for _ in parts:  # and what is on its way arrives
            pool.reset()
        for rows in zip(*moved, strict=True):
            arrays = twin.step(np.zeros(num_envs, int))
            np.testing.assert_array_equal(torch.cat(rows).numpy(), arrays[0])


def test_recv_on_a_device(pool_on: Any) -> None:
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


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize(("kind", "most"), [("small", (93, 107)), ("pictures", (129, 148))])
def test_a_plan_is_made_once(kind: str, mode: str, most: Any, pool_on: Any) -> None:
    """The calls of a step that goes to the device, those of a step of the CPU's left out."""

    def calls(pool: Any) -> int:
        for _ in range(4):
            pool.step(action)
        events: list[str] = []
        sys.setprofile(lambda _frame, event, _argument: events.append(event))
        try:
            pool.step(action)
        finally:
            sys.setprofile(None)
        return events.count("call") + events.count("c_call")

    env_id, arguments, action = KINDS[kind]
    pool_on(Late()).close()  # "cuda" is that device from now on
    pools = (
        parallel_pool.make(env_id, output="torch", device=device, autoreset_mode=mode, **arguments)
        for device in ("cuda", None)
    )
    with begun(*pools) as (pool, twin):
        # Six more for other versions of Python and torch.
        assert calls(pool) - calls(twin) <= most[mode == "SameStep"] + 6


@pytest.mark.parametrize("env_type", list(VIEWS))
def test_what_is_always_so_is_not_moved(pool_on: Any, env_type: str) -> None:
    """Masks of infos, and last observations of episodes that go on."""
    device = Late(at_once=True)
    arguments = {"num_envs": MANY, "autoreset_mode": "SameStep", "max_count": 3}
    with begun(pool_on(device, env_type=env_type, **arguments, **VIEWS[env_type])) as pool:
        moved = []
        for step in range(4):
            with torch.inference_mode(step % 2 == 0):
                result = pool.step(torch.zeros(MANY, dtype=torch.int64))
            moved.append(sum(each.numel() for each in device.sources))
        assert moved.pop(2) >= max(moved) + 4 * MANY
        if env_type == "gymnasium":
            mask = result[-1]["_env_id"]
            assert mask.stride() == (0,)
            assert not mask.is_inference()  # it is kept from step to step


def test_pickles_name_the_device(pool_on: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with pool_on(Late(), num_envs=2) as pool:
        pickled = pickle.dumps(pool)
    with pickle.loads(pickled) as again:
        assert again.config["device"] == "cuda"
    monkeypatch.undo()
    if not torch.cuda.is_available():
        with pytest.raises(OptionError, match="finds no CUDA device"):
            pickle.loads(pickled)


def test_errors_have_tensors_of_the_cpu(faulty_library: str, pool_on: Any) -> None:
    device = Late()
    pool_on(device).close()  # "cuda" is that device from now on
    with begun(faulty(num_envs=2, output="torch", device="cuda")) as pool:
        said = list(device.said)
        with pytest.raises(EnvError) as caught:
            pool.step(torch.tensor([FINE, THROWS]))
        assert isinstance(caught.value.result[0], torch.Tensor)
        assert caught.value.result[1].tolist()[1] == 0
        assert device.said == said  # and so nothing went to the device


def test_what_cannot_be_is_said() -> None:
    refused = {"meta": "expected 'cpu', 'cuda' or 'cuda:N'", "cuda": "finds no CUDA device"}
    if torch.cuda.is_available():
        del refused["cuda"]
    with make(num_envs=2, output="torch") as pool, make(num_envs=2) as arrays:
        for each in (pool, arrays):
            each.async_reset()
        with pytest.raises(OptionError, match=r"make\(\.\.\., output='torch'\)"):
            arrays.recv(device="cuda")
        assert pool.recv(device="cpu")[0].device.type == "cpu"
        pool.async_reset()
        for device, message in refused.items():
            with pytest.raises(OptionError, match=message):
                pool.recv(device=device)
            with pytest.raises(OptionError, match=message):
                make(output="torch", device=torch.device(device))
        assert len(pool.recv()[0]) == 2  # what was on its way is not lost
    with pytest.raises(OptionError, match=r"device is 'cuda', and results are arrays: .*='torch'"):
        make(device="cuda")


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")
def test_a_real_device() -> None:
    """Much work before and after each copy, in the caller's stream."""
    assert Cuda("cuda")
    with make(num_envs=64, max_count=100000, output="torch", device="cuda") as pool:
        pool.async_reset()
        total = torch.zeros((), dtype=torch.float64, device="cuda")
        for _ in range(300):
            obs, *_ = pool.recv()
            total += obs.double().sum()
            action = torch.zeros(64, dtype=torch.int64, device="cuda")
            pool.send(action)
        pool.recv()
        with begun(make(num_envs=64, max_count=100000)) as twin:
            expected = sum(float(twin.step(action.cpu().numpy())[0].sum()) for _ in range(299))
        assert total.item() == pytest.approx(expected)
