"""Refuses `gymnasium.make_vec("parallel_pool:CartPole-v1")`, which would silently make Gymnasium's CartPole.

Gymnasium imports the module before the colon and looks for the rest of the id in its one registry, where the
bare id is its own. All that we see of this is the import. It asks a module that is imported already for its
`__spec__`, so this is a property of ours, which looks at what Gymnasium was asked for. If Gymnasium does it in
another way one day, nothing is refused.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from types import FrameType, ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec

IdsOf = Callable[[str], Sequence[str]]
"""The ids with a family that an id without one may mean; none: it means nothing here."""


class _AskedByGymnasium(ModuleType):
    """The class of a module that Gymnasium imports for a prefix of ids."""

    @property
    def __spec__(self) -> ModuleSpec | None:
        own = vars(self)
        _refuse(sys._getframe(1), own["_ids_of"])
        spec: ModuleSpec | None = own["__spec__"]
        return spec

    @__spec__.setter
    def __spec__(self, spec: ModuleSpec | None) -> None:
        vars(self)["__spec__"] = spec

    def __reduce__(self) -> tuple[Callable[[str], ModuleType], tuple[str]]:
        """Sent by its name, as cloudpickle sends other modules: functions of the main script use it."""
        return import_module, (self.__name__,)


def refuse_bare_ids(module: str, ids_of: IdsOf) -> None:
    """From now on, and in the import that is going on. Call it last in the module.

    Raises UnknownEnvError, then and later, for "MODULE:NAME" where NAME is an id of ours without its family.
    """
    vars(sys.modules[module])["_ids_of"] = ids_of
    sys.modules[module].__class__ = _AskedByGymnasium
    _refuse(sys._getframe(1).f_back, ids_of)


def _refuse(frame: FrameType | None, ids_of: IdsOf) -> None:
    """If Gymnasium imports for a bare id of ours; frame: of what asks."""
    while frame is not None and str(frame.f_globals.get("__name__")).startswith(
        ("importlib", "_frozen_importlib")
    ):
        frame = frame.f_back
    if frame is None or frame.f_code.co_name != "_find_spec":
        return
    asked = frame.f_locals.get("env_id")
    if frame.f_globals.get("__name__") != "gymnasium.envs.registration" or type(asked) is not str:
        return
    prefix, _, bare = asked.partition(":")
    if "/" not in bare and (own := ids_of(bare)):
        from parallel_pool.errors import UnknownEnvError

        raise UnknownEnvError(
            f"{asked!r} is no id of ParallelPool: Gymnasium drops the prefix and looks for {bare!r} among its "
            f"own ids. Write {' or '.join(repr(f'{prefix}:{each}') for each in own)}"
        )
