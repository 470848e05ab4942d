"""The make functions. Type checkers read making.pyi."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from parallel_pool.config.arguments import ARGUMENTS
from parallel_pool.errors import OptionError
from parallel_pool.imports.undisturbed import import_undisturbed

if TYPE_CHECKING:
    from parallel_pool.ids import Ids
    from parallel_pool.views.dm import DmPool
    from parallel_pool.views.gym import GymPool
    from parallel_pool.views.gymnasium import GymnasiumPool
    from parallel_pool.views.pool_spec import PoolSpec

ENV_TYPES = ("gymnasium", "gym", "dm")


@cache
def _import_parts(view: str) -> None:
    """Imports what a pool is made of, once, so that a signal handler leaves nothing half imported."""
    import_undisturbed("parallel_pool.configure", f"parallel_pool.views.{view}", "cloudpickle")


def make(task_id: Ids, env_type: str = "gymnasium", **arguments: Any) -> Any:
    """Makes a pool: environments that are stepped together.

    Args:
        task_id: "atari/Pong-v5", or "Pong-v5" if only one plugin has that name. A list with one id per
            environment makes a mixed pool: ["Pong-v5", "Breakout-v5"] with full_action_space=True.
            "gym:LunarLander-v3" is an environment of Gymnasium's own registry, stepped in workers. An object of
            a plugin that has a `parallel_pool_id()` stands for that id.
        env_type: "gymnasium" (a `gymnasium.vector.VectorEnv`), "gym" (spaces of one environment,
            `reset()` returns the observation only, float32 rewards; EnvPool's exact interface is
            `parallel_pool.envpool`) or "dm" (dm_env).
        **arguments: those of all pools, which docs/pool.md describes: `num_envs` (default 1), `batch_size`
            (default num_envs; fewer makes the pool asynchronous), `num_threads` (default: as many as can run),
            `seed` (default random; an int s gives environment i the seed s + i; or one int per environment),
            `autoreset_mode` ("NextStep", "SameStep" or "Disabled"), and so on; and the environment's own
            options, which `parallel-pool info ID` lists.

    Raises:
        UnknownEnvError, AmbiguousEnvError: no environment, or several, have this id.
        OptionError: an argument has the wrong type or is out of range.
        UnknownArgumentError: an argument does not exist; an OptionError and a TypeError.
        PluginError: the plugin's library is missing, damaged or of another ABI.
        EnvBuildError: an environment could not be built.
    """
    if env_type == "gymnasium":
        return make_gymnasium(task_id, **arguments)
    if env_type == "gym":
        return make_gym(task_id, **arguments)
    if env_type == "dm":
        return make_dm(task_id, **arguments)
    meant = (
        "" if isinstance(env_type, str) else f"; a number of environments is num_envs={env_type!r}"
    )
    raise OptionError(f"env_type is {env_type!r}, expected one of {', '.join(ENV_TYPES)}{meant}")


def make_gymnasium(task_id: Ids, **arguments: Any) -> GymnasiumPool:
    """As `make` with env_type "gymnasium": a `gymnasium.vector.VectorEnv`."""
    _import_parts("gymnasium")
    from parallel_pool.configure import explaining_memory, make_config
    from parallel_pool.views.gymnasium import GymnasiumPool

    with explaining_memory():
        return GymnasiumPool(make_config(task_id, arguments))


def make_gym(task_id: Ids, **arguments: Any) -> GymPool:
    """As `make` with env_type "gym": spaces of one environment, plain infos, float32 rewards."""
    _import_parts("gym")
    from parallel_pool.configure import explaining_memory, make_config
    from parallel_pool.views.gym import GymPool

    with explaining_memory():
        keys = attrgetter("envpool_options")
        return GymPool(make_config(task_id, arguments, defaults=keys, envpools_layout=True))


def make_dm(task_id: Ids, **arguments: Any) -> DmPool:
    """As `make` with env_type "dm": a `dm_env.Environment` with one row per environment in TimeSteps."""
    _import_parts("dm")
    from parallel_pool.configure import explaining_memory, make_config
    from parallel_pool.views.dm import DmPool

    with explaining_memory():
        return DmPool(make_config(task_id, arguments, envpools_layout=True))


def make_spec(task_id: Ids, **arguments: Any) -> PoolSpec:
    """Describes the pool that `make` with these arguments would build: spaces, specs and config.

    Builds no environment, and loads no plugin whose index says enough. Raises what `make` raises, except
    EnvBuildError.
    """
    _import_parts("pool_spec")
    from parallel_pool.configure import make_config
    from parallel_pool.views.pool_spec import PoolSpec

    return PoolSpec(make_config(task_id, arguments, by_index=True))


def _signature(function: Callable[..., Any]) -> inspect.Signature:
    """The arguments of all pools by name, and `**options`: what `help` and completion show."""
    found = inspect.signature(function)
    own = list(found.parameters.values())[:-1]
    kind = inspect.Parameter.KEYWORD_ONLY
    pools = [
        inspect.Parameter(each.name, kind, default=each.default) for each in ARGUMENTS if each.doc
    ]
    options = inspect.Parameter("options", inspect.Parameter.VAR_KEYWORD, annotation="Any")
    return found.replace(parameters=[*own, *pools, options])


for _function in (make, make_gymnasium, make_gym, make_dm, make_spec):
    vars(_function)["__signature__"] = _signature(_function)
