"""The grammar of environment ids.

Canonical: `family/Name-vN`, as in `atari/Pong-v5`; always a legal Gymnasium id. A short id leaves
out the family, the version, or both. The namespace of an alias is free of the family's stricter
rule (`ALE/Pong-v5`).
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol, TypeAlias

_FAMILY = re.compile(r"[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*")
_ID = re.compile(
    r"(?:(?P<namespace>[\w:-]+)/)?(?P<name>\w[\w:.-]*?)(?:-v(?P<version>0|[1-9]\d{0,8}))?", re.ASCII
)


class Identified(Protocol):
    """An object of a plugin that stands for an environment."""

    def parallel_pool_id(self) -> str:
        """Registers the environment, if it is not, and returns its id."""


Ids: TypeAlias = str | Identified | Sequence[str | Identified]
"""What pools are made of: one id for all environments, or one each."""


class TaskId(NamedTuple):
    """The parts of any id; what is absent is None."""

    namespace: str | None
    name: str
    version: int | None


class CanonicalId(NamedTuple):
    """The parts of a canonical id."""

    family: str
    name: str
    version: int


def is_family(text: str) -> bool:
    """Whether `text` may name a family: lower-case words joined by `-` or `_`."""
    return _FAMILY.fullmatch(text) is not None


def parse(text: str) -> TaskId | None:
    """The parts of `text`, or None if it has not the form of an id."""
    match = _ID.fullmatch(text)
    if match is None:
        return None
    version = match["version"]
    return TaskId(match["namespace"], match["name"], None if version is None else int(version))


@lru_cache(1024)
def parse_canonical(text: str) -> CanonicalId:
    """The parts of a canonical id. Raises ValueError that says what is wrong."""
    task = parse(text)
    if task is None or task.namespace is None or task.version is None:
        raise ValueError(f"{text!r} is not an environment id of the form family/Name-vN")
    if not is_family(task.namespace):
        raise ValueError(
            f"{text!r}: {task.namespace!r} is not a family name; "
            "use lower-case letters and digits, words joined by - or _"
        )
    return CanonicalId(task.namespace, task.name, task.version)
