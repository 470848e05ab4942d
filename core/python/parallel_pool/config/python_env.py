"""What a pool knows of an environment that is written in Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from gymnasium import Env, Space

from parallel_pool.schema.fields import Field

INFO_HANDLE = "objects"
"""The info whose rows are handles for pickled infos; see `python_envs.infos`."""

SEED_BITS = 31
"""Of seeds that nobody chose: more than one environment has an int32 or numpy's old seed() inside."""


class Serializer(Protocol):
    """Between a pool and its workers. Both sides have it."""

    def lend(self, question: tuple[Any, ...]) -> AbstractContextManager[bytes]:
        """A text for workers to `look` at, inside the `with` only. Raises TypeError if it cannot cross.

        question: its kind, the name of what is asked for, and more (see questions.py).
        """
        ...

    def look(self, text: bytes) -> Any:
        """The question; any number of workers may look."""

    def pack(self, value: Any, answering: bytes | None = None) -> bytes:
        """A text that is `open`ed once. Raises what keeps the value from being sent.

        answering: the text of the question; without, somebody must open the answer.
        """

    def open(self, text: bytes) -> Any:
        """The value."""


@dataclass(frozen=True)
class PythonEnv:
    """How to make the environments of a pool, and what they are."""

    factories: Sequence[Callable[[], Env[Any, Any]]]
    """One for all, or one per environment."""
    options: Mapping[str, Any]
    """What all environments are given alike."""
    render_modes: tuple[str, ...]
    """That its metadata says, less windows: those would open in every worker process."""
    render_fps: float | None
    observation_space: Space[Any]
    action_space: Space[Any]
    serializer: Serializer
    """Between the pool and its workers; to other processes, unless somebody replaces it."""
    fields: Sequence[Field]
    """Actions, observations, reward, terminated, truncated, and the handle, in this order."""
    check_obs: bool = True
    """Whether what environments return is refused where it does not fit."""

    @property
    def handle_field(self) -> int:
        """The number of the handle's field."""
        return len(self.fields) - 1
