"""From a task id and keyword arguments to everything that is needed to build a pool, without building it."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

from parallel_pool import _core
from parallel_pool.agreement import common_fields, common_limit, common_threshold
from parallel_pool.cpu_budget import share_of_cpus, warn_of_many_threads
from parallel_pool.env_options import Mixture, mix, rows_of
from parallel_pool.errors import OptionError
from parallel_pool.fields import Field
from parallel_pool.options import Declaration, check_options
from parallel_pool.pixels import Pixels, pixels_of
from parallel_pool.placement import thread_cpus
from parallel_pool.players import is_multi_player
from parallel_pool.registry import registry
from parallel_pool.rendering import check_render_arguments
from parallel_pool.seeds import first_seeds
from parallel_pool.thread_pool import ThreadPool, cpus_of

if TYPE_CHECKING:
    from parallel_pool.plugin_api import EnvSpec
    from parallel_pool.python_envs.description import PythonEnv

COMMON_DEFAULTS: dict[str, Any] = {
    "num_envs": 1,
    "batch_size": None,
    "num_threads": None,
    "thread_affinity_offset": -1,
    "thread_affinity": None,
    "numa_node": None,
    "thread_pool": None,
    "seed": None,
    "max_episode_steps": None,
    "reward_threshold": None,
    "max_num_players": 1,
    "gym_reset_return_info": True,
    "render_mode": None,
    "render_env_id": 0,
    "render_width": 0,
    "render_height": 0,
    "render_camera_id": -1,
    "render_camera_name": None,
    "autoreset_mode": None,
    "episode_statistics": None,
    "isolation": None,
    "env_options": None,
    "nan_action": "raise",
    "out_of_bounds_action": "pass",
    "step_timeout": None,
}
"""Keyword arguments that every environment takes; the names are EnvPool's and Gymnasium's."""

GYMNASIUM_PREFIX = "gym:"
"""Before an id of Gymnasium's registry."""

AUTORESET_MODES = ("NextStep", "SameStep", "Disabled")
"""Gymnasium's; the first is the default."""

ACTION_POLICIES = {
    "nan_action": ("raise", "clip", "truncate"),
    "out_of_bounds_action": ("pass", "raise", "clip"),
}
"""What may happen to continuous actions that are not finite, or not within their Box."""


@dataclass(frozen=True)
class Recipe:
    """Checked: a pool built from it can only fail where the environment itself does."""

    env: EnvSpec
    """Of the first environment; of all of them, unless several ids were given."""
    task_id: str | list[str]
    """The canonical id, or one per environment where several were given."""
    mixture: Mixture
    """How each environment is to be built."""
    plugin: _core.Plugin
    cpus: list[list[int]]
    """Where the pool's own threads may run: see `placement.thread_cpus`."""
    config: dict[str, Any]
    """Every keyword argument with its effective value, common ones first, as `env.config` shows it."""
    declarations: Sequence[Declaration]
    """The options that the library declares, with its own defaults."""
    reset_declarations: Sequence[Declaration]
    """The arguments that `reset(options=...)` takes besides `reset_mask`."""
    fields: Sequence[Field]
    max_players: int
    given: Mapping[str, Any]
    """The keyword arguments that were given, as they were given."""
    seeds: list[int]
    """One per environment, each in 0 .. 2**64 - 1."""
    arguments: dict[str, Any]
    """What was asked for, the seeds included: `make_recipe(task_id, arguments)` gives this recipe again,
    in another process too. So threads that are shared with other pools are not in here."""
    python: PythonEnv | None = None
    """For environments written in Python."""
    pixels: Pixels | None = None
    """Where observations are pictures; `fields` has them, the library scenes in their place."""
    limit_inside: bool = False
    """The environment keeps its time limit itself: the pool has none."""

    @property
    def options(self) -> dict[str, Any]:
        """Values for the library, of environment 0; what is not here has the library's default."""
        return self.mixture.variants[0].options


@dataclass(frozen=True)
class Request:
    """What `make` was called with, sorted."""

    task_id: str | Sequence[str]
    common: dict[str, Any]
    """The arguments of COMMON_DEFAULTS, given or not."""
    options: dict[str, Any]
    """The environment's own, as they were given."""
    rows: Sequence[Mapping[str, Any]] | None
    """What `rows_of` makes of env_options."""
    arguments: dict[str, Any]
    """All that can be given again."""


def resolve_all(task_id: str | Sequence[str]) -> list[EnvSpec]:
    """The environment of an id, or of each of several, which must be of one kind.

    Raises UnknownEnvError, AmbiguousEnvError, OptionError; warns of deprecated ones.
    """
    ids = [task_id] if isinstance(task_id, str) else list(task_id)
    if not ids:
        raise OptionError("there is no task id, expected one, or one per environment")
    resolved = {each: registry().resolve(each) for each in ids}
    for each in resolved.values():
        each.warn_if_deprecated(stacklevel=5)
    envs = [resolved[each].spec for each in ids]
    for number, env in enumerate(envs):
        if (env.family, env.native_id, env.backend) != (
            envs[0].family,
            envs[0].native_id,
            envs[0].backend,
        ):
            raise OptionError(
                f"environments 0 ({envs[0].id}) and {number} ({env.id}) cannot be in one pool: one is "
                f"{envs[0].native_id} in the library, the other {env.native_id}. Make a pool for each, on "
                "one parallel_pool.ThreadPool"
            )
    return envs


def make_recipe(task_id: str | Sequence[str], arguments: Mapping[str, Any]) -> Recipe:
    """Resolves and checks. Raises UnknownEnvError, AmbiguousEnvError, OptionError, PluginError."""
    ids = [task_id] if isinstance(task_id, str) else list(task_id)
    task_id = task_id if isinstance(task_id, str) else ids
    if any(isinstance(each, str) and each.startswith(GYMNASIUM_PREFIX) for each in ids):
        from parallel_pool.python_envs.recipe import gymnasium_recipe

        return gymnasium_recipe(_request(ids[0], task_id, arguments))
    envs = resolve_all(ids)
    request = _request(envs[0].id, task_id, arguments)
    if envs[0].backend != "native":
        from parallel_pool.python_envs.recipe import python_recipe

        return python_recipe(envs, request)
    return _native_recipe(envs, request)


def _request(owner: str, task_id: str | Sequence[str], arguments: Mapping[str, Any]) -> Request:
    rows = rows_of(owner, arguments.get("env_options"))
    threads = arguments.get("thread_pool")
    arguments = {
        **{name: value for name, value in arguments.items() if name != "thread_pool"},
        **({} if rows is None else {"env_options": rows}),
        **count_of(owner, None if isinstance(task_id, str) else task_id, rows, arguments),
    }
    common = {name: arguments.get(name, default) for name, default in COMMON_DEFAULTS.items()}
    common["thread_pool"] = threads
    options = {name: value for name, value in arguments.items() if name not in COMMON_DEFAULTS}
    return Request(task_id, common, options, rows, arguments)


def _native_recipe(envs: Sequence[EnvSpec], request: Request) -> Recipe:
    env = envs[0]
    task_id, common, arguments = request.task_id, request.common, request.arguments
    plugin = _core.Plugin(str(registry().library_path(env.family)))
    declaration = plugin.declaration(env.native_id)
    declarations = declaration["options"]
    given: Mapping[str, Any] = _taken_over(
        env, registry().translate_options(env, request.options), request
    )
    # Before the plugin's own hook sees them, so that a misspelt name is an unknown option and not
    # something the hook trips over.
    given = check_options(env.id, declarations, given, COMMON_DEFAULTS)
    isolated = check_isolation(env.id, common)
    mixture = mix(plugin, declarations, envs, given, request.rows, COMMON_DEFAULTS, isolated)

    cpus = _check_threads(env.id, common)
    if common["thread_affinity"] is not None:  # any iterable was welcome; a list can be kept
        arguments["thread_affinity"] = common["thread_affinity"] = [cpu for (cpu,) in cpus]
    first = mixture.variants[0]
    players = (
        first.description["max_players"] if is_multi_player(first.description["fields"]) else 1
    )
    check_common(env.id, common, cpus, players)
    check_render_arguments(env, common)
    fields = common_fields(mixture)
    pixels = pixels_of(env, mixture, fields, common)
    if pixels is not None:
        fields = pixels.fields(fields)
    if common["max_episode_steps"] is None:
        common["max_episode_steps"] = common_limit(mixture)
    if common["reward_threshold"] is None:
        common["reward_threshold"] = common_threshold(mixture)
    seeds = first_seeds(common["seed"], common["num_envs"])
    # Where environments differ, the argument of all is shown under its own name, and env_options has
    # what it is for each: `make(**config)` makes the same pool again.
    own = mixture.own
    common["env_options"] = own or None
    effective = {
        each["name"]: given.get(each["name"], each["default"])
        if each["name"] in own
        else first.effective(each)
        for each in declarations
    }
    ids = env.id if isinstance(task_id, str) else [each.id for each in envs]
    return Recipe(
        env=env,
        task_id=ids,
        mixture=mixture,
        plugin=plugin,
        cpus=cpus,
        config={"task_id": ids, **common, **effective},
        declarations=declarations,
        reset_declarations=declaration["reset_options"],
        fields=fields,
        max_players=first.description["max_players"],
        given=arguments,
        seeds=seeds,
        # Not the completed options: they have the places of files on this machine.
        arguments={**arguments, "seed": seeds},
        pixels=pixels,
    )


def _taken_over(env: EnvSpec, translated: Mapping[str, Any], request: Request) -> Mapping[str, Any]:
    """Moves what a plugin translated to arguments of all environments from its options to those."""
    for name in (each for each in translated if each in COMMON_DEFAULTS):
        if name in request.arguments:
            raise OptionError(
                f"{env.id}: {name} is said twice, by another of its names too; give one of them"
            )
        request.common[name] = translated[name]
    return {name: each for name, each in translated.items() if name not in COMMON_DEFAULTS}


def count_of(
    env_id: str,
    envs: Sequence[Any] | None,
    rows: Sequence[Any] | None,
    arguments: Mapping[str, Any],
) -> dict[str, int]:
    """`num_envs` as several ids, or env_options, have it; nothing where neither says.

    Raises OptionError where they do not agree with each other, or with what was given.
    """
    said = {
        name: len(each)
        for name, each in (("task ids", envs), ("entries of env_options", rows))
        if each is not None
    }
    for name, count in said.items():
        if arguments.get("num_envs", count) != count:
            raise OptionError(
                f"{env_id}: there are {count} {name}, and num_envs is {arguments['num_envs']!r}: "
                f"one per environment, so leave num_envs out or pass {count}"
            )
    if len(set(said.values())) > 1:
        text = " and ".join(f"{count} {name}" for name, count in said.items())
        raise OptionError(f"{env_id}: there are {text}; expected one per environment of each")
    return {"num_envs": next(iter(said.values()))} if said else {}


def _check_threads(env_id: str, common: dict[str, Any]) -> list[list[int]]:
    """Checks what says which threads there are, but their number. Where they may run."""
    shared = common["thread_pool"]
    if shared is not None:
        if not isinstance(shared, ThreadPool):
            raise OptionError(
                f"{env_id}: thread_pool is {shared!r}, expected a parallel_pool.ThreadPool or None"
            )
        refused = {
            "num_threads": common["num_threads"] not in (None, 0, shared.num_threads),
            "thread_affinity_offset": common["thread_affinity_offset"] != -1,
            "thread_affinity": common["thread_affinity"] is not None,
            "numa_node": common["numa_node"] is not None,
            # A thread that hangs would be missing to the other pools, and could not be given up.
            "step_timeout": common["step_timeout"] is not None,
        }
        for name in (name for name, given in refused.items() if given):
            raise OptionError(
                f"{env_id}: {name} is for threads of the pool's own, and thread_pool has the threads: "
                f"leave {name} out, or give it to the ThreadPool"
            )
    cpus = thread_cpus(env_id, common["thread_affinity"], common["numa_node"])
    if cpus and common["thread_affinity_offset"] != -1:
        raise OptionError(
            f"{env_id}: give thread_affinity_offset, thread_affinity or numa_node, not several"
        )
    return cpus


def check_isolation(env_id: str, common: dict[str, Any]) -> bool:
    """Whether environments are to live in worker processes. Raises OptionError if they cannot."""
    if common["isolation"] == "thread":
        raise OptionError(
            f"{env_id}: isolation='thread' is for environments written in Python; the pool's own threads "
            "step this one, leave it out"
        )
    if common["isolation"] not in (None, "process"):
        raise OptionError(
            f"{env_id}: isolation is {common['isolation']!r}, expected None (environments run in this "
            "process) or 'process' (in worker processes: see docs/isolation.md)"
        )
    if common["isolation"] is None:
        return False
    check_workers(env_id, common)
    return True


def check_workers(env_id: str, common: dict[str, Any]) -> None:
    """Raises OptionError if there can be no workers (isolation: "process", "thread") as asked for."""
    if sys.platform != "linux":
        raise OptionError(
            f"{env_id}: isolation={common['isolation']!r} needs Linux, and this is {sys.platform}; "
            "leave it out"
        )
    ours = {
        "thread_pool": common["thread_pool"] is not None,
        "thread_affinity": common["thread_affinity"] is not None,
        "thread_affinity_offset": common["thread_affinity_offset"] != -1,
        "numa_node": common["numa_node"] is not None,
    }
    for name in (name for name, given in ours.items() if given):
        raise OptionError(
            f"{env_id}: {name} is for threads of this process, and isolation={common['isolation']!r} "
            "(there is always some for a Python environment) has workers of its own: leave "
            f"{name} out. They run where this process may"
        )


def check_common(env_id: str, common: dict[str, Any], cpus: list[list[int]], players: int) -> None:
    """Checks the arguments of COMMON_DEFAULTS and puts effective values in. Raises OptionError.

    `check_isolation` comes first; cpus: where threads may run; players: at most, of one environment.
    """

    def integer(name: str, low: int, high: int, default: int | None = None) -> int:
        value = common[name]
        if value is None and default is not None:
            return default
        whole = isinstance(value, Integral) and not isinstance(value, bool)
        if not whole or not low <= int(value) <= high:
            raise OptionError(
                f"{env_id}: {name} is {value!r}, expected an integer in {low} .. {high}"
            )
        return int(value)

    common["num_envs"] = integer("num_envs", 1, 2**24)
    # EnvPool spells "as many as there are environments" and "as many as can run" as 0.
    common["batch_size"] = integer("batch_size", 0, 2**24, default=0) or common["num_envs"]
    if common["batch_size"] > common["num_envs"]:
        raise OptionError(
            f"{env_id}: batch_size is {common['batch_size']}, but there are only "
            f"{common['num_envs']} environments (num_envs)"
        )
    common["num_threads"] = integer("num_threads", 0, 4096, default=0)
    if common["isolation"] is None:  # a thread with a worker sleeps while that works
        warn_of_many_threads(env_id, common["num_threads"])
    if common["thread_pool"] is not None:
        common["num_threads"] = common["thread_pool"].num_threads
    named = cpus_of(cpus) or share_of_cpus()
    common["num_threads"] = common["num_threads"] or min(
        common["batch_size"], named, share_of_cpus()
    )
    common["thread_affinity_offset"] = integer("thread_affinity_offset", -1, 4096)
    if common["max_episode_steps"] is not None:
        common["max_episode_steps"] = integer("max_episode_steps", 1, 2**31 - 1)
    if common["max_num_players"] not in (1, players):
        raise OptionError(
            f"{env_id}: max_num_players is {common['max_num_players']!r}, but the environment has "
            f"{players}: it decides that itself; leave it out"
        )
    common["max_num_players"] = players
    if players > 1:
        refused = {
            "nan_action": common["nan_action"] == "truncate",
            # Of several players as well, if there is a process to be killed.
            "step_timeout": common["step_timeout"] is not None and common["isolation"] is None,
        }
        for name in (name for name, given in refused.items() if given):
            raise OptionError(
                f"{env_id}: {name}={common[name]!r} is for environments with one player, and this one "
                f"has up to {players}"
            )
    if common["gym_reset_return_info"] is not True:
        raise OptionError(
            f"{env_id}: gym_reset_return_info=False is the interface of gym before 0.26; "
            "use env_type='gym', whose reset returns the observation alone"
        )
    common["autoreset_mode"] = autoreset_mode(env_id, common["autoreset_mode"])
    if common["episode_statistics"] not in (None, True, False):
        raise OptionError(
            f"{env_id}: episode_statistics is {common['episode_statistics']!r}, expected True or False"
        )
    for name, policies in ACTION_POLICIES.items():
        if common[name] not in policies:
            raise OptionError(
                f"{env_id}: {name} is {common[name]!r}, expected one of {', '.join(policies)}"
            )
    common["step_timeout"] = _step_timeout(env_id, common["step_timeout"])


def _step_timeout(env_id: str, seconds: Any) -> float | None:
    if seconds is None:
        return None
    number = isinstance(seconds, Real) and not isinstance(seconds, bool)
    if not number or not 0 < float(seconds) < float("inf"):
        raise OptionError(
            f"{env_id}: step_timeout is {seconds!r}, expected seconds, more than 0, or None: no limit"
        )
    return float(seconds)


def autoreset_mode(env_id: str, mode: Any) -> str:
    """The name of the mode, as Gymnasium's AutoresetMode spells its values."""
    if mode is None:
        return AUTORESET_MODES[0]
    name = str(getattr(mode, "value", mode)).replace("_", "").lower()
    for known in AUTORESET_MODES:
        if name == known.lower():
            return known
    raise OptionError(
        f"{env_id}: autoreset_mode is {mode!r}, expected one of {', '.join(AUTORESET_MODES)} "
        "or a gymnasium.vector.AutoresetMode"
    )
