"""Masked arrays, which numpy turns into what lies behind their mask, are refused where arrays are taken."""

from __future__ import annotations

from typing import Any

import numpy as np


def refuse_mask(name: str, value: Any, error: type[Exception] = TypeError) -> None:
    """Raises `error` for a masked array."""
    if isinstance(value, np.ma.MaskedArray):
        raise error(
            f"{name} is a masked array, and no value stands for what is masked: pass its method "
            ".filled(value)"
        )
