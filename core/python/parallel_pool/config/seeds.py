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
    seed: Any,
    count: int,
    key: Sequence[int] | None = None,
    bits: int = 64,
    of: str = "environments",
) -> list[int | None]:
    """One seed, or None, for each of `count` environments, or of what errors name as `of`.

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
        raise OptionError(f"seed has {len(seeds)} values for {count} {of}")
    for each in seeds:
        if each is not None:
            _expect_seed(each, f"seed {each!r}")
    return [None if each is None else int(each) for each in seeds]


def _expect_seed(seed: Any, named: str) -> None:
    whole = isinstance(seed, Integral) and not isinstance(seed, bool)
    if not (whole and 0 <= int(seed) <= MAX_SEED):
        raise OptionError(f"{named} is not an int in 0 .. 2**64 - 1")


def listed(owner: str, seeds: Any, order: str) -> Sequence[int] | None:
    """The checked `episode_seeds`: a range as it is, else a tuple. Raises OptionError."""
    if seeds is None:
        if order == "random":
            return None
        raise OptionError(
            f"{owner}: episode_order is {order!r}: give episode_seeds, which it orders"
        )
    if isinstance(seeds, np.ndarray) and seeds.ndim == 1 and seeds.dtype.kind in "iu":
        seeds = seeds.tolist()
    fits = isinstance(seeds, (range, list, tuple)) and seeds
    if not fits or seeds[2**32 - 1 :]:  # len() of a range may overflow
        raise OptionError(
            f"{owner}: episode_seeds is {seeds!r}, expected a sequence of at least one int and less than "
            "2**32, such as range(200)"
        )
    ends = (seeds[0], seeds[-1]) if isinstance(seeds, range) else seeds
    for each in ends:
        _expect_seed(each, f"{owner}: episode_seeds has {each!r}, which")
    return seeds if isinstance(seeds, range) else tuple(int(each) for each in seeds)


def weights_of(weights: Any, seeds: Sequence[int] | None, order: str) -> list[float]:
    """The checked weights of these `episode_seeds`. Raises OptionError."""
    if seeds is None or order != "random":
        raise OptionError(
            "weights are for pools that draw their episodes' seeds: make(..., episode_seeds=..., "
            "episode_order='random')"
        )
    array = np.asarray(weights, np.float64)
    if array.shape != (len(seeds),):
        raise OptionError(
            f"weights have shape {array.shape}, expected ({len(seeds)},): one for each of episode_seeds"
        )
    wrong = np.flatnonzero(~(np.isfinite(array) & (array >= 0)))
    if wrong.size:
        raise OptionError(
            f"weight {wrong[0]} is {array[wrong[0]]}, expected a finite number, 0 or more"
        )
    if not array.any():
        raise OptionError("the sum of the weights is 0, expected one above 0")
    numbers: list[float] = array.tolist()
    return numbers


def drawn(seeds: Sequence[int | None]) -> list[int | None]:
    """The same seeds, with fresh entropy in place of None."""
    fresh: list[int] = np.random.SeedSequence().generate_state(len(seeds), np.uint64).tolist()
    return [
        entropy if given is None else given for given, entropy in zip(seeds, fresh, strict=True)
    ]
