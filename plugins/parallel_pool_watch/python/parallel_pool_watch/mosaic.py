"""Arranges pictures of several environments in a grid, each with a label."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from parallel_pool.pool_api import imported

Picture = npt.NDArray[np.uint8]

_LABEL = 18
_GAP = 2
_ASPECT = 3 / 2
_EMPTY = 6
"""The weight of empty cells beside the aspect: with this one only numbers without divisors get any."""
_BACKGROUND = (24, 26, 30)
_TEXT = (230, 232, 236)


class Mosaic:
    """Arranges the pictures of `count` environments; `width` is the maximum width of the mosaic in pixels.

    The layout is computed for the first pictures and does not change. Raises LibraryError without Pillow.
    """

    def __init__(self, count: int, width: int = 960) -> None:
        needed_by = "a mosaic"
        imported("PIL", "10.1", needed_by, extra="watch")
        from PIL import Image, ImageDraw, ImageFont

        self._image: Any = Image
        self._draw: Any = ImageDraw
        self._font: Any = ImageFont.load_default(size=12)
        self._count = count
        self._width = width
        self._tile: tuple[int, int] | None = None
        self.columns = 0

    def draw(self, pictures: Sequence[Picture], labels: Sequence[Sequence[str]]) -> Picture:
        """The mosaic, uint8 (height, width, 3), with even height and width.

        pictures: uint8 (height, width, 3) each, of any size. labels: the texts for each picture, the longest
        first; the first text that fits is drawn above the picture.
        """
        if self._tile is None:
            self._lay_out(pictures[0].shape[0], pictures[0].shape[1])
        assert self._tile is not None
        tile_width, tile_height = self._tile
        rows = -(-self._count // self.columns)
        size = (
            self.columns * (tile_width + _GAP) + _GAP,
            rows * (tile_height + _LABEL + _GAP) + _GAP,
        )
        whole = self._image.new("RGB", tuple(side + side % 2 for side in size), _BACKGROUND)
        pen = self._draw.Draw(whole)
        for number, (picture, texts) in enumerate(zip(pictures, labels, strict=True)):
            row, column = divmod(number, self.columns)
            left = _GAP + column * (tile_width + _GAP)
            top = _GAP + row * (tile_height + _LABEL + _GAP)
            pen.text((left + 3, top + 1), self._fitting(texts), fill=_TEXT, font=self._font)
            tile = self._scaled(picture)
            whole.paste(
                tile,
                (
                    left + (tile_width - tile.width) // 2,
                    top + _LABEL + (tile_height - tile.height) // 2,
                ),
            )
        return np.asarray(whole)

    def _lay_out(self, height: int, width: int) -> None:
        """Chooses the number of columns so that the mosaic is close to 3:2 without empty cells, or with few."""

        def badness(columns: int) -> float:
            rows = -(-self._count // columns)
            scale = min(1.0, self._width / (columns * width))
            aspect = columns * width * scale / (rows * (height * scale + _LABEL))
            empty = (rows * columns - self._count) / self._count
            return abs(math.log(aspect / _ASPECT)) + _EMPTY * empty

        self.columns = min(range(1, self._count + 1), key=badness)
        room = (self._width - _GAP) // self.columns - _GAP
        # Small pictures are enlarged by whole numbers, which keeps their pixels square and sharp.
        scale = room / width if room < width else float(min(room // width, 4))
        self._tile = max(1, round(width * scale)), max(1, round(height * scale))

    def _scaled(self, picture: Picture) -> Any:
        assert self._tile is not None
        image = self._image.fromarray(picture)
        scale = min(self._tile[0] / image.width, self._tile[1] / image.height)
        size = max(1, round(image.width * scale)), max(1, round(image.height * scale))
        if size == image.size:
            return image
        how = self._image.Resampling
        return image.resize(size, how.NEAREST if scale >= 1 else how.BOX)

    def _fitting(self, texts: Sequence[str]) -> str:
        assert self._tile is not None
        for text in texts:
            if self._font.getlength(text) <= self._tile[0] - 6:
                return text
        return texts[-1]
