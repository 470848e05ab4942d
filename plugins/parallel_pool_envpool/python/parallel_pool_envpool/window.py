"""A window that shows pictures: what render_mode="human" is. Needs OpenCV."""

from __future__ import annotations

from typing import Any

import numpy as np
from parallel_pool import NotOfferedError


class Window:
    """A window that opens with the first picture."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._open = False

    def show(self, picture: Any) -> None:
        """Shows a picture, uint8 (height, width, 3). Raises NotOfferedError without OpenCV."""
        try:
            import cv2
        except ImportError:
            raise NotOfferedError(
                "render_mode='human' shows pictures with OpenCV: pip install opencv-python"
            ) from None
        cv2.imshow(self._title, np.ascontiguousarray(picture[:, :, ::-1]))  # OpenCV has BGR
        cv2.waitKey(1)
        self._open = True

    def close(self) -> None:
        """Closes it. A second call has no effect."""
        if self._open:
            import cv2

            cv2.destroyWindow(self._title)
        self._open = False
