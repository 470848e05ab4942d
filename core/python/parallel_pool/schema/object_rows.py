"""Rows of a batch that are objects: of parts of a space that are no arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


class ObjectRows(tuple[Any, ...]):
    """One object for each row: the tuple that Gymnasium's vector environments have, and a leaf of trees."""

    __slots__ = ()

    def array(self) -> npt.NDArray[np.object_]:
        """The objects in an array of one dimension."""
        return np.fromiter(self, np.object_, len(self))
