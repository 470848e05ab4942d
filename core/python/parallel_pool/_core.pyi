"""The native core of ParallelPool (core/src)."""

from collections.abc import Callable, Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from parallel_pool.schema.fields import Field
from parallel_pool.schema.result_tree import Node, Tree

__version__: str
ABI_VERSION: tuple[int, int]

def usable_cpus() -> int:
    """How many threads can run at once: affinity mask and cgroup quota, at least 1."""

def affinity_cpus() -> list[int]:
    """The CPUs this process may use, ascending; empty where the system has no such mask."""

def numa_nodes(root: str = ...) -> list[int]:
    """The NUMA nodes of this machine; empty where the system does not say."""

def numa_cpus(node: int, root: str = ...) -> list[int]:
    """The CPUs of a NUMA node; empty if there is no such node, or if it has none."""

class ThreadPool:
    """Threads that several pools share. cpus: where thread i may run, round and round."""

    def __init__(self, num_threads: int, cpus: Sequence[Sequence[int]] = ...) -> None: ...
    def close(self) -> int:
        """How many pools are still open, which then goes on; 0: the threads have ended."""

    @property
    def num_threads(self) -> int: ...
    @property
    def num_pools(self) -> int: ...
    @property
    def closed(self) -> bool: ...

class Plugin:
    """A loaded plugin library. Loading the same file twice gives the same library.

    Or a family of one environment that is written in Python, for worker processes.
    """

    @overload
    def __init__(self, path: str) -> None: ...
    @overload
    def __init__(self, *, family: str, version: str, env_id: str, fields: list[Field]) -> None: ...
    @property
    def path(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def abi(self) -> tuple[int, int]: ...
    @property
    def env_ids(self) -> list[str]: ...
    def declaration(self, env_id: str) -> dict[str, Any]:
        """summary, preferred_lanes, exclusive; options and reset_options: name, kind, default, doc, low, high,
        choices.
        """

    def describe(
        self, env_id: str, options: dict[str, Any], isolated: bool = False
    ) -> dict[str, Any]:
        """fields (see fields.Field), max_players, max_episode_steps, reward_threshold.

        isolated: as it is in a worker process.
        """

class PoolConfig:
    """What a pool is to be. Checked in Python (parallel_pool.config.arguments)."""

    num_envs: int
    batch_size: int
    num_threads: int
    max_episode_steps: int
    """0: no limit."""
    seeds: Sequence[int]
    """One per environment."""
    step_timeout: float
    """Seconds; 0: no limit."""
    reward32: bool
    dm_columns: bool
    statistics: bool
    flat_players: bool
    step_begins: bool
    """The first step of an environment that was never reset resets it. With autoreset NextStep."""
    autoreset_mode: str
    batch_order: str
    nan_action: str
    out_of_bounds_action: str
    thread_affinity_offset: int
    cpus: Sequence[Sequence[int]]
    """Where thread i may run, round and round; in place of thread_affinity_offset."""
    @property
    def thread_pool(self) -> bool:
        """Whether it is set."""

    @thread_pool.setter
    def thread_pool(self, threads: ThreadPool | None) -> None: ...
    def __init__(self) -> None: ...

def register_node(node: type[Node], kind: object) -> None:
    """Makes a class of nodes known to result trees. kind: see core/src/result_node.hpp."""

class Pool:
    """The native pool. `step_tree` and `reset_tree` say what results look like.

    box: a list with None in it, or None. With a list, `step`, `step_players`, `recv` and `reset` return a list
    with the result in it, in the main thread this one, and the result has arrived when it is set to None: what
    a signal keeps from arriving comes again. Without, they return the result.
    """

    def __init__(
        self,
        *,
        plugin: Plugin,
        env_id: str,
        options: Sequence[dict[str, Any]],
        config: PoolConfig,
        isolation: dict[str, Any] | None = None,
        step_tree: Tree,
        reset_tree: Tree,
        action_tree: Any,
        box: list[Any] | None = None,
    ) -> None: ...
    def step(self, action: Any, env_id: Any = None) -> Any: ...
    def send(self, action: Any, env_id: Any = None) -> None: ...
    def step_players(self, action: Any, env_id: Any, player_env_id: Any, player_id: Any) -> Any: ...
    def send_players(
        self, action: Any, env_id: Any, player_env_id: Any, player_id: Any
    ) -> None: ...
    def recv(self, timeout: float | None = None) -> Any: ...
    def reset(self, env_id: Any = None, seeds: Any = None, options: Any = None) -> Any: ...
    def send_reset(self, env_id: Any = None, seeds: Any = None, options: Any = None) -> None: ...
    def get_state(self, env_id: Any = None) -> list[bytes]: ...
    def set_state(self, env_id: Any, states: Sequence[bytes]) -> None: ...
    def render(self, env_id: Any = None) -> list[npt.NDArray[np.uint8]]: ...
    def describe_arrays(
        self, env_id: Any = None
    ) -> dict[str, tuple[np.dtype[Any], tuple[int, ...], bool]]: ...
    def read_array(self, name: str, env_id: Any = None) -> npt.NDArray[Any]: ...
    def write_array(self, name: str, values: npt.NDArray[Any], env_id: Any = None) -> None: ...
    def ask(self, question: bytes, env_id: Any = None, verb: str = "") -> list[bytes]:
        """What the worker processes of Python environments answer."""

    def xla(
        self, step: Sequence[Node], reset: Sequence[Node]
    ) -> tuple[
        tuple[int, int, int, int],
        list[tuple[np.dtype[Any], tuple[int, ...]]],
        list[tuple[np.dtype[Any], tuple[int, ...]]],
    ]:
        """The handle for the next call of a program, and dtype and shape of a row of each of these columns.

        The first time, these are the columns that a program's step and reset give.
        """

    def block(self, address: int, lend: Callable[[int, int], Any]) -> tuple[int, int, Any] | None:
        """Where the block of results that holds this address begins, its bytes, and its lease: the first time
        what lend(begin, bytes) gives, which is let go of before the block is freed. None: no result is there.
        """

    def close(self) -> None: ...
    def stats(self) -> dict[str, Any]: ...
    @property
    def num_threads(self) -> int: ...
    @property
    def own_threads(self) -> int:
        """Living threads that were started for this pool alone."""

    @property
    def is_async(self) -> bool: ...
    @property
    def closed(self) -> bool: ...

def xla_targets() -> dict[str, Any]:
    """Handlers of XLA's FFI (core/src/xla_calls.hpp) by name, in capsules."""

class XlaTurn:
    """A call that Python makes in a program's place. Raises as the call would if it is not its turn."""

    def __init__(self, handle: Sequence[int]) -> None: ...
    def done(self) -> None:
        """The handle is used up."""

    def next(self) -> tuple[int, int, int, int]:
        """The handle for the call after this one."""

    def end(self) -> None: ...

class Mailbox:
    """A worker's end of the memory it shares with its pool (host/workers/mailbox.hpp)."""

    def __init__(self, fd: int) -> None: ...
    def next(self) -> tuple[int, int, int, int, int, bytes]:
        """Waits for a call: op, shard, first environment of the shard, first, count, text."""

    def answer_text(self, text: bytes) -> None:
        """Ends a call that went well, whose answer is no records."""

    def answer(self, status: int, records: list[tuple[int, int, bytes]]) -> None:
        """Ends the call; records of (kind, lane, bytes)."""

    def column(self, field: int, dtype: np.dtype[Any], shape: tuple[int, ...]) -> npt.NDArray[Any]:
        """The shared rows of a field: [capacity, *shape]."""

    def kind(self) -> npt.NDArray[np.uint8]: ...
    def seed(self) -> npt.NDArray[np.uint64]: ...

def shut(workers: bool) -> None:
    """Before the interpreter ends: no other thread comes back to Python from here.

    workers: neither do those of pools, which have to come back to be closed.
    """

def live_with(parent: int) -> None:
    """In a worker process: end it when the process `parent` is gone. Once."""

def serve(fd: int, plugin: Plugin, env_id: str, options: Sequence[dict[str, Any]]) -> None:
    """In a worker process: serve the mailbox `fd` with a plugin's environments."""

def refuse(fd: int, reason: str) -> None:
    """In a worker process that cannot serve: say why, to every call."""

def _check_head(plugin: Plugin, host_major: int, host_minor: int) -> None: ...
def _check_rows(
    plugin: Plugin,
    env_id: str,
    options: dict[str, Any],
    lanes: int,
    actions: Sequence[npt.NDArray[Any]],
    calls: int = 0,
    seconds: float = 0.0,
) -> tuple[int, list[str]]: ...
def _reads_option(plugin: Plugin, env_id: str, options: dict[str, Any], option: int) -> bool: ...
def _check_damaged(
    plugin: Plugin,
    env_id: str,
    options: dict[str, Any],
    actions: Sequence[npt.NDArray[Any]],
    times: int,
    steps: int,
    seconds: float,
) -> tuple[int, list[str]]: ...
def _check_lifetime(
    plugin: Plugin,
    env_id: str,
    options: dict[str, Any],
    lanes: int,
    actions: Sequence[npt.NDArray[Any]],
    times: int,
) -> list[str]: ...
def _allocated_bytes() -> int: ...
def _record_rows(
    plugin: Plugin,
    env_id: str,
    options: dict[str, Any],
    lanes: int,
    actions: Sequence[npt.NDArray[Any]],
    byte: int,
) -> list[bytes]: ...
