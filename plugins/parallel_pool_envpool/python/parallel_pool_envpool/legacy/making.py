"""The make functions of EnvPool up to 0.8."""

from __future__ import annotations

from typing import Any, Literal, overload

from parallel_pool_envpool import making as current
from parallel_pool_envpool.dm_pool import DMEnvPool
from parallel_pool_envpool.errors import BadArgumentError, asserting
from parallel_pool_envpool.gymnasium_pool import GymnasiumEnvPool
from parallel_pool_envpool.legacy.pool import GymEnvPool
from parallel_pool_envpool.legacy.spaces import with_users_spaces
from parallel_pool_envpool.making import make_dm, make_gymnasium
from parallel_pool_envpool.registered import Entry, enter, find
from parallel_pool_envpool.spec import EnvSpec, spec_class


@overload
def make(task_id: str, env_type: Literal["gym"], **kwargs: Any) -> GymEnvPool: ...
@overload
def make(task_id: str, env_type: Literal["gymnasium"], **kwargs: Any) -> GymnasiumEnvPool: ...
@overload
def make(task_id: str, env_type: Literal["dm"], **kwargs: Any) -> DMEnvPool: ...
@overload
def make(task_id: str, env_type: str, **kwargs: Any) -> Any: ...
def make(task_id: str, env_type: str, **kwargs: Any) -> Any:
    """A pool: env_type "gym" has gym's old interface, "gymnasium" and "dm" those of `parallel_pool.envpool`.

    Raises what `parallel_pool.envpool.make` raises.
    """
    if env_type == "gym":
        return make_gym(task_id, **kwargs)
    if env_type == "gymnasium":
        return make_gymnasium(task_id, **kwargs)
    if env_type == "dm":
        return make_dm(task_id, **kwargs)
    raise BadArgumentError(f"env_type is {env_type!r}, expected 'gym', 'gymnasium' or 'dm'")


def make_gym(task_id: str, **kwargs: Any) -> GymEnvPool:
    """`make` with env_type "gym". With gym_reset_return_info=True `reset` returns (obs, info)."""
    entry = find(task_id)
    if entry is not None:
        made: GymEnvPool = entry.make("gym", kwargs)
        return made
    spec = spec_class(task_id)({"gym_reset_return_info": False, **kwargs})
    with asserting():
        return GymEnvPool(spec)


def make_spec(task_id: str, **kwargs: Any) -> EnvSpec:
    """The spec of what `make` with these arguments would build. Builds no environment."""
    return with_users_spaces(current.make_spec(task_id, **kwargs))


def register(
    task_id: str,
    import_path: str,
    spec_cls: str,
    dm_cls: str,
    gym_cls: str,
    gymnasium_cls: str | None = None,
    **default_config: Any,
) -> None:
    """See `parallel_pool.envpool.register`; takes a class for each of three interfaces. EnvPool 0.6 has two."""
    classes = {"dm": dm_cls, "gym": gym_cls, "gymnasium": gymnasium_cls or gym_cls}
    enter((task_id,), Entry(import_path, spec_cls, classes, default_config))
