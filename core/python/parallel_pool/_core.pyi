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
    def __init__(
        self, *, family: str, version: str, env_id: str, fields: list[Field], max_players: int = 1
    ) -> None: ...
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
        """fields (see fields.Field), max_players, max_episode_steps, reward_threshold, resets_itself.

        isolated: as it is in a worker process.
        """

class PoolConfig:
    """What a pool is to be. Checked in Python (parallel_pool.config.arguments); core/src has the members
    (pool/pool_config_object.cpp).

    One that is not given is as a pool's own. max_episode_steps, step_timeout (seconds): 0: no limit. seeds:
    one per environment. episode_seeds: the seeds that episodes have; empty: those of episode_range (start,
    step and length; of length 0: any seeds); episodes_in_turns: in their order, not at random. first_env: the
    number of environment 0 among all_envs, those of all processes. whole_games: statistics are of whole
    games, if the environment has a score. action_chunk: actions of an environment in one call; 0: one,
    without that axis; chunk_rewards: fill the column of the rewards of their steps; chunk_trail: how many
    observations of steps before the last are kept. standing: whole answers are in one batch, which each
    overwrites. step_begins: the first step of an environment that was
    never reset resets it, with autoreset NextStep. cpus: where thread i may run, round and round; in place of
    thread_affinity_offset.
    """

    def __init__(self, **members: Any) -> None: ...

class WorkerConfig:
    """How the workers of a pool are started, and what they have to know. Checked in Python.

    step_timeout: seconds after which a step or reset is killed; 0: never. seed_bits: of a seed that is derived
    after a crash. handle_field: of environments written in Python, the field of INFO_HANDLE. Of processes,
    command: what they run; payload: an open descriptor that they read, which the pool copies. Of threads,
    start_thread: what begins one.
    """

    def __init__(
        self,
        *,
        workers: int,
        step_timeout: float = 0.0,
        seed_bits: int,
        handle_field: int = -1,
        command: Sequence[str] = (),
        payload: int = -1,
        start_thread: Callable[[SharedMemory, Callable[[str], None]], None] | None = None,
    ) -> None: ...

def env_ids(env_id: Any, *, num_envs: int) -> npt.NDArray[np.int32]:
    """The environments that `env_id` names (None: all), checked as calls of a pool check them; one that is
    named twice comes twice.
    """

class ActionChecker:
    """Checks actions and ids as a pool of these environments does, in the same words, without a pool.

    config: for num_envs, nan_action and out_of_bounds_action. Members are the arrays of an action, numbered in
    the order of `action_tree`.
    """

    def __init__(
        self,
        *,
        plugin: Plugin,
        env_id: str,
        options: dict[str, Any],
        config: PoolConfig,
        action_tree: Any,
    ) -> None: ...
    def ids(self, env_id: Any) -> npt.NDArray[np.int32]:
        """The environments that `env_id` names (None: all), each once."""

    def check(self, action: Any, ids: npt.NDArray[Any]) -> list[npt.NDArray[Any]]:
        """The members of a good action: rows of their fields' dtypes, in the order of `ids`, clipped where
        that is the policy. Where an environment is not to be stepped (nan_action="truncate") they are as they
        were given, for the pool that steps the others to find that too.
        """

    def members(self, action: Any) -> list[tuple[Any, np.dtype[Any]]]:
        """What is given for each member, unchecked, and the dtype of its field."""

    def array(self, member: int, value: Any, rows: int) -> npt.NDArray[Any]:
        """A member as an array of the right shape and kind of dtype; its values are not checked."""

    def expect(self, member: int, shape: Sequence[int], dtype: np.dtype[Any], rows: int) -> None:
        """Raises what `array` raises for an array of this shape and dtype."""

    @staticmethod
    def expect_ids(shape: Sequence[int], dtype: np.dtype[Any]) -> None:
        """Raises what `ids` raises for an array of this shape and dtype."""

def register_node(node: type[Node], kind: object) -> None:
    """Makes a class of nodes known to result trees. kind: see core/src/results/result_node.hpp."""

class ResultHandle:
    """A result that has not arrived yet, so that no signal loses it: core/src/results/pending_result.hpp."""

    @property
    def result(self) -> Any:
        """The result, which has arrived when this is read: once, in the method of a view that returns it.

        Until then the pool keeps it, and the next `recv` gives it again. In the main thread; elsewhere there
        are no signals.
        """

    def map(self, function: Callable[[Any], Any]) -> ResultHandle:
        """This handle, with function(result) as its result. If that raises, the pool keeps the result."""

class Pool:
    """The native pool. `step_tree` and `reset_tree` say what results look like.

    handles: whether `step`, `step_players`, `recv` and `reset` return a ResultHandle, not the result.
    keeps_latest: whether `latest` is wanted. read_failed: of which an EnvError has the value, of the result.
    """

    def __init__(
        self,
        *,
        plugin: Plugin,
        env_id: str | Sequence[str],
        options: Sequence[dict[str, Any]],
        config: PoolConfig,
        workers: WorkerConfig | None = None,
        step_tree: Tree,
        reset_tree: Tree,
        action_tree: Any,
        handles: bool = False,
        keeps_latest: bool = False,
        read_failed: Callable[[Any], Any] | None = None,
    ) -> None: ...
    def step(self, action: Any, env_id: Any = None, /) -> ResultHandle: ...
    def send(self, action: Any, env_id: Any = None, /) -> None: ...
    def step_players(
        self, action: Any, env_id: Any, player_env_id: Any, player_id: Any
    ) -> ResultHandle: ...
    def send_players(
        self, action: Any, env_id: Any, player_env_id: Any, player_id: Any
    ) -> None: ...
    def recv(self, timeout: float | None = None, /) -> ResultHandle: ...
    def reset(self, env_id: Any = None, seeds: Any = None, options: Any = None) -> ResultHandle: ...
    def send_reset(self, env_id: Any = None, seeds: Any = None, options: Any = None) -> None: ...
    def get_state(self, env_id: Any = None) -> list[bytes]: ...
    def set_state(self, env_id: Any, states: Sequence[bytes]) -> None: ...
    def clone(self, source: Sequence[int], env_id: Any) -> None: ...
    def simulate(
        self,
        states: Sequence[bytes],
        seeds: Sequence[int | None],
        actions: Sequence[npt.NDArray[Any]],
        count: int,
        horizon: int,
        leaves: Sequence[Node],
    ) -> tuple[Any, ...]:
        """Plays `count` sequences of actions, which are rows of each member as ActionChecker.array gives them.

        states: one for each, or one for all. seeds: one for each, or empty. Gives rewards, terminated,
        truncated, lengths, the last rows of the columns `leaves`, and the failures by sequence.
        """

    def keep_reset_options(self, options: Any, env_id: Any = None) -> None: ...
    def play_apart(self, apart: bool) -> None: ...
    def set_seed_weights(self, weights: Sequence[float]) -> None: ...
    def seed_next(self, env_id: Any, seeds: Sequence[int | None]) -> None: ...
    def render(self, env_id: Any = None) -> list[npt.NDArray[np.uint8]]: ...
    def describe_arrays(
        self, env_id: Any = None
    ) -> dict[str, tuple[np.dtype[Any], tuple[int, ...], bool]]: ...
    def read_array(self, name: str, env_id: Any = None) -> npt.NDArray[Any]: ...
    def write_array(self, name: str, values: npt.NDArray[Any], env_id: Any = None) -> None: ...
    def ask(self, question: bytes, env_id: Any = None, verb: str = "") -> list[bytes]:
        """What the worker processes of Python environments answer."""

    def action_checker(self) -> ActionChecker: ...
    def columns(self, leaves: Sequence[Node]) -> list[tuple[np.dtype[Any], tuple[int, ...]]]:
        """dtype and shape of a row of each of these columns."""

    def xla(
        self, step: Sequence[Node], reset: Sequence[Node], signature: str
    ) -> tuple[int, int, int, int]:
        """The handle for the next call of a program.

        The first time, these are the columns that a program's step and reset give, and the signature of this
        pool (core/src/xla/signature.hpp).
        """

    def block(self, address: int, lend: Callable[[int, int], Any]) -> tuple[int, int, Any] | None:
        """Where the block of results that holds this address begins, its bytes, and its lease: the first time
        what lend(begin, bytes) gives, which is let go of before the block is freed. None: no result is there.
        """

    def check_usable(self) -> None:
        """Raises ForkedPoolError or ClosedPoolError where the pool is of another process, or closed."""

    def close(self) -> None: ...
    def stats(self) -> dict[str, Any]: ...
    latest: Any
    """The last result, if it has a row of each environment, as the tree has it; else None."""
    @property
    def num_threads(self) -> int: ...
    @property
    def own_threads(self) -> int:
        """Living threads that were started for this pool alone."""

    @property
    def threads(self) -> ThreadPool:
        """Its threads, for a pool that lives no longer than this one."""

    @property
    def spare_envs(self) -> int:
        """How many environments that other pool needs to occupy them with `simulate`."""

    @property
    def is_async(self) -> bool: ...
    @property
    def closed(self) -> bool: ...

def xla_targets() -> dict[tuple[str, str], Any]:
    """Handlers of XLA's FFI (core/src/xla/calls.hpp) by platform and name, in capsules."""

class XlaTurn:
    """A call that Python makes in a program's place. Raises as the call would if it is not its turn."""

    def __init__(self, handle: Sequence[int], signature: str) -> None: ...
    def done(self) -> None:
        """The handle is used up."""

    def next(self) -> tuple[int, int, int, int]:
        """The handle for the call after this one."""

    def end(self) -> None: ...

WORKER_PROCESSES: bool

class SharedMemory:
    """What a pool has in common with one worker. fd: that of a worker process, which it takes over."""

    def __init__(self, fd: int) -> None: ...

class Mailbox:
    """A worker's end of the memory it shares with its pool (host/workers/mailbox.hpp)."""

    def __init__(self, memory: SharedMemory) -> None: ...
    def next(self) -> tuple[int, int, int, int, int, bytes]:
        """Waits for a call: op, shard, first environment of the shard, first, count, text."""

    def answer_text(self, text: bytes) -> None:
        """Ends a successful call that returns no records."""

    def answer(self, status: int, records: list[tuple[int, int, bytes]]) -> None:
        """Ends the call; records of (kind, lane, bytes)."""

    def column(self, field: int, dtype: np.dtype[Any], shape: tuple[int, ...]) -> npt.NDArray[Any]:
        """The shared rows of a field, of all lanes for each plane: [planes * capacity, *shape]."""

    def kind(self) -> npt.NDArray[np.uint8]: ...
    def steps(self) -> npt.NDArray[np.uint32]:
        """Of a step's lane: how many steps it may make, then how many it made."""

    @property
    def chunk(self) -> int:
        """The most steps of a lane in one call."""

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
def _play(
    plugin: Plugin,
    env_id: str,
    options: dict[str, Any],
    actions: Sequence[npt.NDArray[Any]],
    roles: Sequence[Sequence[int]],
    calls: int,
    seconds: float,
    limit: int,
    one_by_one: bool,
    memory: int,
    stack: int,
    fill: int,
    times: int,
    cut: int,
    look: int,
) -> list[tuple[npt.NDArray[np.uint64], list[str]]]: ...
