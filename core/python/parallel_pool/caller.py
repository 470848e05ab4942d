"""Warnings at the line of the caller's code, however deep in this package they arise."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

_HERE = str(Path(__file__).parent)


def warn_caller(message: str, category: type[Warning]) -> None:
    """As `warnings.warn`, at the first line outside of this package."""
    level = 1
    frame = sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_HERE):
        frame = frame.f_back
        level += 1
    warnings.warn(message, category, stacklevel=level)
