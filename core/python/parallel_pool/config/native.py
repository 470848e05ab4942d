"""Describes the native environments of a pool, from their ids and the arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from parallel_pool import _core
from parallel_pool.config.arguments import COMMON_DEFAULTS, PoolArguments
from parallel_pool.config.checks import check_native
from parallel_pool.config.compatibility import common_fields, common_limit, common_threshold
from parallel_pool.config.env_options import env_variants
from parallel_pool.config.pool_config import Description
from parallel_pool.config.request import Request
from parallel_pool.errors import OptionError
from parallel_pool.registry import ResolvedEnv, hooks
from parallel_pool.registry.plugin_index import Index


def describe_native(envs: Sequence[ResolvedEnv], request: Request) -> Description:
    """Describes environments of a plugin's library, or of its index. Raises what `make` raises."""
    env, index = envs[0].spec, _index_of(envs, request)
    given, options = (request.arguments, {}) if index else _translated(envs[0], request)

    def load() -> _core.Plugin:
        return _core.Plugin(str(hooks.library_path(envs[0].plugin)))

    known = index or load()
    arguments, cpus = check_native(env.id, given)
    _expect_plain(envs, arguments)
    limit, threshold = arguments.max_episode_steps, arguments.reward_threshold
    isolated = arguments.isolation is not None
    variants = env_variants(known, load, envs, options, request.rows, limit, isolated)
    fields = common_fields(variants)
    resets_itself: bool = variants.distinct[0].description["resets_itself"]
    if resets_itself:
        arguments = _resetting(env.id, arguments, request.given.get("autoreset_mode"))
    if limit is None:
        limit = common_limit(variants)
    if threshold is None:
        threshold = common_threshold(variants)
    # If environments differ, the common value keeps its own name and env_options has the value of each, so
    # that `make(**config)` makes the same pool again.
    differing = variants.differing
    shown = variants.distinct[0].shown
    return Description(
        env=env,
        task_id=env.id if isinstance(request.task_id, str) else [each.spec.id for each in envs],
        arguments=replace(
            arguments,
            max_episode_steps=limit,
            reward_threshold=threshold,
            env_options=variants.own or None,
        ),
        own={
            each["name"]: (variants.given if each["name"] in differing else shown).get(
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
        resets_itself=resets_itself,
        reset_declarations=()
        if variants.mixed
        else known.declaration(env.native_id)["reset_options"],
    )


def _index_of(envs: Sequence[ResolvedEnv], request: Request) -> Index | None:
    """The index, if it says all of environments like these: nothing was given that may change them."""
    plugin, arguments = envs[0].plugin, request.arguments
    changed = arguments.max_episode_steps is not None or arguments.isolation is not None
    changed = changed or bool(request.options or request.rows or plugin.library)
    if plugin.index is None or changed or not request.by_index:
        return None
    described = plugin.index.described
    return plugin.index if all("description" in described[each.spec.id] for each in envs) else None


def _resetting(env_id: str, arguments: PoolArguments, mode: Any) -> PoolArguments:
    """Effective values for environments that reset themselves. mode: the autoreset mode that was given, or
    None. Raises OptionError for what needs a last observation, or a reset for each episode."""
    itself = f"{env_id} resets itself in the step that ends an episode"
    if mode is not None and arguments.autoreset_mode != "SameStep":
        raise OptionError(
            f"{itself}: autoreset_mode is {arguments.autoreset_mode!r}, expected 'SameStep', as of a pool "
            "without the argument. What steps one environment, or waits for resets, cannot have it"
        )
    if arguments.episode_seeds is not None:
        raise OptionError(
            f"{itself}: episode_seeds would not reach the episodes; leave it out, and pass seed"
        )
    if arguments.isolation is not None:
        raise OptionError(
            f"{itself}: isolation={arguments.isolation!r} is for environments that the pool resets; "
            "leave it out"
        )
    return replace(arguments, autoreset_mode="SameStep")


def _expect_plain(envs: Sequence[ResolvedEnv], arguments: PoolArguments) -> None:
    """Raises OptionError for what a pool of several environments of the library cannot have."""
    first = envs[0].spec
    other = next((each.spec for each in envs if each.spec.native_id != first.native_id), None)
    if other is None:
        return
    if arguments.isolation is not None:
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
