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
    native = {each.spec.native_id: each.spec for each in envs}
    declared = {}
    for native_id, each in native.items():
        declaration = plugin.declaration(native_id)
        declared[native_id] = declaration["options"]
        expect_own_names(each, "library", (option["name"] for option in declared[native_id]))
    declarations = declared[env.native_id]
    if len(native) > 1:
        _expect_plain(envs, arguments, isolated)
    # Before the plugin's own hook, which then gets no unknown names.
    options = check_options(env.id, declarations, options, COMMON_DEFAULTS)
    limit, threshold = arguments.max_episode_steps, arguments.reward_threshold
    variants = env_variants(
        plugin, declared, envs, options, request.rows, COMMON_DEFAULTS, limit, isolated
    )
    fields = common_fields(variants)
    # If environments differ, the common value keeps its own name and env_options has the value of each, so
    # that `make(**config)` makes the same pool again.
    differing = variants.differing
    shown = variants.distinct[0].shown
    return Description(
        env=env,
        task_id=env.id if isinstance(request.task_id, str) else [each.spec.id for each in envs],
        arguments=replace(
            arguments,
            max_episode_steps=common_limit(variants) if limit is None else limit,
            reward_threshold=common_threshold(variants) if threshold is None else threshold,
            env_options=variants.own or None,
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
        reset_declarations=() if variants.mixed else declaration["reset_options"],
    )


def _expect_plain(envs: Sequence[ResolvedEnv], arguments: PoolArguments, isolated: bool) -> None:
    """Raises OptionError for what a pool of several environments of the library cannot have."""
    first = envs[0].spec
    if isolated:
        other = next(each.spec for each in envs if each.spec.native_id != first.native_id)
        raise OptionError(
            f"isolation='process' is for pools of one environment of the library: {first.id} is "
            f"{first.native_id} there, and {other.id} is {other.native_id}. Make a pool for each, or "
            "leave it out"
        )
    mode = arguments.render_mode
    for env in (each.spec for each in envs):
        if mode in first.render_modes and mode not in env.render_modes:
            raise OptionError(
                f"render_mode is {mode!r}, which {first.id} has and {env.id} has not: leave it out"
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
