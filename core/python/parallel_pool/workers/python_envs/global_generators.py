"""The global generators `random` and `numpy.random`, of which each environment of a worker has its own."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import numpy as np


class GlobalGenerators:
    """Gives the environments of a worker their states of the global generators, one at a time.

    What an environment draws so depends on its seeds only, not on which others its worker has.
    """

    def __init__(self, seeds: Sequence[int | None]) -> None:
        """seeds: those of `make`, one for each environment of the pool."""
        self._seeds = seeds
        self._states: dict[int, Any] = {}

    @contextmanager
    def making(self, env: int) -> Iterator[None]:
        """Inside, environment `env` is made."""
        self._states.pop(env, None)
        with self.of(env, self._seeds[env]):
            yield

    @contextmanager
    def of(self, env: int, seed: int | None = None) -> Iterator[None]:
        """Inside, the global generators are those of environment `env`; with a seed they begin anew."""
        state = self._states.get(env)
        if seed is not None:
            random.seed(seed)
            # The old function takes 32 bits; a list of such numbers stands for more.
            np.random.seed(seed if seed < 2**32 else [seed % 2**32, seed >> 32])
        elif state is not None:
            random.setstate(state[0])
            np.random.set_state(state[1])
        else:
            random.seed()
            np.random.seed()
        try:
            yield
        finally:
            self._states[env] = random.getstate(), np.random.get_state()


class LeftAlone:
    """Does nothing with the global generators."""

    def of(self, *_: Any) -> AbstractContextManager[None]:
        """As of `GlobalGenerators`."""
        return _NOTHING

    making = of


_NOTHING = nullcontext()


def generators(seeds: Sequence[int | None] | None) -> GlobalGenerators | LeftAlone:
    """What treats the global generators of a worker as `PythonEnv.global_seeds` says."""
    return LeftAlone() if seeds is None else GlobalGenerators(seeds)
