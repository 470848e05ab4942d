"""sdk/pixels: pictures of any size and order have OpenCV's bits, and stacks are numpy's."""

from collections import deque
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import parallel_pool
import pytest
from test_envs.compiling import compile_plugin
from test_envs.pools import begun, register_all

Picture = npt.NDArray[np.uint8]


@pytest.fixture(scope="session", autouse=True)
def plugin(tmp_path_factory: pytest.TempPathFactory) -> None:
    source = Path(__file__).with_name("pixels.cpp")
    path = tmp_path_factory.mktemp("pixels") / "pixels.so"
    compile_plugin(source, path, flags=["-ffp-contract=off"])
    register_all(path)


def drawn(time: int, height: int, width: int, channels: int) -> Picture:
    y, x, c = np.ogrid[:height, :width, :channels]
    return (97 * time + 31 * y + 17 * x * x + 59 * c + y * x % 251).astype(np.uint8)


def resized(picture: Picture, height: int, width: int, interpolation: str) -> Picture:
    cv2 = pytest.importorskip("cv2")
    method = cv2.INTER_AREA if interpolation == "area" else cv2.INTER_LINEAR
    result: Picture = cv2.resize(picture, (width, height), interpolation=method)
    return result.reshape(height, width, picture.shape[2])


def observed(options: dict[str, Any], steps: int) -> Picture:
    """The stack after so many steps, computed with OpenCV and numpy."""
    size = options["height"], options["width"], options["channels"]
    out = options["out_height"], options["out_width"], options["interpolation"]
    frames = [resized(drawn(time, *size), *out) for time in range(steps + 1)]
    blank = frames[0] if options["padding"] == "repeat" else np.zeros_like(frames[0])
    stack = deque([blank] * options["depth"], maxlen=options["depth"])
    stack.extend(frames)
    last = np.concatenate(list(stack), axis=2)
    if options["observed"] == "last":
        return last
    return np.ascontiguousarray(last.transpose(2, 0, 1))


def play(options: dict[str, Any], steps: int) -> list[Picture]:
    with parallel_pool.make("pixels/Pictures-v0", **options) as pool:
        seen = [pool.reset()[0][0].copy()]
        seen += [pool.step(np.zeros(1, int))[0][0].copy() for _ in range(steps)]
    return seen


BASE = {
    "height": 24,
    "width": 32,
    "channels": 3,
    "out_height": 10,
    "out_width": 12,
    "depth": 3,
    "interpolation": "area",
    "drawn": "last",
    "observed": "first",
    "padding": "repeat",
}


@pytest.mark.parametrize("padding", ["repeat", "zero"])
@pytest.mark.parametrize("order", ["last", "first"])
@pytest.mark.parametrize("source", ["last", "first"])
@pytest.mark.parametrize("channels", [1, 3])
def test_orders_and_padding(channels: int, source: str, order: str, padding: str) -> None:
    options = {**BASE, "channels": channels, "drawn": source, "observed": order, "padding": padding}
    for steps, seen in enumerate(play(options, 5)):
        np.testing.assert_array_equal(seen, observed(options, steps))


SIDES = ("height", "width", "out_height", "out_width")


def check(**changed: Any) -> None:
    options = {**BASE, "depth": 1, **changed}
    np.testing.assert_array_equal(play(options, 0)[0], observed(options, 0), str(options))


# Of ViZDoom, dm_control and others; whole blocks, halves, enlarging, one axis each way.
SIZES = [
    (240, 320, 84, 84), (480, 640, 60, 108), (120, 160, 84, 84), (64, 64, 84, 84),
    (84, 84, 42, 42), (240, 320, 120, 160), (240, 320, 60, 80), (100, 90, 33, 200), (7, 5, 3, 2),
    (1, 1, 4, 4), (37, 1, 5, 1), (200, 300, 200, 300),
]  # fmt: skip


@pytest.mark.parametrize("interpolation", ["area", "linear"])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize("channels", [1, 3])
def test_any_size(channels: int, size: tuple[int, int, int, int], interpolation: str) -> None:
    sizes = dict(zip(SIDES, size, strict=True))
    check(**sizes, channels=channels, interpolation=interpolation)


@pytest.mark.parametrize("interpolation", ["area", "linear"])
def test_random_sizes(interpolation: str) -> None:
    rng = np.random.default_rng(3)
    for _ in range(60):
        sizes = dict(zip(SIDES, rng.integers(1, 200, 4).tolist(), strict=True))
        check(**sizes, interpolation=interpolation)


# Not 2: there OpenCV rounds halves of pictures to even, and the resizer up as for other channels.
@pytest.mark.parametrize("channels", [1, 3, 4])
def test_shrunk_pictures_of_any_channels_and_order(channels: int) -> None:
    """Widths on both sides of 16, from which shuffles serve; weights further apart than a load."""
    rng = np.random.default_rng(channels)
    for _ in range(25):
        height, width = (int(n) for n in rng.integers((1, 10), (100, 300)))
        sizes = {"height": height, "width": width}
        sizes |= {f"out_{name}": int(rng.integers(1, size + 1)) for name, size in sizes.items()}
        drawn, seen = rng.choice(["last", "first"], 2).tolist()
        check(**sizes, channels=channels, drawn=drawn, observed=seen)


def test_a_stack_is_saved_and_restored() -> None:
    with begun(parallel_pool.make("pixels/Pictures-v0", **BASE)) as pool:
        states = pool.get_state()
        seen = [pool.step(np.zeros(1, int))[0].copy() for _ in range(4)]
        pool.set_state(None, states)
        for before in seen:
            np.testing.assert_array_equal(pool.step(np.zeros(1, int))[0], before)


def test_numbers_are_stacked_and_narrowed() -> None:
    draws = np.random.default_rng(5).random((5, 2)).astype(np.float32)
    with parallel_pool.make("pixels/Numbers-v0", num_envs=1) as pool:
        obs, _ = pool.reset(seed=5)
        np.testing.assert_array_equal(obs[0], draws[[0, 0, 0]])
        for t in range(1, 5):
            obs, *_ = pool.step(np.zeros(1, int))
            np.testing.assert_array_equal(obs[0], draws[np.maximum(np.arange(t - 2, t + 1), 0)])
