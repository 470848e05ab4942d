"""The internal arrays and the complete states of a pool's environments: reading, writing, pickling."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from parallel_pool import _core
from parallel_pool.config.pool_config import PoolConfig
from parallel_pool.config.transform.state import TransformState
from parallel_pool.pool_errors import NotOfferedError
from parallel_pool.schema.masks import refuse_mask
from parallel_pool.views.simulations import Simulation, SpareEnvs


class EnvStates:
    """A part of `PoolView`."""

    _pool: _core.Pool
    _config: PoolConfig
    _transform: TransformState | None
    _spare: SpareEnvs | None = None

    def array_names(self) -> dict[str, tuple[np.dtype[Any], tuple[int, ...], bool]]:
        """The internal arrays that an environment exposes: name -> (dtype, shape, writable).

        Raises NotOfferedError if there are none, ResetNeededError before the first reset.
        """
        return self._pool.describe_arrays([0])

    def read_array(self, name: str, env_ids: Any = None) -> npt.NDArray[Any]:
        """A copy of the array `name` of the environments `env_ids` (None: all), one row for each.

        For debugging and plots, not for training loops. Raises ValueError for an unknown name,
        ResetNeededError before the first reset, AlreadyPendingError if a result is pending.
        """
        return self._pool.read_array(name, env_ids)

    def write_array(self, name: str, values: Any, env_ids: Any = None) -> None:
        """Sets the array `name` of the environments `env_ids` (None: all) to `values`, one row for each.

        The next step continues from these values; earlier observations do not change. Raises the errors of
        `read_array`, and ValueError or TypeError if the array is read-only or the values do not fit.
        """
        refuse_mask("values", values)
        self._pool.write_array(name, np.asarray(values), env_ids)

    def get_state(self, env_ids: Any = None) -> list[bytes]:
        """The complete states of the environments `env_ids` (None: all), as bytes.

        Raises AlreadyPendingError if one has a pending result, ResetNeededError if one was never reset or has
        failed, StateError or NotOfferedError if the environment cannot be saved.
        """
        self._expect_states()
        return self._pool.get_state(env_ids)

    def set_state(self, env_ids: Any, states: Sequence[bytes]) -> None:
        """Restores the states of the environments `env_ids` (None: all), which continue from there exactly.

        A state fits every environment of the same id, plugin version and options, in this process or
        another, whatever the pool's size, threads or view. Environments that failed, or were never
        reset, need no reset then. Raises StateError that names the difference, and then changes nothing;
        AlreadyPendingError if an environment has a pending result; NotOfferedError as `get_state`.
        """
        self._expect_states()
        if isinstance(states, (bytes, bytearray)):
            raise TypeError(
                f"states is {type(states).__name__}, expected one state for each environment: "
                "set_state([3], [state])"
            )
        self._pool.set_state(env_ids, states)
        if self._transform is not None:
            self._transform.restored(env_ids)

    def _expect_states(self) -> None:
        env = self._config.env
        if env.no_states is not None:
            raise NotOfferedError(f"{env.id} cannot save or restore states: {env.no_states}")

    def clone(self, source: int, targets: Any) -> None:
        """Copies the state of environment `source`, random numbers included, to the environments `targets`."""
        self._expect_states()
        self._pool.clone([source], np.asarray(targets))
        if self._transform is not None:
            self._transform.restored(targets)

    def simulate(
        self, states: Sequence[bytes] | bytes, actions: Any, seeds: Any = None
    ) -> Simulation:
        """Plays M sequences of H actions, each from a state, and returns what they would bring.

        states: one for each sequence, or one for all of them. actions: as for `step`, in arrays of shape
        (M, H, ...). An episode that ends is stepped no further. seeds: one for each sequence, or an int s:
        s + i. Its random numbers are then those of a generator with this seed, and all else is as in the
        state; with None all sequences from one state see that state's own. The pool's environments, their
        results under way and their random numbers are untouched: spare environments play in the pool's
        threads. The first call makes them, and `close()` ends them: one for each thread, or as many as
        environments that step many at once prefer. `step_timeout` is not watched, and nan_action="truncate"
        is "raise".

        Raises StateError that names a state that does not fit, or whose episode has ended; SimulationError,
        with the result of the others, if an environment fails; ValueError or TypeError for the actions;
        OptionError for seeds; NotOfferedError for environments without states, in workers or of several
        players, for seeds where none reaches the environment's random numbers within an episode, and for
        pools of different environments, with pictures or with `transform`.
        """
        self._expect_states()
        if self._spare is None:
            self._spare = SpareEnvs(self._config, self._pool)
        return self._spare.play(states, actions, seeds)

    def pickled(self, *, include_state: bool = False) -> bytes:
        """A pickle of the pool; with include_state it makes a pool that continues where this one is.

        The states of all environments are then saved: see `get_state`.
        """
        if not include_state:
            return pickle.dumps(_Pickled(self))
        transform = None if self._transform is None else self._transform.state_dict()
        return pickle.dumps(_Pickled(self, self.get_state(), transform))


class _Pickled:
    """A pool and its states, as they are pickled."""

    def __init__(self, pool: Any, states: list[bytes] | None = None, transform: Any = None) -> None:
        self._pool, self._states, self._transform = pool, states, transform

    def __reduce__(self) -> tuple[Any, ...]:
        rebuild, arguments = self._pool.__reduce__()
        return rebuild, (*arguments, self._states, self._transform)
