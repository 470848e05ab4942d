"""Sends objects from a worker to its pool and back, as bytes."""

from __future__ import annotations

import itertools
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import cloudpickle

from parallel_pool.registry.described import one_line


class PickleSerializer:
    """For another process: copies."""

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

    def look(self, text: bytes) -> Any:
        """A copy of the question."""
        return pickle.loads(text)

    def pack(self, value: Any, answering: bytes | None = None) -> bytes:
        """A pickle of an info or of an answer."""
        return dumps(value)

    def open(self, text: bytes) -> Any:
        """The packed object."""
        return pickle.loads(text)


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

    def look(self, text: bytes) -> Any:
        """The question itself."""
        return self._values[text]

    def pack(self, value: Any, answering: bytes | None = None) -> bytes:
        """The number under which the value is kept, until it is opened or its question ends."""
        text = self._put(value)
        if answering is not None:
            self._answers[answering].append(text)
        return text

    def open(self, text: bytes) -> Any:
        """The packed object, which is not kept any longer."""
        value = self._values[text]
        del self._values[text]  # without a call in between, in which a signal could lose the value
        return value
