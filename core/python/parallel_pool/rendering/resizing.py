"""Pictures in another size, each pixel the mean of what it covers."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt


def resized(
    picture: npt.NDArray[Any], width: int | None, height: int | None
) -> npt.NDArray[np.uint8]:
    """picture: (height, width, 3) uint8. None: as wide, as high as it is."""
    rows, columns = picture.shape[:2]
    high, wide = height or rows, width or columns
    if (high, wide) == (rows, columns):
        return picture
    across = np.einsum("wx,yxc->ywc", _shares(columns, wide), picture.astype(np.float32))
    both = np.einsum("hy,ywc->hwc", _shares(rows, high), across)
    pixels: npt.NDArray[np.uint8] = np.rint(both).clip(0, 255).astype(np.uint8)
    return pixels


@lru_cache(maxsize=8)
def _shares(before: int, after: int) -> npt.NDArray[np.float32]:
    """(after, before): the share of each old pixel in each new one."""
    edges = np.arange(after + 1) * (before / after)
    old = np.arange(before)
    covered = np.minimum(edges[1:, None], old + 1) - np.maximum(edges[:-1, None], old)
    shares: npt.NDArray[np.float32] = (np.maximum(covered, 0) * (after / before)).astype(np.float32)
    return shares
