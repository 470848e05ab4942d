"""Describes the native environments of a pool, from their ids and the arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from parallel_pool import _core
from parallel_pool.config.arguments import COMMON_DEFAULTS, PoolArguments
from parallel_pool.config.checks import check_common, check_isolation, check_threads
from parallel_pool.config.compatibility import common_fields, common_limit, common_threshold
from parallel_pool.config.env_options import env_variants, expect_own_names
from parallel_pool.config.options import check_options
from parallel_pool.config.pool_config import Description
from parallel_pool.config.request import Request
from parallel_pool.errors import OptionError
from parallel_pool.registry import ResolvedEnv, hooks


def describe_native(envs: Sequence[ResolvedEnv], request: Request) -> Description:
    """Describes environments of a plugin's library, which it loads. Raises what `make` raises."""
    env = envs[0].spec
    library = hooks.library_path(envs[0].plugin)
    arguments, options = _translated(envs[0], request)
    isolated = check_isolation(env.id, arguments)
    cpus = check_threads(env.id, arguments)
    arguments = check_common(env.id, arguments, cpus)
    plugin = _core.Plugin(str(library))
    declaration = plugin.declaration(env.native_id)
    declarations = declaration["options"]
    expect_own_names(env, "library", (each["name"] for each in declarations))
    # Before the plugin's own hook, which then gets no unknown names.
    options = check_options(env.id, declarations, options, COMMON_DEFAULTS)
    variants = env_variants(
        plugin, declarations, envs, options, request.rows, COMMON_DEFAULTS, isolated
    )
    fields = common_fields(variants)
    limit, threshold = arguments.max_episode_steps, arguments.reward_threshold
    # If environments differ, the common value keeps its own name and env_options has the value of each, so
    # that `make(**config)` makes the same pool again.
    differing = variants.own
    shown = variants.distinct[0].shown
    return Description(
        env=env,
        task_id=env.id if isinstance(request.task_id, str) else [each.spec.id for each in envs],
        arguments=replace(
            arguments,
            max_episode_steps=common_limit(variants) if limit is None else limit,
            reward_threshold=common_threshold(variants) if threshold is None else threshold,
            env_options=differing or None,
        ),
        own={
            each["name"]: (options if each["name"] in differing else shown).get(
                each["name"], each["default"]
            )
            for each in variants.visible
        },
        # Not the completed options: they have paths of files on this machine.
        given=request.given,
        variants=variants,
        fields=fields,
        max_players=variants.distinct[0].description["max_players"],
        cpus=cpus,
        reset_declarations=declaration["reset_options"],
    )


def _translated(resolved: ResolvedEnv, request: Request) -> tuple[PoolArguments, Mapping[str, Any]]:
    """The arguments of all pools and the environment's own, as its plugin translates them."""
    env = resolved.spec
    translated = hooks.translate_options(resolved.plugin, env, request.options)
    moved = {name: value for name, value in translated.items() if name in COMMON_DEFAULTS}
    for name in moved:
        if name in request.given:
            raise OptionError(
                f"{env.id}: {name} is said twice, by another of its names too; give one of them"
            )
    own = {name: value for name, value in translated.items() if name not in COMMON_DEFAULTS}
    return replace(request.arguments, **moved), own
