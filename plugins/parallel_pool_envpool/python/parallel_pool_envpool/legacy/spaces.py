"""Spaces of the package gym, for programs that use it: they ask `isinstance(space, gym.spaces.Box)`."""

from __future__ import annotations

import sys
from typing import Any

from gymnasium import spaces

from parallel_pool_envpool.spec import EnvSpec


def in_the_users_gym(space: spaces.Space[Any]) -> Any:
    """Returns the space as one of gym if gym is imported; otherwise unchanged. Imports nothing."""
    gym = sys.modules.get("gym")
    return space if gym is None else _translated(space, gym.spaces)


def with_users_spaces(spec: EnvSpec) -> EnvSpec:
    """The spec, with its spaces as `in_the_users_gym` returns them."""
    spec.observation_space = in_the_users_gym(spec.gymnasium_observation_space)
    spec.action_space = in_the_users_gym(spec.gymnasium_action_space)
    return spec


def _translated(space: spaces.Space[Any], theirs: Any) -> Any:
    if isinstance(space, spaces.Box):
        return theirs.Box(space.low, space.high, space.shape, space.dtype.type)
    if isinstance(space, spaces.Discrete):
        return theirs.Discrete(int(space.n), start=int(space.start))
    if isinstance(space, spaces.MultiDiscrete):
        if space.start.any():
            return theirs.Box(space.start, space.start + space.nvec - 1, dtype=space.dtype.type)
        return theirs.MultiDiscrete(space.nvec, dtype=space.dtype.type)
    if isinstance(space, spaces.MultiBinary):
        return theirs.MultiBinary(space.n)
    if isinstance(space, spaces.Dict):
        return theirs.Dict({name: _translated(each, theirs) for name, each in space.items()})
    if isinstance(space, spaces.Tuple):
        return theirs.Tuple([_translated(each, theirs) for each in space])
    return space
