"""From a task id and keyword arguments to everything that is needed to build a pool, without building it."""

from __future__ import annotations

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
from parallel_pool.placement import thread_cpus
from parallel_pool.players import is_multi_player
from parallel_pool.registry import registry
from parallel_pool.rendering import check_render_arguments
from parallel_pool.seeds import first_seeds
from parallel_pool.thread_pool import ThreadPool, cpus_of

if TYPE_CHECKING:
    from parallel_pool.plugin_api import EnvSpec

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
    "env_options": None,
    "nan_action": "raise",
    "out_of_bounds_action": "pass",
    "step_timeout": None,
}
"""Keyword arguments that every environment takes; the names are EnvPool's and Gymnasium's."""

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

    @property
    def options(self) -> dict[str, Any]:
        """Values for the library, of environment 0; what is not here has the library's default."""
        return self.mixture.variants[0].options


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
    envs = resolve_all(task_id)
    env = envs[0]
    if env.backend != "native":
        raise OptionError(
            f"{env.id} is a Python environment: it has no native pool. "
            f"Use parallel_pool.make({task_id!r}, env_type='gymnasium')"
        )
    rows = rows_of(env.id, arguments.get("env_options"))
    threads = arguments.get("thread_pool")
    arguments = {
        **{name: value for name, value in arguments.items() if name != "thread_pool"},
        **({} if rows is None else {"env_options": rows}),
        **count_of(env.id, None if isinstance(task_id, str) else envs, rows, arguments),
    }
    common = {name: arguments.get(name, default) for name, default in COMMON_DEFAULTS.items()}
    common["thread_pool"] = threads
    given = {name: value for name, value in arguments.items() if name not in COMMON_DEFAULTS}

    plugin = _core.Plugin(str(registry().library_path(env.family)))
    declaration = plugin.declaration(env.native_id)
    declarations = declaration["options"]
    given = registry().translate_options(env, given)
    # Before the plugin's own hook sees them, so that a misspelt name is an unknown option and not
    # something the hook trips over.
    given = check_options(env.id, declarations, given, COMMON_DEFAULTS)
    mixture = mix(plugin, declarations, envs, given, rows, COMMON_DEFAULTS)

    cpus = _check_threads(env.id, common)
    if common["thread_affinity"] is not None:  # any iterable was welcome; a list can be kept
        arguments["thread_affinity"] = common["thread_affinity"] = [cpu for (cpu,) in cpus]
    first = mixture.variants[0]
    players = (
        first.description["max_players"] if is_multi_player(first.description["fields"]) else 1
    )
    _check_common(env.id, common, cpus, players)
    check_render_arguments(env, common)
    fields = common_fields(mixture)
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
    )


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


def _check_common(env_id: str, common: dict[str, Any], cpus: list[list[int]], players: int) -> None:
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
        for name, value in (("nan_action", "truncate"), ("step_timeout", None)):
            if (common[name] == value) == (value is not None):
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
