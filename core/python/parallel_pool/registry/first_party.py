"""Data about the families that this project publishes: their plugins, and the form of their ids.

Used only to refuse impostors and to answer an unknown id with the extra to install; nothing here is
imported, and the plugins remain the authority on what they offer.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from parallel_pool import ids

IDS = Path(__file__).parent / "first_party_ids.json"
"""A `_Family` by name. Written by tools/first_party_ids.py from what the plugins offer."""


@dataclass(frozen=True, slots=True)
class _Family:
    """How to recognise the ids of a family that is not installed."""

    names: Sequence[str]
    latest: int
    """The highest version of its ids; other packages have earlier ones."""
    namespaces: Sequence[str]
    """Namespaces, other than its own, under which its environments are known elsewhere."""
    old_names: str
    """A pattern of further names, of any version; {name} is any of `names`."""

    def has(self, task: ids.TaskId) -> bool:
        """Whether an id without a namespace seems to belong to it."""
        if task.name in self.names and (task.version or 0) <= self.latest:
            return True
        pattern = self.old_names.replace("{name}", "|".join(self.names))
        return re.fullmatch(pattern, task.name) is not None


FAMILIES = {family: _Family(**row) for family, row in json.loads(IDS.read_text("utf-8")).items()}

RESERVED = frozenset({"gym", "gymnasium", "parallel_pool", "parallel-pool", "pettingzoo"})
"""Families that no plugin may have: "gym:ID" is Gymnasium's own registry, and the others are names of other
packages."""

LIGHTEST = "classic"
"""The family that is quickest to install, for a user without any."""

DEMONSTRATION = "atari/Pong-v5"
"""What `parallel-pool bench` measures when nothing is named."""


def owner(family: str) -> str:
    """The distribution that alone may provide a first-party family."""
    return f"parallel-pool-{family}"


def may_claim(distribution: str, family: str) -> bool:
    """Whether this distribution may provide this family; any may, if it is neither first-party nor reserved."""
    if family in RESERVED:
        return False
    return family not in FAMILIES or normal(distribution) == owner(family)


def normal(name: str) -> str:
    """A distribution's name as package indexes compare it."""
    return re.sub(r"[-_.]+", "-", name.strip()).lower()


def install_command(family: str) -> str:
    """What to run to get a first-party family."""
    return f"pip install 'parallel-pool[{family}]'"


def families_of(task_id: str) -> list[str]:
    """The first-party families to which an id seems to belong; several for `Blackjack`."""
    task = ids.parse(task_id)
    if task is None:
        return []
    if task.namespace is not None:
        return [
            name
            for name, family in FAMILIES.items()
            if task.namespace == name or task.namespace in family.namespaces
        ]
    return [name for name, family in FAMILIES.items() if family.has(task)]
