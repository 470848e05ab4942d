"""Changes the parts of an observation that Stable-Baselines3's own networks cannot take."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium import spaces

LEAST_SIDE = 36
"""Pixels: the convolutions of NatureCNN take no smaller pictures."""

Convert = Callable[[Any, int], Any]
"""Changes an observation, with a number of axes before those of the space, to the new one. Copies nothing."""


def for_networks(
    space: spaces.Space[Any], *, flatten_small: bool
) -> tuple[spaces.Space[Any], Convert]:
    """The space of observations for the library, and how to convert them.

    flatten_small: small pictures in a Dict become vectors. Numbers of a MultiDiscrete are counted in int64: the
    library adds them up in their own dtype.
    """
    if isinstance(space, spaces.MultiDiscrete):
        return _counted(space), _as_it_is
    if not isinstance(space, spaces.Dict):
        return space, _as_it_is
    members, small = dict(space.items()), []
    for name, each in members.items():
        if isinstance(each, spaces.MultiDiscrete):
            members[name] = _counted(each)
        elif flatten_small and _is_small_picture(each):
            small.append(name)
            members[name] = spaces.flatten_space(each)

    def convert(obs: Any, axes: int) -> Any:
        flat = {name: obs[name].reshape(*obs[name].shape[:axes], -1) for name in small}
        return {**obs, **flat}

    return spaces.Dict(members), convert if small else _as_it_is


def _as_it_is(obs: Any, _: int) -> Any:
    return obs


def _counted(space: spaces.MultiDiscrete) -> spaces.MultiDiscrete:
    return spaces.MultiDiscrete(space.nvec.astype(np.int64), start=space.start)


def _is_small_picture(space: spaces.Space[Any]) -> bool:
    """Returns True if the library takes it for a picture: 8 bits, three axes and all values of a byte."""
    return (
        isinstance(space, spaces.Box)
        and space.dtype == np.uint8
        and len(space.shape) == 3
        and bool((space.low == 0).all() and (space.high == 255).all())
        and sorted(space.shape)[1] < LEAST_SIDE
    )
