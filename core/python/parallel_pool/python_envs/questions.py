"""What environments in worker processes are asked besides stepping: methods, attributes, states, pictures.

The pool's side packs options and questions and opens answers; the rest is the worker's.
"""

from __future__ import annotations

import base64
import pickle
from collections.abc import Iterable
from typing import Any

import cloudpickle
from gymnasium import Env
from gymnasium.utils import EzPickle


class NotHereError(Exception):
    """What is asked for cannot be done; the text is all that there is to say."""


def pack_options(options: Any) -> dict[str, str]:
    """Options of a reset, as the one argument that the native pool passes on. Raises TypeError."""
    try:
        packed = cloudpickle.dumps(options)
    except Exception as error:
        raise TypeError(
            f"the options of reset cannot be sent to a worker process: {error}"
        ) from error
    return {"pickled": base64.b64encode(packed).decode()}


def unpack_options(text: bytes) -> Any:
    """The inverse, of the bytes of the text."""
    return pickle.loads(base64.b64decode(text))


def ask_call(name: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> bytes:
    """The question that calls the method `name`, or reads that attribute."""
    return _question("call", name, arguments, keywords)


def ask_set(name: str, value: Any) -> bytes:
    """The question that sets the attribute `name`; answered by None."""
    return _question("set", name, value)


def open_answers(answers: Iterable[bytes]) -> list[Any]:
    """The values that were answered."""
    return [pickle.loads(each) for each in answers]


def _question(*parts: Any) -> bytes:
    try:
        question: bytes = cloudpickle.dumps(parts)
    except Exception as error:
        raise TypeError(
            f"{parts[1]!r}: its arguments cannot be sent to a worker process: {error}"
        ) from error
    return question


def answer(env: Env[Any, Any], question: bytes) -> bytes:
    """What `env` answers, pickled. Raises what it raises; NotHereError."""
    kind, name, *rest = pickle.loads(question)
    if kind == "set":
        env.set_wrapper_attr(name, *rest)
        return pickle.dumps(None)
    value = env.render() if name == "render" else env.get_wrapper_attr(name)
    if callable(value):
        arguments, keywords = rest
        value = value(*arguments, **keywords)
    try:
        return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        raise NotHereError(
            f"{name} is a {type(value).__name__}, which cannot cross to another process: {error}"
        ) from error


def save(env: Env[Any, Any]) -> bytes:
    """The whole environment, wrappers included, pickled. Raises NotHereError."""
    if isinstance(env.unwrapped, EzPickle):
        raise NotHereError(
            f"a pickled {type(env.unwrapped).__name__} is as it was made and not as it is now "
            "(gymnasium.utils.EzPickle), so there is no state of it"
        )
    try:
        return pickle.dumps(env, pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        raise NotHereError(
            f"{type(env.unwrapped).__name__} cannot be pickled, so there is no state of it: {error}"
        ) from error


def load(env: Env[Any, Any], state: bytes) -> Env[Any, Any]:
    """The environment that takes the place of `env`, which is closed. Raises NotHereError."""
    other: Env[Any, Any] = pickle.loads(state)
    for name in ("observation_space", "action_space"):
        own, theirs = getattr(env, name), getattr(other, name)
        if own != theirs:
            raise NotHereError(f"the state has the {name} {theirs}, and this environment {own}")
    env.close()
    return other
