"""The environments that are installed, as the site shows them: families, groups of ids, options."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from parallel_pool.making import make_spec
from parallel_pool.plugin_api import About
from parallel_pool.registry import list_all_envs, registry
from parallel_pool.registry.hooks import about

sys.path.append(str(Path(__file__).resolve().parents[1]))
from families import families as folders

TITLES = {family.name: family.title for family in folders().values()}
"""By family. The page docs/FAMILY.md, if there is one, says more than specs do."""

VARIANT = re.compile(r"^(ALE-|Vizdoom)|(-MultiBinary|-S\d)?-v\d+$")
VERSION = re.compile(r"-v\d+$")


@dataclass
class Entry:
    """One id."""

    id: str
    """The canonical one, with the family."""
    aliases: tuple[str, ...]
    summary: str
    spec: Any
    """From make_spec; None where it cannot be had."""
    unavailable: str = ""
    """Why not."""
    about: About | None = None
    """The meanings of its numbers."""


@dataclass
class Group:
    """Ids of the same game or task: versions, and names that mean other options."""

    name: str
    entries: list[Entry] = field(default_factory=list)

    @property
    def slug(self) -> str:
        """For file names."""
        return re.sub(r"\W+", "-", self.name).lower()

    @property
    def shown(self) -> Entry:
        """The entry of the picture: of the plainest name the newest version."""
        plain = min(len(VERSION.sub("", each.id)) for each in self.entries)
        return max(
            (each for each in self.entries if len(VERSION.sub("", each.id)) == plain),
            key=lambda each: each.id,
        )


def families() -> Iterator[tuple[str, list[Group]]]:
    """Each family that is installed, with its groups by name."""
    for family in TITLES:
        if groups := groups_of(family):
            yield family, groups


def groups_of(family: str) -> list[Group]:
    """The groups of a family by name; none where it is not installed."""
    groups: dict[str, Group] = {}
    alone = folders()[family].ids_alone
    for task_id in list_all_envs(family):
        bare = task_id.partition("/")[2]
        name = bare if alone else VARIANT.sub("", bare)
        groups.setdefault(name, Group(name)).entries.append(entry(task_id))
    return sorted(groups.values(), key=lambda group: group.name)


def entry(task_id: str) -> Entry:
    """All about an id. Where the environment needs something that is not here, that is said."""
    resolved = registry().resolve(task_id)
    found = resolved.spec
    try:
        spec, why = make_spec(task_id), ""
    except Exception as error:
        spec, why = None, str(error)
    return Entry(
        task_id, tuple(found.aliases), found.summary, spec, why, about(resolved.plugin, found)
    )


def options(entries: Iterable[Entry]) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """The options of a family by name, and which ids alone have an option that not all have."""
    return _by_name(entries, lambda spec: {each["name"]: each for each in spec.declared_options})


def infos(entries: Iterable[Entry]) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """The entries of `info` in a family, and which ids alone have an entry that not all have."""
    return _by_name(entries, lambda spec: spec.info_space.spaces)


def _by_name(
    entries: Iterable[Entry], of: Callable[[Any], dict[str, Any]]
) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """Things that specs have by name, each once, and the ids that have it, of names that not all have."""
    there = [each for each in entries if each.spec is not None]
    seen: dict[str, Any] = {}
    users: dict[str, list[str]] = {}
    for each in there:
        for name, value in of(each.spec).items():
            seen.setdefault(name, value)
            users.setdefault(name, []).append(each.id)
    return seen, {name: ids for name, ids in users.items() if len(ids) < len(there)}
