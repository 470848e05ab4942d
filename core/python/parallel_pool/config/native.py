"""From the id of an environment of a library, and arguments, to its PoolConfig."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from parallel_pool import _core
from parallel_pool.config.arguments import COMMON_DEFAULTS
from parallel_pool.config.checks import check_common, check_isolation, check_threads
from parallel_pool.config.compatibility import common_fields, common_limit, common_threshold
from parallel_pool.config.env_options import env_variants
from parallel_pool.config.options import check_options
from parallel_pool.config.pictures import pixels_of
from parallel_pool.config.pool_config import PoolConfig
from parallel_pool.config.ranks import key_of
from parallel_pool.config.render_arguments import check_render_arguments
from parallel_pool.config.request import Request
from parallel_pool.config.seeds import first_seeds
from parallel_pool.config.transform import transform_of
from parallel_pool.errors import OptionError
from parallel_pool.plugin_api import EnvSpec
from parallel_pool.registry import registry
from parallel_pool.schema.players import is_multi_player


def native_config(envs: Sequence[EnvSpec], request: Request) -> PoolConfig:
    """What a pool of environments of a plugin's library is made of. Raises what `make` raises."""
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
    variants = env_variants(
        plugin, declarations, envs, given, request.rows, COMMON_DEFAULTS, isolated
    )

    cpus = check_threads(env.id, common)
    if common["thread_affinity"] is not None:  # any iterable was welcome; a list can be kept
        arguments["thread_affinity"] = common["thread_affinity"] = [cpu for (cpu,) in cpus]
    first = variants.distinct[0]
    players = (
        first.description["max_players"] if is_multi_player(first.description["fields"]) else 1
    )
    check_common(env.id, common, cpus, players)
    check_render_arguments(env, common)
    fields = common_fields(variants)
    pixels = pixels_of(env, variants, fields, common)
    if pixels is not None:
        fields = pixels.fields(fields)
    transform = transform_of(
        env.id, common["transform"], fields, common, pictures=pixels is not None
    )
    if transform is not None:
        fields = transform.fields
        common["transform"] = dict(transform.values)
    if common["max_episode_steps"] is None:
        common["max_episode_steps"] = common_limit(variants)
    if common["reward_threshold"] is None:
        common["reward_threshold"] = common_threshold(variants)
    seeds = first_seeds(common["seed"], common["num_envs"], key=key_of(common["rank"]))
    # Where environments differ, the argument of all is shown under its own name, and env_options has
    # what it is for each: `make(**config)` makes the same pool again.
    own = variants.own
    common["env_options"] = own or None
    effective = {
        each["name"]: given.get(each["name"], each["default"])
        if each["name"] in own
        else first.effective(each)
        for each in declarations
    }
    ids = env.id if isinstance(task_id, str) else [each.id for each in envs]
    return PoolConfig(
        env=env,
        task_id=ids,
        variants=variants,
        plugin=plugin,
        cpus=cpus,
        values={"task_id": ids, **common, **effective},
        declarations=declarations,
        reset_declarations=declaration["reset_options"],
        fields=fields,
        max_players=first.description["max_players"],
        given=arguments,
        seeds=seeds,
        # Not the completed options: they have the places of files on this machine.
        arguments={**arguments, "seed": seeds},
        pixels=pixels,
        transform=transform,
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
