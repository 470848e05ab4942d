"""Keeps and draws for an episode in Python, with the rules of the traced one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from parallel_pool_tasks.errors import refused
from parallel_pool_tasks.trace.episode import changed, new_here, unknown


class RealEpisode:
    """`ep.name = value`, of the dtype and shape that it had first."""

    def __init__(self) -> None:
        object.__setattr__(self, "_kept", {})
        object.__setattr__(self, "_in_reset", True)

    def begin(self, in_reset: bool, tunables: Mapping[str, Any] | None = None) -> None:
        """Begins a method. in_reset: names may be new. tunables: with which an episode begins."""
        self._kept.update(tunables or {})
        object.__setattr__(self, "_in_reset", in_reset)

    def __setattr__(self, name: str, value: Any) -> None:
        value = np.array(value)[()]  # numpy's scalar for a number of Python, and a copy
        kept = self._kept.get(name)
        if kept is None and not self._in_reset:
            raise refused(new_here(name))
        if kept is not None and (kept.dtype, kept.shape) != (value.dtype, value.shape):
            raise refused(changed(name, kept, value.dtype, value.shape))
        self._kept[name] = value

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in self._kept:
            raise refused(unknown(name))
        return self._kept[name].copy()


class RealRandom:
    """The generator, of which a single draw is a float64 of numpy: Python's floats take part in the dtypes of
    results in another way, and values of a traced task have no two kinds of float64."""

    def __init__(self, generator: Any) -> None:
        self._generator = generator

    def __getattr__(self, name: str) -> Any:
        given = getattr(self._generator, name)
        if not callable(given):
            return given

        def drawn(*args: Any, **kwargs: Any) -> Any:
            made = given(*args, **kwargs)
            return np.float64(made) if isinstance(made, float) else made

        return drawn
