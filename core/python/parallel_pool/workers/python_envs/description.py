"""Describes a Python environment: makes one in this process, looks at it and closes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from parallel_pool.config.python_env import INFO_HANDLE, PythonEnv
from parallel_pool.errors import OptionError
from parallel_pool.schema.fields import Field
from parallel_pool.workers import forks
from parallel_pool.workers.python_envs.players import Players, as_env
from parallel_pool.workers.python_envs.serializer import PickleSerializer
from parallel_pool.workers.python_envs.space_fields import field, fields_of


def describe(
    env_id: str,
    first: Callable[[], Any],
    factories: Sequence[Callable[[], Any]],
    options: Mapping[str, Any],
    *,
    text_bytes: bool,
) -> PythonEnv:
    """Makes an environment by `first` and looks at it. Workers check that the others are like it.

    first: the first of `factories` without its render_mode, so that no window opens here. text_bytes: whether
    observed texts are arrays of bytes.
    Raises what the factory raises; OptionError, PluginError.
    """
    with forks.children_end():
        env = as_env(env_id, first())
    agents = env.agents if isinstance(env, Players) else ()
    try:
        observation_space, action_space = env.observation_space, env.action_space
        fps = env.metadata.get("render_fps")
        score = None if agents else _score(env_id, env.metadata.get("score"))
        modes = tuple(each for each in env.metadata.get("render_modes") or () if each != "human")
    except AttributeError as error:
        raise OptionError(f"{env_id}: the environment has no spaces: {error}") from error
    finally:
        with forks.children_end():
            env.close()
    fields = [
        *fields_of(env_id, action_space, "action"),
        *fields_of(env_id, observation_space, "obs", text_bytes=text_bytes),
        field("reward", "", "box", "float64"),
        field("terminated", "", "box", "bool"),
        field("truncated", "", "box", "bool"),
    ]
    if agents:
        fields.append(field("players", "", "box", "int32"))
        fields = [_of_player(env_id, each) for each in fields]
    if score:
        fields += [field("score", "", "box", "float64"), field("continues", "", "box", "bool")]
    fields.append(field("info", INFO_HANDLE, "box", "int64"))
    return PythonEnv(
        factories,
        options,
        modes,
        fps if isinstance(fps, (int, float)) else None,
        observation_space,
        action_space,
        PickleSerializer(),
        fields,
        score=score,
        agents=agents,
    )


def _of_player(env_id: str, each: Field) -> Field:
    if each["kind"] in ("text", "object"):
        raise OptionError(
            f"{env_id}: {each['role']} {each['name']!r} is no array, and those of several players have to be: "
            "wrap the environment"
        )
    return {**each, "per_player": True}


def _score(env_id: str, declared: Any) -> tuple[str, str] | None:
    """What the metadata have as "score", checked."""
    if declared is None:
        return None
    pair = isinstance(declared, (tuple, list)) and len(declared) == 2
    if not pair or not all(isinstance(name, str) for name in declared):
        raise OptionError(
            f"{env_id}: its metadata have the score {declared!r}, expected the names of two infos: "
            '("raw_reward", "continues")'
        )
    return declared[0], declared[1]
