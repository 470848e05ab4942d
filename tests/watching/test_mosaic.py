"""The layout of a mosaic, and what stands in it."""

import math

import numpy as np
import pytest
from parallel_pool_watch.mosaic import Mosaic

LABEL = 18


def pictures(count: int, height: int, width: int) -> list[np.ndarray]:
    """One colour each, so that they can be found again."""
    return [np.full((height, width, 3), 100 + i, np.uint8) for i in range(count)]


@pytest.mark.parametrize(
    ("count", "height", "width", "columns"),
    [
        (1, 400, 600, 1),
        (16, 400, 600, 4),
        (16, 210, 160, 8),
        (18, 210, 160, 6),
        (2, 100, 100, 2),
        (6, 480, 480, 3),
        (7, 400, 600, 4),
    ],
)
def test_is_about_as_wide_as_asked_and_three_to_two(
    count: int, height: int, width: int, columns: int
) -> None:
    mosaic = Mosaic(count, 960)
    whole = mosaic.draw(pictures(count, height, width), [("label",)] * count)
    assert mosaic.columns == columns
    assert whole.dtype == np.uint8
    assert whole.shape[0] % 2 == whole.shape[1] % 2 == 0
    assert whole.shape[1] <= 960
    # Each picture is there whole, in its order from left to right and downwards.
    for i in range(count):
        row, column = divmod(i, columns)
        rows = math.ceil(count / columns)
        y = int((row + 0.5) * whole.shape[0] / rows) + LABEL // 2
        x = int((column + 0.5) * whole.shape[1] / columns)
        assert (whole[y, x] == 100 + i).all()


def test_small_pictures_are_enlarged_by_whole_numbers() -> None:
    picture = np.zeros((4, 4, 3), np.uint8)
    picture[1, 2] = 255
    whole = Mosaic(1, 20).draw([picture], [("",)])
    bright = np.argwhere((whole == 255).all(axis=2))
    assert len(bright) == 16  # four times as large in both directions, and sharp
    assert len(np.unique(bright[:, 0])) == len(np.unique(bright[:, 1])) == 4


def test_pictures_may_differ_in_size() -> None:
    different = [np.full((100, 100, 3), 90, np.uint8), np.full((50, 200, 3), 91, np.uint8)]
    whole = Mosaic(2, 400).draw(different, [("a",), ("b",)])
    assert (whole == 91).all(axis=2).sum() == 100 * 25


def test_the_first_label_that_fits_is_drawn() -> None:
    long, short = "far too long for so small a picture", "5"
    narrow = Mosaic(1, 40).draw(pictures(1, 40, 40), [(long, short)])
    assert np.array_equal(narrow, Mosaic(1, 40).draw(pictures(1, 40, 40), [(short,)]))
    wide = Mosaic(1, 400).draw(pictures(1, 400, 400), [(long, short)])
    assert not np.array_equal(wide, Mosaic(1, 400).draw(pictures(1, 400, 400), [(short,)]))
