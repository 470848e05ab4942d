# The make functions as editors and type checkers see them. Written by tools/signatures.py.
# fmt: off

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol, TypeVar, overload

from gymnasium.vector import AutoresetMode

from parallel_pool.ids import Ids
from parallel_pool.threads.thread_pool import ThreadPool
from parallel_pool.views.dm import DmPool
from parallel_pool.views.gym import GymPool
from parallel_pool.views.gymnasium import GymnasiumPool
from parallel_pool.views.pool_spec import PoolSpec

ENV_TYPES: tuple[str, ...]

_Made = TypeVar("_Made", covariant=True)

class _Make(Protocol[_Made]):
    """The arguments of all pools; further ones are options of the environment: `parallel-pool info ID`."""

    def __call__(
        self, task_id: Ids, *,
        num_envs: int = 1, batch_size: int | None = None, batch_order: str = "first",
        num_threads: int | None = None, thread_affinity_offset: int = -1,
        thread_affinity: Sequence[int] | None = None, numa_node: int | None = None,
        thread_pool: ThreadPool | None = None, seed: Any = None,
        episode_seeds: Sequence[int] | None = None, episode_order: str = "random",
        rank: int | Literal["torchrun"] | None = None, world_size: int | None = None,
        max_episode_steps: int | None = None, reward_threshold: float | None = None,
        gym_reset_return_info: bool | None = None, render_mode: str | None = None,
        render_env_id: int = 0, render_width: int = 0, render_height: int = 0,
        render_camera_id: int = -1, render_camera_name: str | None = None,
        autoreset_mode: str | AutoresetMode | None = None, episode_statistics: bool | str | None = None,
        infos: str = "all", texts: str = "str", copy: bool = True, transform: Mapping[str,
        Any] | None = None, output: str = "numpy", device: str | None = None,
        isolation: str | None = None, env_options: Any = None, nan_action: str = "raise",
        out_of_bounds_action: str = "pass", action_chunk: int | None = None,
        chunk_rewards: bool = False, check_obs: str = "error", seed_globals: bool | None = None,
        step_timeout: float | None = None, memory_check: bool = True, **options: Any
    ) -> _Made: ...

@overload
def make(task_id: Ids, env_type: Literal["gym"], **arguments: Any) -> GymPool: ...
@overload
def make(task_id: Ids, env_type: Literal["dm"], **arguments: Any) -> DmPool: ...
@overload
def make(
        task_id: Ids, env_type: Literal["gymnasium"] = "gymnasium", *,
        num_envs: int = 1, batch_size: int | None = None, batch_order: str = "first",
        num_threads: int | None = None, thread_affinity_offset: int = -1,
        thread_affinity: Sequence[int] | None = None, numa_node: int | None = None,
        thread_pool: ThreadPool | None = None, seed: Any = None,
        episode_seeds: Sequence[int] | None = None, episode_order: str = "random",
        rank: int | Literal["torchrun"] | None = None, world_size: int | None = None,
        max_episode_steps: int | None = None, reward_threshold: float | None = None,
        gym_reset_return_info: bool | None = None, render_mode: str | None = None,
        render_env_id: int = 0, render_width: int = 0, render_height: int = 0,
        render_camera_id: int = -1, render_camera_name: str | None = None,
        autoreset_mode: str | AutoresetMode | None = None, episode_statistics: bool | str | None = None,
        infos: str = "all", texts: str = "str", copy: bool = True, transform: Mapping[str,
        Any] | None = None, output: str = "numpy", device: str | None = None,
        isolation: str | None = None, env_options: Any = None, nan_action: str = "raise",
        out_of_bounds_action: str = "pass", action_chunk: int | None = None,
        chunk_rewards: bool = False, check_obs: str = "error", seed_globals: bool | None = None,
        step_timeout: float | None = None, memory_check: bool = True, **options: Any
) -> GymnasiumPool: ...
@overload
def make(task_id: Ids, env_type: str, **arguments: Any) -> Any: ...

make_gymnasium: _Make[GymnasiumPool]
make_gym: _Make[GymPool]
make_dm: _Make[DmPool]
make_spec: _Make[PoolSpec]
