"""`register`: ids for classes in a module of the caller's, as in EnvPool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from parallel_pool import UnknownEnvError
from parallel_pool.pool_api import registry

from parallel_pool_envpool.errors import BadArgumentError


@dataclass(frozen=True)
class Entry:
    """The classes of an id, which are imported when the first is used."""

    import_path: str
    spec_cls: str
    pool_classes: Mapping[str, str]
    """Names of classes by env_type."""
    defaults: Mapping[str, Any]

    def make_spec(self, arguments: dict[str, Any]) -> Any:
        """A spec of the registered class. Raises TypeError for an argument that its config has not."""
        cls = self._find(self.spec_cls)
        return cls(cls.gen_config(**{**self.defaults, **arguments}))

    def make(self, env_type: str, arguments: dict[str, Any]) -> Any:
        """A pool of the registered class."""
        return self._find(self.pool_classes[env_type])(self.make_spec(arguments))

    def _find(self, name: str) -> Any:
        return getattr(import_module(self.import_path), name)


_entries: dict[str, Entry] = {}


def register(
    task_id: str,
    import_path: str,
    spec_cls: str,
    dm_cls: str,
    gymnasium_cls: str,
    aliases: Sequence[str] = (),
    **default_config: Any,
) -> None:
    """Enters ids for `make`, for the rest of this process; nothing is imported yet.

    import_path: the module with the three classes. spec_cls: the name of the class of specs, with `gen_config`,
    such as `type(make_spec(...))`; dm_cls, gymnasium_cls: of the classes of pools, made of a spec, such as
    `DMEnvPool` and `GymnasiumEnvPool`. default_config: arguments that differ from their defaults.
    Raises an AssertionError if an id is taken.
    """
    classes = {"dm": dm_cls, "gym": gymnasium_cls, "gymnasium": gymnasium_cls}
    enter((task_id, *aliases), Entry(import_path, spec_cls, classes, default_config))


def enter(names: Sequence[str], entry: Entry) -> None:
    """Adds ids. Raises an AssertionError if one is taken."""
    for name in names:
        if name in _entries or _is_known(name):
            raise BadArgumentError(f"{name} is registered already: choose another id")
    _entries.update(dict.fromkeys(names, entry))


def find(task_id: str) -> Entry | None:
    """The entry of a registered id; None: it is not registered."""
    return _entries.get(task_id)


def registered_ids() -> list[str]:
    """All ids in the order of registration."""
    return list(_entries)


def _is_known(task_id: str) -> bool:
    try:
        registry().resolve(task_id)
    except UnknownEnvError:
        return False
    return True
