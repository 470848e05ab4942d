"""Describes the Python environments of a pool, from their id and the arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import gymnasium
from gymnasium.envs.registration import EnvSpec as GymnasiumSpec

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
from parallel_pool.config.request import GYMNASIUM_PREFIX, Request
from parallel_pool.config.synonyms import meant_by
from parallel_pool.errors import LibraryError, OptionError, UnknownEnvError
from parallel_pool.imports.undisturbed import import_undisturbed
from parallel_pool.plugin_api import EnvSpec
from parallel_pool.registry import ResolvedEnv, hooks
from parallel_pool.threads.cpu_budget import gil_is_on, share_of_cpus
from parallel_pool.workers.python_envs.description import describe
from parallel_pool.workers.python_envs.serializer import InProcessStore
from parallel_pool.workers.python_envs.space_fields import native

Factory = Callable[[], Any]

WORKERS_PER_CPU = {"process": 2, "thread": 8}
"""One worker works while the environments of another reset or wait. More processes cost too much: a process
that is woken for one light environment has cold caches. 8 CartPoles on 2 busy CPUs take 95 us of CPU time a
step in 2 processes, 150 in 4 and 590 in 8 (740 in AsyncVectorEnv, which has 8). Threads share caches; with 8
per CPU environments that wait are faster than in AsyncVectorEnv too, and light ones have half of their best
speed."""


def describe_python(envs: Sequence[ResolvedEnv], request: Request) -> Description:
    """Describes environments with `backend="python"`. Their own options are passed on unchecked."""
    env, specs = envs[0].spec, [each.spec for each in envs]
    arguments = _checked(env, request.arguments)
    limits = [each.max_episode_steps for each in specs]
    if arguments.max_episode_steps is None:
        for number, limit in enumerate(limits):
            if limit != limits[0]:
                raise OptionError(
                    f"environments 0 ({env.id}) and {number} ({specs[number].id}) of one pool differ in their "
                    f"time limit: {limits[0]} and {limit}. A pool has one: pass max_episode_steps"
                )

    for each in specs:
        expect_own_names(each, "EnvSpec", each.options)

    def factory(number: int, options: Mapping[str, Any], mode: str | None) -> Factory:
        each = envs[number if len(envs) > 1 else 0]
        drawing = {} if mode is None else {"render_mode": mode}
        return hooks.env_factory(
            each.plugin, each.spec, {**each.spec.options, **options, **drawing}
        )

    preset = env.options if all(each.options == env.options for each in specs) else {}
    return _described(
        env,
        env.id,
        arguments,
        request,
        factories=_factories(env.id, factory, arguments, request, alike=len(envs) == 1),
        task_id=env.id if isinstance(request.task_id, str) else [each.id for each in specs],
        options={**preset, **request.options},
        version=envs[0].plugin.version or "0",
    )


def describe_gymnasium(request: Request) -> Description:
    """Describes environments of "gym:ID". Options are keyword arguments of `gymnasium.make`.

    The time limit stays the environment's, because its wrappers may need it.
    """
    ids = [request.task_id] if isinstance(request.task_id, str) else list(request.task_id)
    for number, each in enumerate(ids):
        if each != ids[0]:
            raise OptionError(
                f"environments 0 ({ids[0]}) and {number} ({each}) cannot be in one pool: environments of "
                "Gymnasium's registry must all have one id. Make a pool for each"
            )
    spec = _find(ids[0])
    name = spec.id.replace("/", ":") if spec.version is not None else f"{spec.id}-v0"
    env = EnvSpec(
        f"gym/{name}",
        backend="python",
        max_episode_steps=spec.max_episode_steps,
        reward_threshold=spec.reward_threshold,
    )
    arguments = _checked(env, request.arguments)
    limit = arguments.max_episode_steps

    def factory(_: int, options: Mapping[str, Any], mode: str | None) -> Factory:
        drawing: dict[str, Any] = {} if mode is None else {"render_mode": mode}
        return partial(gymnasium.make, spec, max_episode_steps=limit, **options, **drawing)

    described = _described(
        env,
        ids[0],
        arguments,
        request,
        factories=_factories(ids[0], factory, arguments, request, alike=True),
        task_id=request.task_id if isinstance(request.task_id, str) else ids,
        options=request.options,
        version=gymnasium.__version__,
    )
    python = described.python
    assert python is not None
    # The render modes of Gymnasium's environments are known only now.
    env = replace(env, render_modes=python.render_modes, render_fps=python.render_fps)
    return replace(described, env=env, limit_inside=True)


def _find(task_id: str) -> GymnasiumSpec:
    module, _, name = task_id.removeprefix(GYMNASIUM_PREFIX).rpartition(":")
    if module:
        _import_module(task_id, module)
    try:
        spec = gymnasium.spec(name)
    except gymnasium.error.Error as error:
        raise UnknownEnvError(f"{task_id!r}: Gymnasium says: {error}") from None
    if isinstance(spec.entry_point, str):  # making the environment raises a better error
        with suppress(Exception):
            import_undisturbed(spec.entry_point.partition(":")[0])
    return spec


def _import_module(task_id: str, module: str) -> None:
    """The module in the id, which registers the environment."""
    try:
        if not all(map(str.isidentifier, module.split("."))):
            raise ImportError("this is no name of a module")
        import_undisturbed(module)
    except LibraryError:
        raise
    except ImportError as error:
        raise UnknownEnvError(
            f"{task_id!r}: the module {module!r}, which is to register the environment, cannot be imported "
            f"({error}): correct its name, install it, or put its folder into PYTHONPATH"
        ) from error


def _checked(env: EnvSpec, arguments: PoolArguments) -> PoolArguments:
    """The effective values of the arguments of all pools."""
    arguments = _with_isolation(env.id, arguments)
    check_workers(env.id, arguments)
    arguments = check_common(env.id, _with_workers(arguments), [])
    for name in ("render_width", "render_height", "render_camera_id", "render_camera_name"):
        if getattr(arguments, name) != COMMON_DEFAULTS[name]:
            raise OptionError(
                f"{env.id}: {name} is for environments of libraries; a Python environment draws as it "
                "was made: give its own options"
            )
    return arguments


def _with_isolation(env_id: str, arguments: PoolArguments) -> PoolArguments:
    """Without `isolation`: threads if they run in parallel and nothing needs processes, else processes."""
    chosen, timeout = arguments.isolation, arguments.step_timeout
    if chosen not in (None, "process", "thread"):
        raise OptionError(
            f"{env_id}: isolation is {chosen!r}, expected 'process' (worker processes), 'thread' (threads "
            "of this process) or None (threads if Python has no global lock, else processes): see "
            "docs/python-environments.md"
        )
    if chosen == "thread" and timeout is not None:
        raise OptionError(
            f"{env_id}: step_timeout={timeout!r} needs a process that can be killed: leave out "
            "isolation='thread'"
        )
    if chosen == "thread" and arguments.seed_globals:
        raise OptionError(
            f"{env_id}: seed_globals=True needs processes, because threads have their global generators "
            "together: leave out isolation='thread'"
        )
    processes = gil_is_on() or timeout is not None or arguments.seed_globals
    usual = "process" if processes else "thread"
    return replace(arguments, isolation=chosen or usual)


def _with_workers(arguments: PoolArguments) -> PoolArguments:
    """The number of workers, if none is given."""
    count, kind = arguments.num_envs, arguments.isolation
    if arguments.num_threads not in (None, 0) or not isinstance(count, int) or count <= 0:
        return arguments
    assert kind is not None
    most = WORKERS_PER_CPU[kind] * share_of_cpus()
    return replace(arguments, num_threads=min(count, most))


def _after_import(arguments: PoolArguments, request: Request) -> PoolArguments:
    """Processes in place of threads, if `isolation` is not given and an imported module needs the GIL."""
    chosen = request.arguments
    if arguments.isolation != "thread" or chosen.isolation is not None or not gil_is_on():
        return arguments
    arguments = replace(arguments, isolation="process")
    if chosen.num_threads in (None, 0):
        arguments = _with_workers(replace(arguments, num_threads=0))
    return arguments


def _factories(
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


def _described(
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
    arguments = _after_import(arguments, request)
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
        )
    except ValueError as error:
        raise OptionError(f"{name}: {error}") from None
    if arguments.nan_action == "truncate" and python.objects("obs"):
        raise OptionError(
            f"{name}: nan_action='truncate' repeats an observation, and it keeps only arrays: leave it out, or "
            "use 'clip'"
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
        variants=EnvVariants(plugin, {variant.env.native_id: []}, [variant], [0]),
        fields=fields,
        max_players=1,
        cpus=[],
        python=python,
    )
