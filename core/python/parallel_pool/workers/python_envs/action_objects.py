"""Actions, or parts of them, that are no arrays.

They cross in a file in memory. Their rows, as the native pool has them, are a place in it: offset, size and
number of the action. A region of the file begins with that number while its action is on its way, and with 0
afterwards, so nobody frees a region that has another action already.
"""

from __future__ import annotations

import itertools
import os
import pickle
import weakref
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import Space, spaces

from parallel_pool import _core
from parallel_pool.pool_errors import REFUSALS
from parallel_pool.registry.described import one_line
from parallel_pool.schema.text_spaces import ARRAYS
from parallel_pool.workers.python_envs.serializer import dumps

_HEAD = 8
_LEAST = 6
"""Regions have 2**6 bytes or a higher power of two."""
_APART = 40
"""Regions of 2**n bytes begin at n << 40. What nobody has written takes no memory."""

Place = tuple[int, int, int]


class ActionObjects:
    """The pool's side: `step` and `send` that take objects, once the native pool is there."""

    pool: _core.Pool

    def __init__(self, space: Space[Any], num_envs: int) -> None:
        self.file = os.memfd_create("parallel_pool_actions")
        # Not by `close` of a pool: another thread may be in a call.
        weakref.finalize(self, os.close, self.file)
        self._space, self._num_envs = space, num_envs
        self._process = os.getpid()
        self._numbers = itertools.count(1)
        # By the size of a region: how many there are, and all of them, used the longest ago first.
        self._made = [itertools.count() for _ in range(_APART)]
        self._regions: list[deque[int]] = [deque() for _ in range(_APART)]
        self._latest: dict[int, list[Place]] = {}

    def step(self, action: Any, env_id: Any = None) -> Any:
        """As the pool's `step`."""
        return self._call(self.pool.step, action, env_id)

    def send(self, action: Any, env_id: Any = None) -> None:
        """As the pool's `send`."""
        self._call(self.pool.send, action, env_id)

    def _call(self, call: Callable[[Any, Any], Any], action: Any, env_id: Any) -> Any:
        envs = range(self._num_envs) if env_id is None else np.ravel(env_id).tolist()
        places: list[Place] = []
        try:
            native = self._natively(self._space, action, envs, "the action", places)
        except BaseException:
            self._free(places)
            raise
        try:
            return call(native, env_id)
        except REFUSALS as error:
            # Errors of other Python code, such as signal handlers, may come when the action is on its way.
            at = error.__traceback__
            if at is not None and at.tb_next is None:
                self._free(places)
                places = []
            raise
        finally:
            # An environment gets an action when the one before is answered: read, or lost with its worker.
            for index, env in enumerate(envs[: len(places)]):
                self._free(self._latest.get(env, []))
                self._latest[env] = places[index :: len(envs)]

    def _free(self, places: list[Place]) -> None:
        for place in places:
            free(self.file, place)

    def _natively(
        self, space: Space[Any], action: Any, envs: Sequence[Any], name: str, places: list[Place]
    ) -> Any:
        """The action with places for objects. The native pool refuses what else does not fit the space."""
        if isinstance(space, spaces.Dict) and isinstance(action, Mapping):
            return {
                key: self._natively(space[key], each, envs, f"{name}[{key!r}]", places)
                if key in space.spaces
                else each
                for key, each in action.items()
            }
        if isinstance(space, spaces.Tuple) and isinstance(action, tuple | list):
            if len(action) != len(space):
                return action
            return tuple(
                self._natively(part, each, envs, f"{name}[{index}]", places)
                for index, (part, each) in enumerate(zip(space, action, strict=True))
            )
        if isinstance(space, (spaces.Dict, spaces.Tuple, *ARRAYS)):
            return action
        kind = type(space).__name__
        if isinstance(action, (str, AbstractSet, Mapping)) or not hasattr(action, "__len__"):
            raise TypeError(
                f"{name} is {action!r}, expected a sequence with one {kind} per environment"
            )
        if len(action) != len(envs):
            raise ValueError(
                f"{name} has {len(action)} values of {kind} for {len(envs)} environments"
            )
        first = len(places)
        for env, each in zip(envs, action, strict=True):
            try:
                text = dumps(each)
            except Exception as error:
                raise TypeError(
                    f"{name} of environment {env} cannot be sent to its worker: {one_line(error)}"
                ) from error
            places.append(self._put(text))
        return np.array(places[first:], np.int64).reshape(len(envs), 3)

    def _put(self, text: bytes) -> Place:
        if os.getpid() != self._process:
            # The native pool refuses calls after a fork, and the file is the parent's.
            return 0, 0, 0
        number = next(self._numbers)
        size = max(_LEAST, (_HEAD + len(text)).bit_length())
        regions = self._regions[size]
        for _ in range(len(regions)):
            at = regions.popleft()
            if _number_at(self.file, at) == 0:
                break
            regions.append(at)
        else:
            at = (size << _APART) + (next(self._made[size]) << size)
        os.pwrite(self.file, number.to_bytes(_HEAD, "little") + text, at)
        regions.append(at)
        return at, len(text), number


def object_of(file: int, row: npt.NDArray[np.int64]) -> Any:
    """The action at the place in this row, which is free then."""
    at, size, number = row.tolist()
    text = os.pread(file, _HEAD + size, at)
    found = int.from_bytes(text[:_HEAD], "little")
    if found != number:
        raise RuntimeError(
            f"its action, number {number}, is lost: number {found} is in its place. This is a fault of "
            "ParallelPool"
        )
    os.pwrite(file, bytes(_HEAD), at)
    return pickle.loads(memoryview(text)[_HEAD:])


def free(file: int, place: Place) -> None:
    """Another action may have this place, if it still has that of the place's number."""
    at, _, number = place
    if number != 0 and _number_at(file, at) == number:
        os.pwrite(file, bytes(_HEAD), at)


def _number_at(file: int, at: int) -> int:
    return int.from_bytes(os.pread(file, _HEAD, at), "little")
