"""The make functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

from parallel_pool.errors import OptionError

if TYPE_CHECKING:
    from parallel_pool.views.dm import DmPool
    from parallel_pool.views.gym import GymPool
    from parallel_pool.views.gymnasium import GymnasiumPool
    from parallel_pool.views.pool_spec import PoolSpec

ENV_TYPES = ("gymnasium", "gym", "dm")


@overload
def make(task_id: str | Sequence[str], env_type: Literal["gym"], **arguments: Any) -> GymPool: ...
@overload
def make(task_id: str | Sequence[str], env_type: Literal["dm"], **arguments: Any) -> DmPool: ...
@overload
def make(
    task_id: str | Sequence[str], env_type: Literal["gymnasium"] = "gymnasium", **arguments: Any
) -> GymnasiumPool: ...
@overload
def make(task_id: str | Sequence[str], env_type: str, **arguments: Any) -> Any: ...
def make(task_id: str | Sequence[str], env_type: str = "gymnasium", **arguments: Any) -> Any:
    """A pool of environments.

    Args:
        task_id: "atari/Pong-v5", or "Pong-v5" where only one plugin has it; or one per environment, of
            the same native environment: ["Pong-v5", "Breakout-v5"] with full_action_space=True;
            "gym:LunarLander-v3" for an environment of Gymnasium's own registry, in workers.
        env_type: "gymnasium" (a `gymnasium.vector.VectorEnv`), "gym" (spaces of one environment,
            `reset()` gives the observation alone, float32 rewards; see `parallel_pool.envpool` for EnvPool's
            own interface) or "dm" (dm_env).
        **arguments: `num_envs` (1), `batch_size` (num_envs; fewer makes the pool asynchronous),
            `num_threads` (as many as can run), `thread_pool` (a ThreadPool: threads shared with other
            pools), `thread_affinity` (CPU numbers), `thread_affinity_offset` (-1: not pinned),
            `numa_node` (run and build there), `seed` (entropy; int i gives environment k the seed
            i + k; or one per environment), `rank` and `world_size` (of several processes with such pools;
            rank="torchrun": as it says), `env_options` (options that differ: one dict per
            environment, or one dict of lists),
            `max_episode_steps`, `reward_threshold`, `autoreset_mode` ("NextStep", "SameStep" or
            "Disabled"), `episode_statistics` (True: return and length in `info["episode"]`), `nan_action`
            and `out_of_bounds_action` (of continuous actions), `isolation` ("process": in worker
            processes; of Python environments "thread" too), `step_timeout` (seconds), and the
            environment's own options: `parallel-pool info ID` lists them.

    Raises:
        UnknownEnvError, AmbiguousEnvError: no or several environments have this id.
        OptionError: an argument is of the wrong type or out of range; UnknownArgumentError, which is also a
            TypeError: there is no such argument.
        PluginError: the plugin's library is missing, damaged or of another ABI.
        EnvBuildError: an environment could not be built.
    """
    if env_type == "gymnasium":
        return make_gymnasium(task_id, **arguments)
    if env_type == "gym":
        return make_gym(task_id, **arguments)
    if env_type == "dm":
        return make_dm(task_id, **arguments)
    raise OptionError(f"env_type is {env_type!r}, expected one of {', '.join(ENV_TYPES)}")


def make_gymnasium(task_id: str | Sequence[str], **arguments: Any) -> GymnasiumPool:
    """`make` with env_type "gymnasium"."""
    from parallel_pool.configure import make_config
    from parallel_pool.views.gymnasium import GymnasiumPool

    return GymnasiumPool(make_config(task_id, arguments))


def make_gym(task_id: str | Sequence[str], **arguments: Any) -> GymPool:
    """`make` with env_type "gym"."""
    from parallel_pool.configure import (
        in_envpools_layout_ids,
        make_config,
        with_envpools_options,
    )
    from parallel_pool.views.gym import GymPool

    arguments = dict(with_envpools_options(task_id, arguments))
    return GymPool(make_config(in_envpools_layout_ids(task_id), arguments))


def make_dm(task_id: str | Sequence[str], **arguments: Any) -> DmPool:
    """`make` with env_type "dm"."""
    from parallel_pool.configure import in_envpools_layout_ids, make_config
    from parallel_pool.views.dm import DmPool

    return DmPool(make_config(in_envpools_layout_ids(task_id), arguments))


def make_spec(task_id: str | Sequence[str], **arguments: Any) -> PoolSpec:
    """What `make` with these arguments would build: spaces, specs, config. Builds no environment."""
    from parallel_pool.configure import make_config
    from parallel_pool.views.pool_spec import PoolSpec

    return PoolSpec(make_config(task_id, arguments))
