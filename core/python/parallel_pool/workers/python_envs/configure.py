"""From a task id and arguments to the PoolConfig of a pool of Python environments."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import gymnasium
from gymnasium.envs.registration import EnvSpec as GymnasiumSpec

from parallel_pool import _core
from parallel_pool.config.arguments import COMMON_DEFAULTS
from parallel_pool.config.checks import check_common, check_workers
from parallel_pool.config.env_options import EnvVariants, Variant, refuse_common
from parallel_pool.config.pool_config import PoolConfig
from parallel_pool.config.python_env import SEED_BITS
from parallel_pool.config.ranks import key_of
from parallel_pool.config.render_arguments import check_render_arguments
from parallel_pool.config.request import GYMNASIUM_PREFIX, Request
from parallel_pool.config.seeds import first_seeds
from parallel_pool.config.transform import transform_of
from parallel_pool.errors import OptionError, UnknownEnvError
from parallel_pool.plugin_api import EnvSpec
from parallel_pool.registry import registry
from parallel_pool.schema.spaces import space_of
from parallel_pool.threads.cpu_budget import gil_is_on, share_of_cpus
from parallel_pool.workers.python_envs.description import describe
from parallel_pool.workers.python_envs.serializer import InProcessStore

Factory = Callable[[], Any]

WORKERS_PER_CPU = {"process": 2, "thread": 8}
"""One has work while another's environments reset or wait. More processes cost too much: one that is woken
for one light environment finds its caches cold. 8 CartPoles on 2 busy CPUs take 95 us of CPU time a step in
2 processes, 150 in 4 and 590 in 8 (740 in AsyncVectorEnv, which has 8). Threads share their caches; with 8
per CPU those that wait come out ahead of AsyncVectorEnv too, and light ones at half of their best."""


def python_config(envs: Sequence[EnvSpec], request: Request) -> PoolConfig:
    """For environments with `backend="python"`. Their own options are handed on unchecked."""
    env = envs[0]
    check_render_arguments(env, request.common)
    _check(env, request)
    limits = [each.max_episode_steps for each in envs]
    if request.common["max_episode_steps"] is None:
        for number, limit in enumerate(limits):
            if limit != limits[0]:
                raise OptionError(
                    f"environments 0 ({env.id}) and {number} ({envs[number].id}) of one pool differ in their "
                    f"time limit: {limits[0]} and {limit}. A pool has one: pass max_episode_steps"
                )

    def factory(number: int, options: dict[str, Any], mode: str | None) -> Factory:
        each = envs[number if len(envs) > 1 else 0]
        drawing = {} if mode is None else {"render_mode": mode}
        return registry().env_factory(each, {**each.options, **options, **drawing})

    factories = _factories(env.id, factory, request, alike=len(envs) == 1)
    version = registry().plugin(env.family).version or "0"
    ids = env.id if isinstance(request.task_id, str) else [each.id for each in envs]
    preset = env.options if all(each.options == env.options for each in envs) else {}
    return _config(env, ids, factories, {**preset, **request.options}, request, version)


def gymnasium_config(request: Request) -> PoolConfig:
    """For "gym:ID". Options are keyword arguments of `gymnasium.make`.

    The time limit stays the environment's: wrappers of its own may want to see it.
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
    _check(env, request)
    limit = request.common["max_episode_steps"]

    def factory(_: int, options: dict[str, Any], mode: str | None) -> Factory:
        drawing: dict[str, Any] = {} if mode is None else {"render_mode": mode}
        return partial(gymnasium.make, spec, max_episode_steps=limit, **options, **drawing)

    factories = _factories(ids[0], factory, request, alike=True)
    task_id = request.task_id if isinstance(request.task_id, str) else ids
    version = gymnasium.__version__
    return _config(env, task_id, factories, request.options, request, version, limit_inside=True)


def _find(task_id: str) -> GymnasiumSpec:
    module, _, name = task_id.removeprefix(GYMNASIUM_PREFIX).rpartition(":")
    if module:
        importlib.import_module(module)
    try:
        return gymnasium.spec(name)
    except gymnasium.error.Error as error:
        raise UnknownEnvError(f"{task_id!r}: Gymnasium says: {error}") from None


def _check(env: EnvSpec, request: Request) -> None:
    _choose_isolation(env.id, request.common)
    check_workers(env.id, request.common)
    _choose_workers(request.common)
    check_common(env.id, request.common, [], 1)
    for name in ("render_width", "render_height", "render_camera_id", "render_camera_name"):
        if request.common[name] != COMMON_DEFAULTS[name]:
            raise OptionError(
                f"{env.id}: {name} is for environments of libraries; a Python environment draws as it "
                "was made: give its own options"
            )


def _choose_isolation(env_id: str, common: dict[str, Any]) -> None:
    """Threads where they run at the same time and need not be killed, unless somebody wants otherwise."""
    chosen, timeout = common["isolation"], common["step_timeout"]
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
    if chosen is None:
        common["isolation"] = "process" if gil_is_on() or timeout is not None else "thread"


def _choose_workers(common: dict[str, Any]) -> None:
    """Puts the usual number of workers in, where none is given."""
    count, kind = common["num_envs"], common["isolation"]
    if common["num_threads"] in (None, 0) and isinstance(count, int) and count > 0:
        common["num_threads"] = min(count, WORKERS_PER_CPU[kind] * share_of_cpus())


def _factories(
    owner: str,
    factory: Callable[[int, dict[str, Any], str | None], Factory],
    request: Request,
    *,
    alike: bool,
) -> tuple[Factory, list[Factory]]:
    """What makes the first without a render_mode; and one for all if they are alike, or else one each."""
    mode = request.common["render_mode"]
    if request.rows is None:
        count = 1 if alike else request.common["num_envs"]
        rows: list[Mapping[str, Any]] = [{}] * count
    else:
        rows = list(request.rows)
    for number, row in enumerate(rows):
        refuse_common(f"{owner}, environment {number}", row, COMMON_DEFAULTS)
    options = [{**request.options, **row} for row in rows]
    first = factory(0, options[0], None)
    return first, [factory(number, each, mode) for number, each in enumerate(options)]


def _config(
    env: EnvSpec,
    task_id: str | list[str],
    factories: tuple[Factory, list[Factory]],
    options: dict[str, Any],
    request: Request,
    version: str,
    *,
    limit_inside: bool = False,
) -> PoolConfig:
    common = request.common
    name = task_id if isinstance(task_id, str) else task_id[0]
    try:
        python = describe(name, *factories, options)
    except (gymnasium.error.Error, TypeError) as error:
        raise OptionError(f"{name} cannot be made: {error}") from error
    if (
        common["isolation"] == "thread"
        and request.arguments.get("isolation") is None
        and gil_is_on()
    ):
        # What the environment has imported turned it on.
        common["isolation"] = "process"
        if request.arguments.get("num_threads") in (None, 0):
            common["num_threads"] = None
            _choose_workers(common)
    if common["isolation"] == "thread":
        python = replace(python, serializer=InProcessStore())
    if common["check_obs"] == "off":
        python = replace(python, check_obs=False)
    if limit_inside:  # only now it is known what Gymnasium's can draw
        env = replace(env, render_modes=python.render_modes, render_fps=python.render_fps)
        check_render_arguments(env, common)
    try:
        plugin = _core.Plugin(
            family=env.family, version=version, env_id=env.id, fields=list(python.fields)
        )
    except ValueError as error:
        raise OptionError(f"{name}: {error}") from None
    if common["max_episode_steps"] is None:
        common["max_episode_steps"] = env.max_episode_steps
    if common["reward_threshold"] is None:
        common["reward_threshold"] = env.reward_threshold
    common["env_options"] = request.rows
    seeds = first_seeds(common["seed"], common["num_envs"], SEED_BITS, key_of(common["rank"]))
    description = plugin.describe(env.id, {}, True)
    # To the native pool they are all alike: what differs is in the factories.
    variant = Variant(env, options={}, asked={}, row={}, description=description, first=0)
    fields = description["fields"]
    transform = transform_of(env.id, common["transform"], fields, common, pictures=False)
    if transform is not None:
        fields = transform.fields
        common["transform"] = dict(transform.values)
        python = replace(python, observation_space=space_of(fields, "obs"))
    return PoolConfig(
        env=env,
        task_id=task_id,
        variants=EnvVariants(plugin, [], [variant], [0]),
        plugin=plugin,
        cpus=[],
        values={"task_id": task_id, **common, **options},
        declarations=[],
        reset_declarations=[],
        fields=fields,
        max_players=1,
        given=request.arguments,
        seeds=seeds,
        arguments={**request.arguments, "seed": seeds},
        python=python,
        transform=transform,
        limit_inside=limit_inside,
    )
