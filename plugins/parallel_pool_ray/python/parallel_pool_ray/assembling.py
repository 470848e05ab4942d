"""Assembles the actors' results into one batch; each array is written once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector.utils import create_empty_array
from parallel_pool.errors import OptionError
from parallel_pool.pool_api import concatenated, leaves, map_tree, reordered, with_leaves

from parallel_pool_ray.buffer_pool import BufferPool
from parallel_pool_ray.requests import Part, Request


class Assembler:
    """Copies the rows of requests into memory of its buffers."""

    def __init__(self, observation_space: Any, *, same_step: bool) -> None:
        self.buffers = BufferPool()
        self._same_step = same_step
        self._like = create_empty_array(observation_space, 1)
        self._leaves = leaves(self._like)
        for leaf in self._leaves:
            if not isinstance(leaf, np.ndarray) or leaf.dtype == object:
                raise OptionError(f"{observation_space} has parts that are no arrays")

    def batch(self, requests: Sequence[Request]) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """(obs, reward, terminated, truncated, info), with the rows of the requests in order."""
        rows = sum(len(request.ids) for request in requests)
        *observed, reward, terminated, truncated = self.buffers.arrays(
            [
                *(((rows, *leaf.shape[1:]), leaf.dtype) for leaf in self._leaves),
                ((rows,), np.float64),
                ((rows,), np.bool_),
                ((rows,), np.bool_),
            ]
        )
        obs = with_leaves(self._like, observed)
        parts, places, begin = [], [], 0
        for request in requests:
            for part in request.parts:
                parts.append(part)
                places.append(begin + part.places)
            begin += len(request.ids)
        for part, rows_of_part in zip(parts, places, strict=True):
            assert part.value is not None
            at, value = _as_slice(rows_of_part), part.value
            map_tree(lambda whole, some, at=at: whole.__setitem__(at, some), obs, value.obs)
            if value.reward is None:  # it is a reset's, or the environments are gone
                reward[at], terminated[at], truncated[at] = 0.0, False, part.ends
                if value.failures:
                    truncated[rows_of_part[list(value.failures)]] = True
            else:
                reward[at], terminated[at] = value.reward, value.terminated
                truncated[at] = value.truncated
        info = self._info(parts, places)
        if self._same_step and not any(request.is_reset for request in requests):
            self._finals(parts, places, info, rows)
        return obs, reward, terminated, truncated, info

    def _info(self, parts: Sequence[Part], places: Sequence[Any]) -> dict[str, Any]:
        infos = []
        for part in parts:
            assert part.value is not None
            count, every = len(part.ids), np.ones(len(part.ids), np.bool_)
            infos.append(
                {
                    "env_id": part.ids.astype(np.int32),
                    "_env_id": every,
                    "pool_id": np.full(count, part.pool, np.int32),
                    "_pool_id": every,
                    "generation": np.full(count, part.generation, np.int32),
                    "_generation": every,
                    "lost": np.full(count, part.lost),
                    "_lost": np.full(count, part.lost),
                    **(part.value.info or {}),
                }
            )
        whole: dict[str, Any] = concatenated(infos)
        order = np.concatenate(places)
        if not (order[1:] > order[:-1]).all():
            whole = reordered(whole, np.argsort(order))
        return whole

    def _finals(
        self, parts: Sequence[Part], places: Sequence[Any], info: dict[str, Any], rows: int
    ) -> None:
        """Adds `final_obs_dense`, with zeros for episodes that have not ended."""
        ended = info.get("_final_obs_dense")
        if ended is None:
            ended = np.zeros(rows, np.bool_)
        finals = map_tree(lambda leaf: np.zeros((rows, *leaf.shape[1:]), leaf.dtype), self._like)
        for part, at in zip(parts, places, strict=True):
            assert part.value is not None
            given = part.value.final_obs if part.final_obs is None else part.final_obs
            if part.final_obs is not None:
                ended[at] = True
            if given is not None:
                rows_of_part = at[ended[at]]
                map_tree(
                    lambda whole, some, at=rows_of_part: whole.__setitem__(at, some), finals, given
                )
        info["final_obs_dense"], info["_final_obs_dense"] = finals, ended


def _as_slice(places: npt.NDArray[Any]) -> Any:
    """Returns the row numbers as a slice if they are consecutive, because a slice is copied at once."""
    if len(places) and places[-1] - places[0] == len(places) - 1 and (np.diff(places) == 1).all():
        return slice(int(places[0]), int(places[-1]) + 1)
    return places
