"""What only a GPU can show, in a few minutes: pytest -n0 -s -m slow benchmarks/test_on_a_real_gpu.py

Calls that scans make, results as tensors, and pictures are compared with twins; times are printed. What has no
GPU is skipped. PP_REHEARSAL=1 runs all of it on the CPU, with fewer steps.
"""

import base64
import os
import time
from typing import Any

import numpy as np
import pytest

os.environ.setdefault("MUJOCO_GL", "egl")
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # torch needs memory, too

import parallel_pool

pytestmark = pytest.mark.slow
REHEARSAL = "PP_REHEARSAL" in os.environ
ROUNDS = 5 if REHEARSAL else 200
FUSION = "xla_gpu_enable_dynamic_slice_fusion"
# Means of squares of 14 x 14 pixels of the first picture of CheetahRun with seed 1, drawn by llvmpipe.
PICTURES = {
    "full": "A~HfDF+m|PKp`+dA~8WCGD03JIUFiC94R&&DK;D_HytWC8Ynd!DmNV~I2k82EiyM9DmWiLTxM-_aes$nX=X7=U^-W"
    "HFHdhWQ*$?3eMD!9I9YiuOll)IP8cvo8#7BXN@FfWTOTw@",
    "fast": "A~HfDF+m|PKp`+dA~8WCGD03JIUFiC94R&&DK;D_HytWC8YeXyC^Z`>H5er_D={`4DmNK3Ok`tXWN2q#T~#bTPcuwr"
    "CO}yvJys(<Rw_eWDnnc*KUp6!Llh=B6ec(&Hb^BmNgOUf",
}


def needed(there: bool, what: str) -> None:
    if not (there or REHEARSAL):
        pytest.skip(f"there is no {what}")


def us(play: Any, rounds: int = ROUNDS) -> float:
    """Microseconds of a call; the first ones do not count."""
    for _ in range(3):
        play()
    begin = time.perf_counter()
    for _ in range(rounds):
        play()
    return 1e6 * (time.perf_counter() - begin) / rounds


@pytest.mark.parametrize("fusion", [False, None])
@pytest.mark.parametrize("backend", ["ffi", "callback"])
@pytest.mark.parametrize(
    ("env_id", "envs", "length"), [("CartPole-v1", 1024, 64), ("Pong-v5", 128, 32)]
)
def test_a_scan_makes_one_call_a_step(
    env_id: str, envs: int, length: int, backend: str, fusion: bool | None
) -> None:
    """fusion: of XLA's pass that can make a call twice; None: as JAX has it."""
    jax = pytest.importorskip("jax")
    on_gpu = jax.default_backend() == "gpu"
    needed(on_gpu, "CUDA for JAX")
    options = None if fusion is None or not on_gpu else {FUSION: fusion}
    pool, twin = (parallel_pool.make(env_id, num_envs=envs, seed=1) for _ in range(2))
    with pool, twin:
        pool.reset()
        twin.reset()
        handle, _, _, step = pool.xla(backend)
        first = int(np.asarray(handle)[2])

        def body(handle: Any, action: Any) -> Any:
            handle, result = step(handle, action)
            return handle, result[:4]

        scan = jax.jit(lambda *given: jax.lax.scan(body, *given), compiler_options=options)
        space: Any = pool.single_action_space
        actions = np.random.default_rng(0).integers(space.n, size=(length, envs), dtype=np.int32)
        handle, kept = jax.block_until_ready(scan(handle, actions))
        assert int(np.asarray(pool.xla(backend).handle)[2]) - first == length
        for number, action in enumerate(actions):
            for mine, theirs in zip(kept, twin.step(action)[:4], strict=True):
                np.testing.assert_array_equal(mine[number], theirs)
        begin = time.perf_counter()
        jax.block_until_ready(scan(handle, actions))
        rate = length * envs / (time.perf_counter() - begin)
        print(f"\n{envs} {env_id}, {backend}, fusion {fusion}: {rate:,.0f} steps/s")


def moved(value: Any, device: str) -> Any:
    """Of a result: each of its tensors is moved by itself."""
    if isinstance(value, dict):
        return {name: moved(each, device) for name, each in value.items()}
    if isinstance(value, tuple):
        return tuple(moved(each, device) for each in value)
    return value.to(device) if hasattr(value, "to") else value


@pytest.mark.parametrize("envs", [64, 256, 1024])
def test_tensors_are_a_twins_arrays(envs: int) -> None:
    torch = pytest.importorskip("torch")
    needed(torch.cuda.is_available(), "CUDA for torch")
    device = "cuda" if torch.cuda.is_available() else "cpu"
    pool = parallel_pool.make("Pong-v5", num_envs=envs, output="torch", seed=1)
    twin = parallel_pool.make("Pong-v5", num_envs=envs, seed=1)
    with pool, twin:
        pool.reset()
        twin.reset()
        actions = np.random.default_rng(0).integers(6, size=(ROUNDS, envs))
        for action in actions:
            pool.send(action)
            for mine, theirs in zip(
                pool.recv(device=device)[:4], twin.step(action)[:4], strict=True
            ):
                assert mine.device.type == device
                np.testing.assert_array_equal(mine.cpu().numpy(), theirs)
        ways: dict[str, Any] = {
            "recv(device)": lambda: pool.recv(device=device),
            "recv(), each .to(device)": lambda: moved(pool.recv(), device),
            "recv()": pool.recv,
        }

        def play(receive: Any) -> None:
            pool.send(actions[0])
            receive()
            if device == "cuda":
                torch.cuda.synchronize()

        rounds = [[us(lambda way=way: play(way)) for way in ways.values()] for _ in range(3)]
        for name, median in zip(ways, np.median(rounds, axis=0), strict=True):
            print(f"\n{envs} Pongs: {name} {median:,.0f} us", end="")


@pytest.mark.parametrize("quality", ["full", "fast"])
def test_pictures(quality: str) -> None:
    """Those of a pool are close to software's; pools of several are about as fast as one renderer."""
    mujoco = pytest.importorskip("mujoco")
    suite = pytest.importorskip("dm_control.suite")
    drawing_thread = pytest.importorskip("parallel_pool_mujoco.sdk.drawing_thread")
    expected = np.frombuffer(base64.b85decode(PICTURES[quality]), np.uint8).reshape(6, 6, 3)
    options: dict[str, Any] = {
        "from_pixels": True,
        "render_quality": quality,
        "width": 84,
        "height": 84,
        "seed": 1,
    }
    rates = {}
    for envs in (1, 4, 16):
        with parallel_pool.make("CheetahRun-v1", num_envs=envs, **options) as pool:
            picture = pool.reset()[0][0]
            name = drawing_thread.here().draws
            needed(not drawing_thread.is_software(name), f"GPU that draws, but {name}")
            squares = picture.reshape(6, 14, 6, 14, 3).mean((1, 3))
            assert np.abs(squares - expected).max() < 8
            action = np.zeros((envs, 6))
            rates[f"pool of {envs}"] = envs * 1e6 / us(lambda: pool.step(action), ROUNDS)  # noqa: B023
    physics = suite.load("cheetah", "run").physics
    model, data = physics.model.ptr, physics.data.ptr
    model.vis.global_.offwidth = model.vis.global_.offheight = 84
    if quality == "fast":
        model.vis.quality.shadowsize = model.vis.quality.offsamples = 0
    mujoco.mj_forward(model, data)
    with mujoco.Renderer(model, 84, 84) as renderer:

        def draw() -> None:
            renderer.update_scene(data)
            renderer.render()

        alone = 1e6 / us(draw, ROUNDS)
    print(f"\n{name}, {quality}: mujoco.Renderer {alone:,.0f} pictures/s", end="")
    for who, rate in rates.items():
        print(f", {who} {rate / alone:.2f} x", end="")
