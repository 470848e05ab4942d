"""Sends objects from a worker to its pool and back, as bytes."""

from __future__ import annotations

import itertools
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import cloudpickle
import numpy as np

from parallel_pool.config.python_env import Infos, Lost
from parallel_pool.registry.described import one_line

_PLAIN = frozenset({int, float, bool, str, bytes, type(None)})
_GLOBAL = pickle.STACK_GLOBAL
"""In every pickle that names a class or a function."""


class Sealed(bytes):
    """The pickle of a key or a value of an info, which may fail to open without harm to others."""


_SEALED = Sealed.__name__.encode()


class PickleSerializer:
    """For another process: copies."""

    def __init__(self) -> None:
        self._seals = False

    @contextmanager
    def lend(self, question: tuple[Any, ...]) -> Iterator[bytes]:
        """A pickle of the question. Raises TypeError where an argument cannot be sent."""
        try:
            text = cloudpickle.dumps(question)
        except Exception as error:
            raise TypeError(
                f"the arguments of {question[1]!r} cannot be sent to a worker process: {one_line(error)}"
            ) from error
        yield text

    def read_question(self, text: bytes) -> Any:
        """A copy of the question."""
        return pickle.loads(text)

    def pack(self, value: Any, answering: bytes | None = None) -> bytes:
        """A pickle."""
        return dumps(value)

    def open(self, text: bytes) -> Any:
        """The packed object."""
        return pickle.loads(text)

    def pack_infos(self, infos: Infos, lost: Lost) -> bytes:
        """One pickle of all, because many small ones take several times as long.

        From the first value on that another process may fail to open, such values are sealed.
        """
        if not self._seals:
            with suppress(Exception):
                text = dumps(infos)
                if _GLOBAL not in text or _are_plain(infos):
                    return text
            self._seals = True
        return dumps(_each(_sealed, infos, lost))

    def open_infos(self, text: bytes, lost: Lost) -> Infos:
        """Copies of the infos."""
        infos: dict[int, dict[Any, Any]] = pickle.loads(text)
        return _each(_unsealed, infos, lost) if _SEALED in text else infos


def _each(convert: Callable[[Any], Any], infos: Infos, lost: Lost) -> dict[int, dict[Any, Any]]:
    """All keys and values, converted."""
    converted: dict[int, dict[Any, Any]] = {env: {} for env in infos}
    for env, info in infos.items():
        for key, value in info.items():
            try:
                converted[env][convert(key)] = convert(value)
            except Exception as error:
                lost(env, key, None if isinstance(value, Sealed) else value, error)
    return converted


def _sealed(value: Any) -> Any:
    return value if _is_plain(value) else Sealed(dumps(value))


def _unsealed(value: Any) -> Any:
    return pickle.loads(value) if type(value) is Sealed else value


def _are_plain(infos: Infos) -> bool:
    for info in infos.values():
        for key, value in info.items():
            if type(key) is not str or not (type(value) in _PLAIN or _is_plain(value)):
                return False
    return True


def _is_plain(value: Any) -> bool:
    """Whether every process can open it: numbers, texts and arrays, in dicts, lists and tuples."""
    kind = type(value)
    if kind in _PLAIN:
        return True
    if kind is np.ndarray or isinstance(value, np.generic):
        return not value.dtype.hasobject
    try:
        if kind is dict:
            return all(type(key) is str for key in value) and all(map(_is_plain, value.values()))
        return kind in (list, tuple) and all(map(_is_plain, value))
    except RecursionError:  # it contains itself
        return False


def dumps(value: Any) -> bytes:
    """A pickle, by cloudpickle for what pickle cannot send (classes of the main script, lambdas).

    Classes that came from the pool's process are the same classes when they return.
    """
    try:
        return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    except Exception:
        text: bytes = cloudpickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        return text


class InProcessStore:
    """For another thread: the objects themselves, under numbers."""

    def __init__(self) -> None:
        self._values: dict[bytes, Any] = {}
        self._answers: dict[bytes, list[bytes]] = {}
        self._numbers = itertools.count()

    def _put(self, value: Any) -> bytes:
        text = next(self._numbers).to_bytes(8, "little")
        self._values[text] = value
        return text

    @contextmanager
    def lend(self, question: tuple[Any, ...]) -> Iterator[bytes]:
        """The number of the question, which is kept inside this context."""
        text = self._put(question)
        self._answers[text] = []
        try:
            yield text
        finally:
            # If one answer failed, the others are not opened.
            for each in [text, *self._answers.pop(text)]:
                self._values.pop(each, None)

    def read_question(self, text: bytes) -> Any:
        """The question itself."""
        return self._values[text]

    def pack(self, value: Any, answering: bytes | None = None) -> bytes:
        """The number under which the value is kept, until it is opened or its question ends."""
        text = self._put(value)
        if answering is not None:
            self._answers[answering].append(text)
        return text

    def pack_infos(self, infos: Infos, lost: Lost) -> bytes:
        """The number under which the infos are kept, until they are opened."""
        return self._put(infos)

    def open_infos(self, text: bytes, lost: Lost) -> Infos:
        """The packed infos."""
        infos: Infos = self.open(text)
        return infos

    def open(self, text: bytes) -> Any:
        """The packed object, which is not kept any longer."""
        value = self._values[text]
        del self._values[text]  # without a call in between, in which a signal could lose the value
        return value
