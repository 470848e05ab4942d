"""EnvPool's `ArraySpec`: dtype, shape and bounds of each array of a pool."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from dm_env import specs
from parallel_pool.pool_api import INFO_HANDLE, Field, PoolConfig, bounds

_MOST_VALUES = 2**20
"""Integers with more values are not discrete for EnvPool."""


class ArraySpec:
    """dtype, shape and inclusive bounds of one array of one environment.

    A first dimension of -1 stands for the environment's players. Bounds are plain numbers where all
    elements have the same.
    """

    def __init__(
        self,
        dtype: Any,
        shape: list[int],
        bounds: tuple[Any, Any],
        element_wise_bounds: tuple[Any, Any] = ((), ()),
        is_discrete: bool = False,
    ) -> None:
        self.dtype = dtype
        self.shape = shape
        self.is_discrete = is_discrete
        low, high = element_wise_bounds
        self.minimum: Any = np.array(low) if len(low) else bounds[0]
        self.maximum: Any = np.array(high) if len(high) else bounds[1]

    def raw(self) -> tuple[Any, ...]:
        """The arguments that make this spec."""
        each = [
            (bound.tolist(), None) if isinstance(bound, np.ndarray) else ([], bound)
            for bound in (self.minimum, self.maximum)
        ]
        (low, least), (high, most) = each
        return self.dtype, self.shape, (least, most), (low, high), self.is_discrete

    def dm_spec(self, name: str) -> specs.Array:
        """dm_env's spec of the same array, of one player."""
        shape = [size for size in self.shape if size != -1]
        discrete = np.issubdtype(self.dtype, np.integer) and not shape
        if discrete and self.minimum == 0 and self.maximum < _MOST_VALUES:
            return specs.DiscreteArray(int(self.maximum) + 1, dtype=self.dtype, name=name)
        return specs.BoundedArray(shape, self.dtype, self.minimum, self.maximum, name=name)

    def __repr__(self) -> str:
        return (
            f"ArraySpec(shape={self.shape}, dtype={self.dtype}, minimum={self.minimum}, "
            f"maximum={self.maximum})"
        )


def state_array_specs(config: PoolConfig) -> dict[str, ArraySpec]:
    """All arrays of a result, by EnvPool's names: with "obs:" and "info:" before those of the environment, and
    EnvPool's own names of infos."""
    number = _plain(np.int32)
    flag = ArraySpec(np.dtype(bool), [], (False, True))
    common = {
        "info:env_id": number,
        "info:players.env_id": _plain(np.int32, -1),
        "elapsed_step": number,
        "done": flag,
        "reward": ArraySpec(np.dtype(np.float32), [-1], (-np.inf, np.inf)),
        "discount": ArraySpec(np.dtype(np.float32), [-1], (0.0, 1.0)),
        "step_type": number,
        "trunc": flag,
    }
    own = dict(_own(config, "info")) if config.has_infos else {}
    return {**common, **dict(_own(config, "obs")), **own}


def action_array_specs(config: PoolConfig) -> dict[str, ArraySpec]:
    """All arrays of an action. The environment's own are last."""
    common = {"env_id": _plain(np.int32), "players.env_id": _plain(np.int32, -1)}
    return {**common, **dict(_own(config, "action"))}


def _own(config: PoolConfig, role: str) -> Iterator[tuple[str, ArraySpec]]:
    names: Mapping[str, str] = config.env.envpool_info if role == "info" else {}
    for field in config.fields:
        handle = config.python is not None and field["name"] == INFO_HANDLE
        if field["role"] != role or (role == "info" and handle):
            continue
        first, *rest = field["name"].split("/")
        path = [names.get(first, first), *rest] if first else []
        if role == "obs" and config.pixels is not None and config.pixels.alone:
            path = ["pixels"]
        if role == "action":
            path = path or ["action"]
            yield ".".join([*(["players"] if field["per_player"] else []), *path]), _spec_of(field)
            continue
        if role == "info" and field["per_player"]:
            path = ["players", *path]
        yield ":".join([role, *([".".join(path)] if path else [])]), _spec_of(field)


def _spec_of(field: Field) -> ArraySpec:
    low, high = bounds(field)
    shape = list(field["shape"])
    scalar = not shape and (field["role"] != "obs" or field["kind"] == "discrete")
    if field["per_player"] or field["role"] == "action" or scalar:
        shape = [-1, *shape]
    if low.size and (low == low.flat[0]).all() and (high == high.flat[0]).all():
        return ArraySpec(field["dtype"], shape, (low.flat[0].item(), high.flat[0].item()))
    return ArraySpec(field["dtype"], shape, (None, None), (low.tolist(), high.tolist()))


def _plain(dtype: Any, *shape: int) -> ArraySpec:
    limits = np.iinfo(dtype)
    return ArraySpec(np.dtype(dtype), list(shape), (int(limits.min), int(limits.max)))


def dm_specs_of(flat: Mapping[str, ArraySpec], keys: Sequence[str]) -> dict[str, specs.Array]:
    """dm_env's specs of these arrays, by keys without "obs:" and "info:"."""
    return {
        key.removeprefix("obs:").removeprefix("info:"): flat[key].dm_spec(
            key.replace(":", ".").split(".")[-1]
        )
        for key in keys
    }
