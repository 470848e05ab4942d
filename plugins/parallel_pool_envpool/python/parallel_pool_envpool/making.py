"""EnvPool's make functions."""

from __future__ import annotations

from typing import Any, Literal, overload

from parallel_pool.pool_api import registry

from parallel_pool_envpool.dm_pool import DMEnvPool
from parallel_pool_envpool.errors import BadArgumentError, asserting
from parallel_pool_envpool.gymnasium_pool import GymnasiumEnvPool
from parallel_pool_envpool.registered import find, registered_ids
from parallel_pool_envpool.spec import EnvSpec, spec_class


@overload
def make(task_id: str, env_type: Literal["dm"], **kwargs: Any) -> DMEnvPool: ...
@overload
def make(
    task_id: str, env_type: Literal["gym", "gymnasium"], **kwargs: Any
) -> GymnasiumEnvPool: ...
@overload
def make(task_id: str, env_type: str, **kwargs: Any) -> DMEnvPool | GymnasiumEnvPool: ...
def make(task_id: str, env_type: str, **kwargs: Any) -> DMEnvPool | GymnasiumEnvPool:
    """A pool: env_type "gym" and "gymnasium" are the same, "dm" has dm_env's interface.

    kwargs: EnvPool's (`num_envs`, `batch_size`, `seed` (42), `env_seed`, `render_mode`, ...), the
    environment's own options, and the other arguments of `parallel_pool.make`.

    Raises what `parallel_pool.make` raises. UnknownEnvError and OptionError are AssertionErrors too, an
    unknown argument is a TypeError.
    """
    if env_type == "dm":
        return make_dm(task_id, **kwargs)
    if env_type in ("gym", "gymnasium"):
        return make_gymnasium(task_id, **kwargs)
    raise BadArgumentError(f"env_type is {env_type!r}, expected 'dm', 'gym' or 'gymnasium'")


def make_dm(task_id: str, **kwargs: Any) -> DMEnvPool:
    """`make` with env_type "dm"."""
    entry = find(task_id)
    if entry is not None:
        made: DMEnvPool = entry.make("dm", kwargs)
        return made
    spec = spec_class(task_id)(kwargs)
    with asserting():
        return DMEnvPool(spec)


def make_gymnasium(task_id: str, **kwargs: Any) -> GymnasiumEnvPool:
    """`make` with env_type "gymnasium"."""
    entry = find(task_id)
    if entry is not None:
        made: GymnasiumEnvPool = entry.make("gymnasium", kwargs)
        return made
    if kwargs.get("gym_reset_return_info", True) is not True:
        raise BadArgumentError(
            f"{task_id}: gym_reset_return_info=False is the interface of gym before 0.26, which is "
            "parallel_pool.envpool.legacy"
        )
    spec = spec_class(task_id)(kwargs)
    with asserting():
        return GymnasiumEnvPool(spec)


def make_gym(task_id: str, **kwargs: Any) -> GymnasiumEnvPool:
    """Does the same as `make_gymnasium`."""
    return make_gymnasium(task_id, **kwargs)


def make_spec(task_id: str, **kwargs: Any) -> EnvSpec:
    """The spec of what `make` with these arguments would build. Builds no environment."""
    entry = find(task_id)
    if entry is not None:
        made: EnvSpec = entry.make_spec(kwargs)
        return made
    return spec_class(task_id)(kwargs)


def list_all_envs() -> list[str]:
    """Every id for `make`, as EnvPool writes ids: without the family, aliases included."""
    return [*registry().short_ids(), *registered_ids()]
