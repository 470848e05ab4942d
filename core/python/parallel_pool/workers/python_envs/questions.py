"""Questions to environments in workers, besides steps: methods, attributes, states, pictures.

The pool's side packs options, asks and opens answers; the rest is the worker's side.
"""

from __future__ import annotations

import base64
import pickle
from typing import Any

import cloudpickle
import numpy as np
from gymnasium import Env
from gymnasium.utils import EzPickle

from parallel_pool import _core
from parallel_pool.config.python_env import Serializer
from parallel_pool.pool_errors import EnvAccessError
from parallel_pool.registry.described import one_line
from parallel_pool.workers.python_envs.serializer import dumps


class NotHereError(Exception):
    """The environment cannot answer. The text is the whole error: there is no traceback."""


def pack_options(options: Any) -> dict[str, str]:
    """Options of a reset, as the one argument that the native pool passes on. Raises TypeError.

    Environments in threads get copies too, so that none changes the options of another.
    """
    try:
        packed = cloudpickle.dumps(options)
    except Exception as error:
        raise TypeError(f"the options of reset cannot be sent to a worker: {error}") from error
    return {"pickled": base64.b64encode(packed).decode()}


def unpack_options(text: bytes) -> Any:
    """The inverse, of the bytes of the text."""
    return pickle.loads(base64.b64decode(text))


def ask_call(
    pool: _core.Pool,
    serializer: Serializer,
    name: str,
    arguments: tuple[Any, ...] = (),
    keywords: dict[str, Any] | None = None,
    *,
    env_ids: Any = None,
    verb: str = "",
) -> list[Any]:
    """The result of the method `name` of each environment, or the attribute of that name.

    verb: as of `_core.Pool.ask`. Raises TypeError for arguments that cannot be sent; EnvAccessError.
    """
    return _ask(pool, serializer, ("call", name, arguments, keywords or {}), env_ids, verb)


def ask_set(
    pool: _core.Pool, serializer: Serializer, name: str, value: Any, env_ids: Any = None
) -> None:
    """Sets the attribute `name` of each environment. Raises as `ask_call`."""
    _ask(pool, serializer, ("set", name, value), env_ids, "")


def _ask(
    pool: _core.Pool, serializer: Serializer, question: tuple[Any, ...], env_ids: Any, verb: str
) -> list[Any]:
    with serializer.lend(question) as text:
        opened = []
        for place, each in enumerate(pool.ask(text, env_ids, verb)):
            try:
                opened.append(serializer.open(each))
            except Exception as error:
                env = place if env_ids is None else np.atleast_1d(env_ids)[place]
                raise EnvAccessError(
                    f"environment {env}: its answer to {question[1]!r} came from a worker process and cannot "
                    f"be opened in this one: {one_line(error)}"
                ) from error
        return opened


def answer(env: Env[Any, Any], serializer: Serializer, text: bytes) -> bytes:
    """The answer of `env`. Raises what it raises; NotHereError."""
    kind, name, *rest = serializer.read_question(text)
    if kind == "set":
        env.set_wrapper_attr(name, *rest)
        return serializer.pack(None, text)
    value = env.render() if name == "render" else env.get_wrapper_attr(name)
    if callable(value):
        arguments, keywords = rest
        value = value(*arguments, **keywords)
    try:
        return serializer.pack(value, text)
    except Exception as error:
        raise NotHereError(
            f"{name} is a {type(value).__name__}, which cannot cross to another process: {error}"
        ) from error


def save(env: Env[Any, Any]) -> bytes:
    """The whole environment, wrappers included, pickled. Raises NotHereError."""
    # PettingZoo has a class of its own with this name, which does the same.
    if any(each.__name__ == EzPickle.__name__ for each in type(env.unwrapped).__mro__):
        raise NotHereError(
            f"a pickled {type(env.unwrapped).__name__} is as it was made and not as it is now "
            "(gymnasium.utils.EzPickle), so there is no state of it"
        )
    try:
        return dumps(env)
    except Exception as error:
        raise NotHereError(
            f"{type(env.unwrapped).__name__} cannot be pickled, so there is no state of it: {error}"
        ) from error


def load(env: Env[Any, Any], state: bytes) -> Env[Any, Any]:
    """The environment that replaces `env`, which is closed. Raises NotHereError."""
    other: Env[Any, Any] = pickle.loads(state)
    for name in ("observation_space", "action_space"):
        own, theirs = getattr(env, name), getattr(other, name)
        if own != theirs:
            raise NotHereError(f"the state has the {name} {theirs}, and this environment {own}")
    env.close()
    return other
