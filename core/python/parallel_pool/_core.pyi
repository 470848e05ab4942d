"""The native core of ParallelPool (core/src)."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

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
    """A loaded plugin library. Loading the same file twice gives the same library."""

    def __init__(self, path: str) -> None: ...
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
        """summary, preferred_lanes, options and reset_options: name, kind, default, doc, low, high, choices."""

    def describe(self, env_id: str, options: dict[str, Any]) -> dict[str, Any]:
        """fields (see fields.Field), max_players, max_episode_steps, reward_threshold."""

class Pool:
    """The native pool. `step_plan` and `reset_plan` say what results look like (see results.hpp)."""

    def __init__(
        self,
        *,
        plugin: Plugin,
        env_id: str,
        options: Sequence[dict[str, Any]],
        num_envs: int,
        batch_size: int,
        num_threads: int,
        thread_affinity_offset: int,
        max_episode_steps: int,
        autoreset: str,
        seeds: Sequence[int],
        reward32: bool,
        dm_columns: bool,
        statistics: bool,
        flat_players: bool = False,
        step_plan: Any,
        reset_plan: Any,
        action_tree: Any,
        cpus: Sequence[Sequence[int]] = ...,
        thread_pool: ThreadPool | None = None,
        nan_action: str = "raise",
        out_of_bounds_action: str = "pass",
        step_timeout: float = 0.0,
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

def _check_head(plugin: Plugin, host_major: int, host_minor: int) -> None: ...
def _probe_rows(
    plugin: Plugin,
    env_id: str,
    options: dict[str, Any],
    lanes: int,
    actions: Sequence[npt.NDArray[Any]],
) -> list[str]: ...
def _probe_lifetime(
    plugin: Plugin,
    env_id: str,
    options: dict[str, Any],
    lanes: int,
    actions: Sequence[npt.NDArray[Any]],
    times: int,
) -> list[str]: ...
def _allocated_bytes() -> int: ...
