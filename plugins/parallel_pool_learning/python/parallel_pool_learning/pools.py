"""Checks that a pool fits a library."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from gymnasium.vector import VectorEnv
from parallel_pool import EnvError, NothingPendingError
from parallel_pool.errors import OptionError
from parallel_pool.pool_api import (
    SINGLE_FIXED,
    GymnasiumPool,
    PoolConfig,
    expect_arrays,
    explaining_memory,
    make_config,
    reward_is_per_player,
)


@explaining_memory()
def make_pool(
    task_id: str | Sequence[str], autoreset_mode: str, options: dict[str, Any]
) -> GymnasiumPool:
    """`parallel_pool.make`, with this autoreset mode if `options` have none; see `expect_pool`.

    Observed texts become numbers where the environment has an option for that.
    """
    arguments = {"autoreset_mode": autoreset_mode, **options}
    numbers = None if "texts" in options else attrgetter("network_options")
    return GymnasiumPool(make_config(task_id, arguments, defaults=numbers))


def expect_pool(
    envs: Any,
    title: str,
    modes: Sequence[str],
    reason: str,
    *,
    bare: bool = False,
    tensors: bool = False,
    players: str = "",
) -> GymnasiumPool:
    """The pool that `envs` is or wraps, if the library `title` can use it.

    modes: the autoreset modes that the library can use, the best first; reason: why not the others. bare:
    whether wrappers are an error. tensors: whether the library takes results with output="torch". players: what
    takes several players in this library. Raises
    TypeError if there is no pool, and OptionError that says what to pass instead.
    """
    pool = envs.unwrapped if isinstance(envs, VectorEnv) and not bare else envs
    if not isinstance(pool, GymnasiumPool):
        wrapped = "" if bare else ", or Gymnasium's vector wrappers around one"
        raise TypeError(
            f"{title} takes a pool of env_type 'gymnasium'{wrapped}, not a {type(pool).__name__}: "
            f"parallel_pool.make(task_id, num_envs=8, autoreset_mode={modes[0]!r})"
        )
    config = pool.definition
    expect_mode(config, title, modes, reason)
    (expect_kept if tensors else expect_numpy)(config, title)
    if pool.is_async:
        raise OptionError(
            f"{title} steps all environments at once, and this pool answers with "
            f"{config.arguments.batch_size} of {config.arguments.num_envs}: leave out batch_size"
        )
    if reward_is_per_player(config.fields):
        task_id = repr(config.task_id)
        raise OptionError(
            f"{title} trains one player, and {task_id} has several: {players}"
            f"parallel_pool.pettingzoo.parallel_env({task_id}) is for libraries that train more"
        )
    expect_arrays(envs.single_observation_space, envs.single_action_space, config.env.id, title)
    return pool


def expect_mode(config: PoolConfig, title: str, modes: Sequence[str], reason: str) -> None:
    """Raises OptionError if a pool with this config has none of these autoreset modes."""
    arguments = config.arguments
    if arguments.autoreset_mode not in modes:
        raise OptionError(
            f"{title} needs autoreset_mode={modes[0]!r}, {reason}; this pool has "
            f"{arguments.autoreset_mode!r}: parallel_pool.make({config.task_id!r}, "
            f"num_envs={arguments.num_envs}, autoreset_mode={modes[0]!r})"
        )


def expect_kept(config: PoolConfig, title: str) -> None:
    """Raises OptionError if the next call overwrites the results of a pool with this config."""
    if not config.arguments.copy:
        raise OptionError(
            f"{title} keeps results, and this pool overwrites them: leave out copy=False"
        )


def expect_numpy(config: PoolConfig, title: str) -> None:
    """Raises OptionError if the results of a pool with this config are tensors, or do not stay."""
    expect_kept(config, title)
    arguments = config.arguments
    if arguments.output == "torch":
        device = "" if arguments.device is None else f" and device={arguments.device!r}"
        raise OptionError(
            f"{title} keeps arrays of numpy, and this pool gives tensors: leave out output='torch'{device}"
        )


def tensor_device(pool: GymnasiumPool) -> str | None:
    """The device of the pool's results; None if they are arrays."""
    arguments = pool.definition.arguments
    return None if arguments.output != "torch" else arguments.device or "cpu"


def discard_pending(pool: GymnasiumPool) -> None:
    """Receives what a step, or a reset, of all environments has left that Ctrl-C ended: a reset needs that."""
    while True:
        try:
            pool.recv()
        except NothingPendingError:
            return
        except EnvError:
            pass  # the reset that follows mends the environments


def single_options(options: dict[str, Any]) -> dict[str, Any]:
    """The options of a pool that `SingleEnv` takes too."""
    return {name: value for name, value in options.items() if name not in SINGLE_FIXED}


def close_if_refused(pool: GymnasiumPool) -> _Closing:
    """`with close_if_refused(pool):` closes the pool if the block raises."""
    return _Closing(pool)


class _Closing:
    def __init__(self, pool: GymnasiumPool) -> None:
        self._pool = pool

    def __enter__(self) -> None: ...

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self._pool.close()
