"""Seeds as users give them: an int for all, one per environment, or none."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np

from parallel_pool.errors import OptionError

MAX_SEED = 2**64 - 1


def apart(seed: int, key: Sequence[int], count: int, bits: int = 64) -> list[int]:
    """Seeds of `count` environments of the pool with this key, which no other pool of the same run has.

    numpy's `SeedSequence(seed, spawn_key=key)`: other keys, and other seeds, give unrelated streams. bits: of
    each seed.
    """
    state = np.random.SeedSequence(seed, spawn_key=tuple(key)).generate_state(count, np.uint64)
    seeds: list[int] = (state >> np.uint64(64 - bits)).tolist()
    return seeds


def key_of(rank: int | None) -> tuple[int, int] | None:
    """The key of this rank's pool, for `apart`; None: there are no ranks."""
    return None if rank is None else (rank, 0)


def spread(
    seed: Any, count: int, key: Sequence[int] | None = None, bits: int = 64
) -> list[int | None]:
    """One seed, or None, for each of `count` environments.

    For an int s seed i is `s + i`, as in Gymnasium's vector environments, or with a key what `apart`
    returns; for None all are None; a sequence is used as it is, and may have Nones. Raises OptionError for
    anything else, and for seeds outside of 64 bits.
    """
    if seed is None:
        return [None] * count
    if isinstance(seed, Integral) and not isinstance(seed, bool):
        if key is not None and 0 <= int(seed) <= MAX_SEED:
            return [*apart(int(seed), key, count, bits)]
        seeds: Sequence[Any] = range(int(seed), int(seed) + count)
        if int(seed) >= 0 and int(seed) + count - 1 <= MAX_SEED:
            return [*seeds]
    elif isinstance(seed, (list, tuple, np.ndarray)):
        seeds = list(seed)
    else:
        raise OptionError(f"seed is {seed!r}, expected an int, one int per environment, or None")
    if len(seeds) != count:
        raise OptionError(f"seed has {len(seeds)} values for {count} environments")
    for each in seeds:
        whole = isinstance(each, Integral) and not isinstance(each, bool)
        if each is not None and not (whole and 0 <= int(each) <= MAX_SEED):
            raise OptionError(f"seed {each!r} is not an int in 0 .. 2**64 - 1")
    return [None if each is None else int(each) for each in seeds]


def drawn(seeds: Sequence[int | None]) -> list[int | None]:
    """The same seeds, with fresh entropy in place of None."""
    fresh: list[int] = np.random.SeedSequence().generate_state(len(seeds), np.uint64).tolist()
    return [
        entropy if given is None else given for given, entropy in zip(seeds, fresh, strict=True)
    ]
