"""Describes the Python environments of a pool, from their id and the arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import gymnasium

from parallel_pool import _core
from parallel_pool.config.arguments import COMMON_DEFAULTS, PoolArguments
from parallel_pool.config.checks import check_common, check_workers
from parallel_pool.config.env_options import (
    EnvVariants,
    Variant,
    expect_own_names,
    refuse_common,
)
from parallel_pool.config.pool_config import Description
from parallel_pool.config.request import Request
from parallel_pool.config.synonyms import meant_by
from parallel_pool.errors import OptionError
from parallel_pool.plugin_api import EnvSpec
from parallel_pool.registry import ResolvedEnv, hooks
from parallel_pool.workers.python_envs.choose_workers import (
    after_import,
    with_isolation,
    with_workers,
)
from parallel_pool.workers.python_envs.description import describe
from parallel_pool.workers.python_envs.serializer import InProcessStore
from parallel_pool.workers.python_envs.space_fields import native

Factory = Callable[[], Any]


def describe_python(envs: Sequence[ResolvedEnv], request: Request) -> Description:
    """Describes environments with `backend="python"`, also of `make`. Their options are passed on unchecked."""
    env, specs = envs[0].spec, [each.spec for each in envs]
    arguments = checked(env, request.arguments)
    limits = [each.max_episode_steps for each in specs]
    if arguments.max_episode_steps is None:
        for number, limit in enumerate(limits):
            if limit != limits[0]:
                raise OptionError(
                    f"environments 0 ({env.id}) and {number} ({specs[number].id}) of one pool differ in their "
                    f"time limit: {limits[0]} and {limit}. A pool has one: pass max_episode_steps"
                )

    for each in specs:
        expect_own_names(each, "EnvSpec", list(each.options))

    def factory(number: int, options: Mapping[str, Any], mode: str | None) -> Factory:
        each = envs[number if len(envs) > 1 else 0]
        given = {**each.spec.options, **options, **drawing_in(mode)}
        given.pop("backend", None)
        return hooks.env_factory(each.plugin, each.spec, given)

    preset = env.options if all(each.options == env.options for each in specs) else {}
    return described_as(
        replace(env, native=None),
        env.id,
        arguments,
        request,
        factories=factories_of(env.id, factory, arguments, request, alike=len(envs) == 1),
        task_id=env.id if isinstance(request.task_id, str) else [each.id for each in specs],
        options={**preset, **request.options},
        version=envs[0].plugin.version or "0",
    )


def drawing_in(mode: str | None) -> dict[str, Any]:
    """The options of an environment that is made for this render_mode."""
    return {} if mode is None else {"render_mode": mode}


def checked(env: EnvSpec, arguments: PoolArguments) -> PoolArguments:
    """The effective values of the arguments of all pools."""
    arguments = with_isolation(env.id, arguments)
    check_workers(env.id, arguments)
    arguments = check_common(env.id, with_workers(arguments), [])
    for name in ("render_width", "render_height", "render_camera_id", "render_camera_name"):
        if getattr(arguments, name) != COMMON_DEFAULTS[name]:
            raise OptionError(
                f"{env.id}: {name} is for environments of libraries; a Python environment draws as it "
                "was made: give its own options"
            )
    return arguments


def factories_of(
    owner: str,
    factory: Callable[[int, Mapping[str, Any], str | None], Factory],
    arguments: PoolArguments,
    request: Request,
    *,
    alike: bool,
) -> tuple[Factory, list[Factory]]:
    """A factory of the first environment without a render_mode; and the factories, one for all or one each."""
    mode = arguments.render_mode
    if request.rows is None:
        count = 1 if alike else arguments.num_envs
        rows: list[Mapping[str, Any]] = [{}] * count
    else:
        rows = list(request.rows)
    for number, row in enumerate(rows):
        refuse_common(f"{owner}, environment {number}", row, COMMON_DEFAULTS)
    options = [{**request.options, **row} for row in rows]
    first = factory(0, options[0], None)
    return first, [factory(number, each, mode) for number, each in enumerate(options)]


def described_as(
    env: EnvSpec,
    name: str,
    arguments: PoolArguments,
    request: Request,
    *,
    factories: tuple[Factory, list[Factory]],
    task_id: str | list[str],
    options: Mapping[str, Any],
    version: str,
) -> Description:
    """name: of the first environment, for errors."""
    try:
        python = describe(name, *factories, options, text_bytes=arguments.texts == "bytes")
    except (gymnasium.error.Error, TypeError) as error:
        refused = [each for each in request.options if f"keyword argument '{each}'" in str(error)]
        hints = [hint for each in refused if (hint := meant_by(each, COMMON_DEFAULTS))]
        raise OptionError(". ".join([f"{name} cannot be made: {error}", *hints])) from error
    arguments = after_import(arguments, request.arguments)
    if arguments.isolation == "thread":
        python = replace(python, serializer=InProcessStore())
    if arguments.check_obs == "off":
        python = replace(python, check_obs=False)
    try:
        plugin = _core.Plugin(
            family=env.family,
            version=version,
            env_id=env.id,
            fields=list(map(native, python.fields)),
            max_players=max(1, len(python.agents)),
        )
    except ValueError as error:
        raise OptionError(f"{name}: {error}") from None
    if arguments.nan_action == "truncate" and python.objects("obs"):
        raise OptionError(
            f"{name}: nan_action='truncate' repeats an observation, and it keeps only arrays: leave it out, or "
            "use 'clip'"
        )
    if python.objects("action") and not _core.WORKER_PROCESSES:
        raise OptionError(
            f"{name}: its actions, {python.action_space}, are no arrays, and such ones need Linux"
        )
    limit, threshold = arguments.max_episode_steps, arguments.reward_threshold
    description = plugin.describe(env.id, {}, True)
    fields = list(description["fields"])
    for number in (*python.objects("action"), *python.objects("obs")):
        fields[number] = python.fields[number]
    # To the native pool all environments are alike: the factories differ.
    variant = Variant(env, options={}, asked={}, row={}, description=description, first=0)
    return Description(
        env=env,
        task_id=task_id,
        arguments=replace(
            arguments,
            max_episode_steps=env.max_episode_steps if limit is None else limit,
            reward_threshold=env.reward_threshold if threshold is None else threshold,
            env_options=request.rows,
        ),
        own=options,
        given=request.given,
        variants=EnvVariants(lambda: plugin, {env.id: []}, [variant], [0]),
        fields=fields,
        max_players=description["max_players"],
        cpus=[],
        python=python,
    )
