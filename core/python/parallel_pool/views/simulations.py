"""Sequences of actions played from saved states, beside the environments of a pool."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from parallel_pool import _core
from parallel_pool.config.pool_config import PoolConfig
from parallel_pool.config.seeds import spread
from parallel_pool.errors import OptionError
from parallel_pool.pool_errors import (
    AlreadyPendingError,
    NotOfferedError,
    SimulationError,
)
from parallel_pool.schema.fields import Field, tree_of
from parallel_pool.schema.players import is_multi_player
from parallel_pool.schema.result_tree import FieldColumn
from parallel_pool.schema.texts import Texts


class Simulation(NamedTuple):
    """The results of M sequences of H actions. After the end of an episode nothing is stepped."""

    rewards: npt.NDArray[np.float64]
    """(M, H); zeros after the end."""
    terminated: npt.NDArray[np.bool_]
    """(M,)"""
    truncated: npt.NDArray[np.bool_]
    """(M,); by the environment or a time limit, not by the end of the sequence or a failure."""
    lengths: npt.NDArray[np.int32]
    """(M,); the steps that were made."""
    obs: Any
    """The observation after the last of them, (M, ...) in each array; zeros where the sequence failed."""


class SpareEnvs:
    """Environments like those of a pool, in its threads. Made once, with the first simulation."""

    def __init__(self, config: PoolConfig, pool: _core.Pool) -> None:
        """Raises NotOfferedError if the pool's environments cannot be simulated, EnvBuildError."""
        pool.check_usable()
        _expect_alike(config)
        count = pool.spare_envs
        arguments = replace(
            config.arguments,
            num_envs=count,
            batch_size=count,
            autoreset_mode="Disabled",
            # A step cannot be left out of a sequence.
            nan_action="clip" if config.arguments.nan_action == "clip" else "raise",
            action_chunk=None,
            chunk_rewards=False,
            copy=True,
            thread_pool=None,
            step_timeout=None,
        )
        own = replace(config, arguments=arguments, seeds=[None] * count, cpus=[])
        self._pool = _core.Pool(
            plugin=config.plugin,
            env_id=config.variants.natives,
            options=config.variants.options,
            config=own.native(thread_pool=pool.threads),
            step_tree=(),
            reset_tree=(),
            action_tree=config.action_tree,
        )
        self._fields = config.fields
        self._one_at_a_time = threading.RLock()
        self._playing = False

    def play(self, states: Sequence[bytes] | bytes, actions: Any, seeds: Any) -> Simulation:
        """See `PoolView.simulate`."""
        self._pool.check_usable()  # first: in a forked child a lock of the parent's is for ever
        states = [states] if isinstance(states, bytes) else list(states)
        rows, count, horizon = self._rows(actions)
        if len(states) not in (1, count):
            raise ValueError(
                f"there are {len(states)} states for {count} sequences of actions: give one for each, "
                "or one for all"
            )
        chosen = [] if seeds is None else spread(seeds, count, of="sequences")
        if None in chosen:
            raise OptionError("seeds has a None: give a seed for each sequence, or none at all")
        numbers = [number for number, field in enumerate(self._fields) if field["role"] == "obs"]
        leaves = [FieldColumn(number) for number in numbers]
        with self._one_at_a_time:
            if self._playing:  # in this thread, which a handler of signals has interrupted
                raise AlreadyPendingError("the pool simulates already", "simulate")
            self._playing = True
            try:
                rewards, terminated, truncated, lengths, last, failures = self._pool.simulate(
                    states, chosen, rows, count, horizon, leaves
                )
            finally:
                self._playing = False
        rows_of = dict(zip(numbers, last, strict=True))

        def leaf(number: int, field: Field) -> Any:
            return Texts(rows_of[number]) if field["kind"] == "text" else rows_of[number]

        obs = tree_of(self._fields, "obs", leaf)
        result = Simulation(rewards, terminated, truncated, lengths, obs)
        if failures:
            raise SimulationError(failures, result)
        return result

    def close(self) -> None:
        """Destroys the environments; a simulation that runs in another thread raises ClosedPoolError."""
        self._pool.close()

    def _rows(self, actions: Any) -> tuple[list[npt.NDArray[Any]], int, int]:
        """The arrays of the actions with a row for each step, and the numbers of sequences and steps."""
        checker = self._pool.action_checker()
        try:
            given = [np.asarray(value) for value, _ in checker.members(actions)]
        except RuntimeError as error:  # a tensor that is no array
            raise TypeError(f"actions: {error}") from None
        shape = given[0].shape[:2]
        for array in given:
            if array.ndim < 2 or array.shape[:2] != shape or shape[1] == 0:
                raise ValueError(
                    f"actions has an array of shape {array.shape}, expected (sequences, steps, ...) with at "
                    "least one step, and the same two numbers in all arrays"
                )
        count, horizon = shape
        steps = count * horizon
        if max(steps, horizon) >= 2**31:
            raise ValueError(f"{count} sequences of {horizon} actions are more than 2**31 steps")
        flat = [array.reshape(steps, *array.shape[2:]) for array in given]
        try:
            return [checker.array(k, array, steps) for k, array in enumerate(flat)], count, horizon
        except ValueError as error:
            raise ValueError(
                f"{error}, where a row is one of {count} x {horizon} steps: expected (sequences, steps, ...)"
            ) from None


def _expect_alike(config: PoolConfig) -> None:
    """Raises NotOfferedError unless one environment can stand for any other, and results are its own."""
    arguments = config.arguments
    reason = None
    if arguments.isolation is not None:
        reason = "its environments are in worker processes"
    elif is_multi_player(config.fields):
        reason = "it has several players"
    elif len(config.variants.options) > 1:
        reason = (
            "its environments have different ids or options: make a pool of those that are alike"
        )
    elif config.pixels is not None or config.transform is not None:
        reason = (
            "its observations are pictures or changed by `transform`, and a simulation has those of the "
            "environment itself: make a pool without them, which takes the same states"
        )
    if reason is not None:
        raise NotOfferedError(f"{config.env.id}: this pool cannot simulate, because {reason}")
