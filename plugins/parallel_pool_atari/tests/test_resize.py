"""The resize has the bits of OpenCV's, for every method it chooses between."""

import numpy as np
import pytest
from atari_engine import Bytes, resize, shade_row, watch_row

cv2 = pytest.importorskip("cv2")

SIZES = [
    (84, 84), (64, 64), (96, 96), (42, 42), (30, 20), (50, 40), (7, 13), (1, 1),  # shrink
    (105, 80), (70, 80), (42, 32), (125, 80), (50, 32),  # whole blocks of pixels
    (210, 160), (250, 160),  # the same size
    (224, 224), (250, 320), (420, 320), (256, 256),  # enlarge
    (84, 160), (210, 84), (300, 100), (100, 300),  # one axis each way
]  # fmt: skip


def images(height: int, count: int) -> list[Bytes]:
    """Noise, blocks (as games have), and flat rows with one bright pixel: ties when rounding."""
    rng = np.random.default_rng(height)
    out = []
    for i in range(count):
        if i % 3 == 0:
            image = rng.integers(0, 256, (height, 160))
        elif i % 3 == 1:
            blocks = rng.integers(0, 256, (height // 5 + 1, 40))
            image = blocks.repeat(5, 0)[:height].repeat(4, 1)
        else:
            image = np.full((height, 160), rng.integers(256))
            image[rng.integers(0, height, 200), rng.integers(0, 160, 200)] = rng.integers(256)
        out.append(np.ascontiguousarray(image, np.uint8))
    return out


@pytest.mark.parametrize("linear", [False, True], ids=["area", "linear"])
@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.parametrize("height", [210, 250])
def test_bits_of_opencv(height: int, size: tuple[int, int], linear: bool) -> None:
    method = cv2.INTER_LINEAR if linear else cv2.INTER_AREA
    for image in images(height, 9):
        expected = cv2.resize(image, size[::-1], interpolation=method)
        np.testing.assert_array_equal(resize(image, *size, linear), expected)


@pytest.mark.parametrize("linear", [False, True], ids=["area", "linear"])
def test_bits_of_opencv_at_random_sizes(linear: bool) -> None:
    rng = np.random.default_rng(5)
    method = cv2.INTER_LINEAR if linear else cv2.INTER_AREA
    for image in images(210, 150):
        height, width = (int(n) for n in rng.integers(1, 300, 2))
        expected = cv2.resize(image, (width, height), interpolation=method)
        np.testing.assert_array_equal(
            resize(image, height, width, linear), expected, err_msg=f"{height} x {width}"
        )


@pytest.mark.parametrize("best", [False, True], ids=["one_by_one", "best"])
def test_rows_of_shades(best: bool) -> None:
    """Every span of a row, with every index: the processor's way and the simple one."""
    rng = np.random.default_rng(7)
    for begin in range(0, 160, 8):
        for end in range(begin + 1, 161):
            table, a, b = (rng.integers(0, 256, n).astype(np.uint8) for n in (256, 160, 160))
            expected = np.zeros_like(a)
            expected[begin:end] = np.maximum(table[a], table[b])[begin:end]
            shaded = shade_row(table, a, b, (begin, end), best)
            np.testing.assert_array_equal(shaded, expected)


@pytest.mark.parametrize("best", [False, True], ids=["by_words", "best"])
def test_rows_that_changed(best: bool) -> None:
    """From every pixel of either row to every other one."""
    rng = np.random.default_rng(8)
    for begin in range(160):
        for end in range(begin + 1, 161):
            seen = rng.integers(0, 256, (2, 160)).astype(np.uint8)
            now = seen.copy()
            now[rng.integers(2), begin] ^= 1
            now[rng.integers(2), end - 1] ^= 128
            first, last = watch_row(now, seen, best)
            assert first <= begin < end <= last
            assert last - first < end - begin + 16
            np.testing.assert_array_equal(seen, now)
            assert watch_row(now, seen, best) == (0, 0)
