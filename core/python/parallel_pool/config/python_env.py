"""The description of a pool's Python environments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from gymnasium import Env, Space

from parallel_pool.schema.fields import Field

INFO_HANDLE = "objects"
"""The name of the info column with handles for pickled infos and observed objects; see `python_envs.infos`."""

SEED_BITS = 31
"""The bits of drawn seeds: some environments store an int32 or call numpy's old seed()."""


Infos: TypeAlias = Mapping[int, Mapping[Any, Any]]
"""By environment."""
Lost: TypeAlias = Callable[[int, Any, Any, Exception], None]
"""Is told what of an info could not cross: environment, key and value (None if unknown), and why."""


class Serializer(Protocol):
    """Converts objects that a pool and its workers exchange. Both sides have one."""

    def lend(self, question: tuple[Any, ...]) -> AbstractContextManager[bytes]:
        """A text for workers to `read_question`, inside the `with` only. Raises TypeError if it cannot cross.

        question: its kind, the name of what is asked for, and more (see questions.py).
        """
        ...

    def read_question(self, text: bytes) -> Any:
        """The question; any number of workers may read it."""

    def pack(self, value: Any, answering: bytes | None = None) -> bytes:
        """A text that is `open`ed once. Raises what keeps the value from being sent.

        answering: the text of the question. Without it, the text must be opened.
        """

    def open(self, text: bytes) -> Any:
        """The value."""

    def pack_infos(self, infos: Infos, lost: Lost) -> bytes:
        """A text that must be opened, by `open_infos`. What cannot be sent is left out."""

    def open_infos(self, text: bytes, lost: Lost) -> Infos:
        """The infos. What cannot be opened is left out."""


@dataclass(frozen=True)
class PythonEnv:
    """How to make the environments of a pool, and what they are."""

    factories: Sequence[Callable[[], Env[Any, Any]]]
    """One factory for all, or one per environment."""
    options: Mapping[str, Any]
    """The arguments that are the same for all environments."""
    render_modes: tuple[str, ...]
    """The modes of its metadata, without windows, which would open in every worker process."""
    render_fps: float | None
    observation_space: Space[Any]
    action_space: Space[Any]
    serializer: Serializer
    """For workers in other processes, unless it is replaced."""
    fields: Sequence[Field]
    """Actions, observations, reward, terminated, truncated, score and continues if there is a score, and the
    handle, in this order."""
    score: tuple[str, str] | None = None
    """The infos that say what a call added to the score of the game, and whether the game goes on after the
    episode; the environment's metadata has them as "score"."""
    agents: Sequence[Any] = ()
    """The agents of a pettingzoo.ParallelEnv, whose fields are per player."""
    check_obs: bool = True
    """Whether results of environments that do not fit their space are refused."""
    global_seeds: Sequence[int | None] | None = None
    """For `random` and `numpy.random` while environments are made, one for each; None: nobody seeds these."""

    def objects(self, role: str) -> list[int]:
        """The numbers of the fields of this role, "obs" or "action", whose values are objects."""
        fields = enumerate(self.fields)
        return [n for n, each in fields if each["role"] == role and each["kind"] == "object"]

    @property
    def handle_field(self) -> int:
        """The number of the handle's field."""
        return len(self.fields) - 1
