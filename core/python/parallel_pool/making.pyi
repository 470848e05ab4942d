# The make functions as editors and type checkers see them. Written by tools/signatures.py.
# fmt: off

from collections.abc import Mapping, Sequence
from typing import Any, Literal, overload

from gymnasium.vector import AutoresetMode

from parallel_pool.threads.thread_pool import ThreadPool
from parallel_pool.views.dm import DmPool
from parallel_pool.views.gym import GymPool
from parallel_pool.views.gymnasium import GymnasiumPool
from parallel_pool.views.pool_spec import PoolSpec

ENV_TYPES: tuple[str, ...]

@overload
def make(
    task_id: str | Sequence[str], env_type: Literal["gym"], *, num_envs: int = 1,
    batch_size: int | None = None, batch_order: str = "first", num_threads: int | None = None,
    thread_affinity_offset: int = -1, thread_affinity: Sequence[int] | None = None,
    numa_node: int | None = None, thread_pool: ThreadPool | None = None, seed: Any = None,
    rank: int | Literal["torchrun"] | None = None, world_size: int | None = None,
    max_episode_steps: int | None = None, reward_threshold: float | None = None,
    gym_reset_return_info: bool | None = None, render_mode: str | None = None,
    render_env_id: int = 0, render_width: int = 0, render_height: int = 0,
    render_camera_id: int = -1, render_camera_name: str | None = None,
    autoreset_mode: str | AutoresetMode | None = None, episode_statistics: bool | None = None,
    infos: str = "all", texts: str = "str", transform: Mapping[str, Any] | None = None,
    output: str = "numpy", isolation: str | None = None, env_options: Any = None,
    nan_action: str = "raise", out_of_bounds_action: str = "pass", check_obs: str = "error",
    step_timeout: float | None = None, **options: Any
) -> GymPool: ...

@overload
def make(
    task_id: str | Sequence[str], env_type: Literal["dm"], *, num_envs: int = 1,
    batch_size: int | None = None, batch_order: str = "first", num_threads: int | None = None,
    thread_affinity_offset: int = -1, thread_affinity: Sequence[int] | None = None,
    numa_node: int | None = None, thread_pool: ThreadPool | None = None, seed: Any = None,
    rank: int | Literal["torchrun"] | None = None, world_size: int | None = None,
    max_episode_steps: int | None = None, reward_threshold: float | None = None,
    gym_reset_return_info: bool | None = None, render_mode: str | None = None,
    render_env_id: int = 0, render_width: int = 0, render_height: int = 0,
    render_camera_id: int = -1, render_camera_name: str | None = None,
    autoreset_mode: str | AutoresetMode | None = None, episode_statistics: bool | None = None,
    infos: str = "all", texts: str = "str", transform: Mapping[str, Any] | None = None,
    output: str = "numpy", isolation: str | None = None, env_options: Any = None,
    nan_action: str = "raise", out_of_bounds_action: str = "pass", check_obs: str = "error",
    step_timeout: float | None = None, **options: Any
) -> DmPool: ...

@overload
def make(
    task_id: str | Sequence[str], env_type: Literal["gymnasium"] = "gymnasium", *,
    num_envs: int = 1, batch_size: int | None = None, batch_order: str = "first",
    num_threads: int | None = None, thread_affinity_offset: int = -1,
    thread_affinity: Sequence[int] | None = None, numa_node: int | None = None,
    thread_pool: ThreadPool | None = None, seed: Any = None,
    rank: int | Literal["torchrun"] | None = None, world_size: int | None = None,
    max_episode_steps: int | None = None, reward_threshold: float | None = None,
    gym_reset_return_info: bool | None = None, render_mode: str | None = None,
    render_env_id: int = 0, render_width: int = 0, render_height: int = 0,
    render_camera_id: int = -1, render_camera_name: str | None = None,
    autoreset_mode: str | AutoresetMode | None = None, episode_statistics: bool | None = None,
    infos: str = "all", texts: str = "str", transform: Mapping[str, Any] | None = None,
    output: str = "numpy", isolation: str | None = None, env_options: Any = None,
    nan_action: str = "raise", out_of_bounds_action: str = "pass", check_obs: str = "error",
    step_timeout: float | None = None, **options: Any
) -> GymnasiumPool: ...

@overload
def make(
    task_id: str | Sequence[str], env_type: str, *, num_envs: int = 1,
    batch_size: int | None = None, batch_order: str = "first", num_threads: int | None = None,
    thread_affinity_offset: int = -1, thread_affinity: Sequence[int] | None = None,
    numa_node: int | None = None, thread_pool: ThreadPool | None = None, seed: Any = None,
    rank: int | Literal["torchrun"] | None = None, world_size: int | None = None,
    max_episode_steps: int | None = None, reward_threshold: float | None = None,
    gym_reset_return_info: bool | None = None, render_mode: str | None = None,
    render_env_id: int = 0, render_width: int = 0, render_height: int = 0,
    render_camera_id: int = -1, render_camera_name: str | None = None,
    autoreset_mode: str | AutoresetMode | None = None, episode_statistics: bool | None = None,
    infos: str = "all", texts: str = "str", transform: Mapping[str, Any] | None = None,
    output: str = "numpy", isolation: str | None = None, env_options: Any = None,
    nan_action: str = "raise", out_of_bounds_action: str = "pass", check_obs: str = "error",
    step_timeout: float | None = None, **options: Any
) -> Any: ...

def make_gymnasium(
    task_id: str | Sequence[str], *, num_envs: int = 1, batch_size: int | None = None,
    batch_order: str = "first", num_threads: int | None = None, thread_affinity_offset: int = -1,
    thread_affinity: Sequence[int] | None = None, numa_node: int | None = None,
    thread_pool: ThreadPool | None = None, seed: Any = None,
    rank: int | Literal["torchrun"] | None = None, world_size: int | None = None,
    max_episode_steps: int | None = None, reward_threshold: float | None = None,
    gym_reset_return_info: bool | None = None, render_mode: str | None = None,
    render_env_id: int = 0, render_width: int = 0, render_height: int = 0,
    render_camera_id: int = -1, render_camera_name: str | None = None,
    autoreset_mode: str | AutoresetMode | None = None, episode_statistics: bool | None = None,
    infos: str = "all", texts: str = "str", transform: Mapping[str, Any] | None = None,
    output: str = "numpy", isolation: str | None = None, env_options: Any = None,
    nan_action: str = "raise", out_of_bounds_action: str = "pass", check_obs: str = "error",
    step_timeout: float | None = None, **options: Any
) -> GymnasiumPool: ...

def make_gym(
    task_id: str | Sequence[str], *, num_envs: int = 1, batch_size: int | None = None,
    batch_order: str = "first", num_threads: int | None = None, thread_affinity_offset: int = -1,
    thread_affinity: Sequence[int] | None = None, numa_node: int | None = None,
    thread_pool: ThreadPool | None = None, seed: Any = None,
    rank: int | Literal["torchrun"] | None = None, world_size: int | None = None,
    max_episode_steps: int | None = None, reward_threshold: float | None = None,
    gym_reset_return_info: bool | None = None, render_mode: str | None = None,
    render_env_id: int = 0, render_width: int = 0, render_height: int = 0,
    render_camera_id: int = -1, render_camera_name: str | None = None,
    autoreset_mode: str | AutoresetMode | None = None, episode_statistics: bool | None = None,
    infos: str = "all", texts: str = "str", transform: Mapping[str, Any] | None = None,
    output: str = "numpy", isolation: str | None = None, env_options: Any = None,
    nan_action: str = "raise", out_of_bounds_action: str = "pass", check_obs: str = "error",
    step_timeout: float | None = None, **options: Any
) -> GymPool: ...

def make_dm(
    task_id: str | Sequence[str], *, num_envs: int = 1, batch_size: int | None = None,
    batch_order: str = "first", num_threads: int | None = None, thread_affinity_offset: int = -1,
    thread_affinity: Sequence[int] | None = None, numa_node: int | None = None,
    thread_pool: ThreadPool | None = None, seed: Any = None,
    rank: int | Literal["torchrun"] | None = None, world_size: int | None = None,
    max_episode_steps: int | None = None, reward_threshold: float | None = None,
    gym_reset_return_info: bool | None = None, render_mode: str | None = None,
    render_env_id: int = 0, render_width: int = 0, render_height: int = 0,
    render_camera_id: int = -1, render_camera_name: str | None = None,
    autoreset_mode: str | AutoresetMode | None = None, episode_statistics: bool | None = None,
    infos: str = "all", texts: str = "str", transform: Mapping[str, Any] | None = None,
    output: str = "numpy", isolation: str | None = None, env_options: Any = None,
    nan_action: str = "raise", out_of_bounds_action: str = "pass", check_obs: str = "error",
    step_timeout: float | None = None, **options: Any
) -> DmPool: ...

def make_spec(
    task_id: str | Sequence[str], *, num_envs: int = 1, batch_size: int | None = None,
    batch_order: str = "first", num_threads: int | None = None, thread_affinity_offset: int = -1,
    thread_affinity: Sequence[int] | None = None, numa_node: int | None = None,
    thread_pool: ThreadPool | None = None, seed: Any = None,
    rank: int | Literal["torchrun"] | None = None, world_size: int | None = None,
    max_episode_steps: int | None = None, reward_threshold: float | None = None,
    gym_reset_return_info: bool | None = None, render_mode: str | None = None,
    render_env_id: int = 0, render_width: int = 0, render_height: int = 0,
    render_camera_id: int = -1, render_camera_name: str | None = None,
    autoreset_mode: str | AutoresetMode | None = None, episode_statistics: bool | None = None,
    infos: str = "all", texts: str = "str", transform: Mapping[str, Any] | None = None,
    output: str = "numpy", isolation: str | None = None, env_options: Any = None,
    nan_action: str = "raise", out_of_bounds_action: str = "pass", check_obs: str = "error",
    step_timeout: float | None = None, **options: Any
) -> PoolSpec: ...
