"""ParallelPool steps many reinforcement-learning environments in parallel in C++.

    envs = parallel_pool.make("Pong-v5", num_envs=100)

Importing this package loads nothing: no plugin, no numpy, no compiled module. Builds of plugins import it
too, to find the headers. Once gymnasium is imported, before or after, our ids are entered into its registry.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from parallel_pool.imports.after_import import after_import
from parallel_pool.imports.gymnasium_prefix import refuse_bare_ids
from parallel_pool.imports.in_children import import_unfinished_anew

if TYPE_CHECKING:
    from parallel_pool.errors import (
        AmbiguousEnvError,
        LibraryError,
        LostInfoWarning,
        OptionError,
        OversubscriptionWarning,
        ParallelPoolError,
        PluginError,
        PluginWarning,
        UnknownArgumentError,
        UnknownEnvError,
        WaitingEnvsWarning,
    )
    from parallel_pool.making import make, make_dm, make_gym, make_gymnasium, make_spec
    from parallel_pool.plugin_api import EnvSpec
    from parallel_pool.pool_errors import (
        AlreadyPendingError,
        ClosedPoolError,
        EnvAccessError,
        EnvBuildError,
        EnvError,
        EnvTimeoutError,
        ForkedPoolError,
        NothingPendingError,
        NotOfferedError,
        ResetNeededError,
        StateError,
        StuckEnvError,
        ThreadPoolInUseError,
        WorkerCrashWarning,
    )
    from parallel_pool.registry import list_all_envs, register
    from parallel_pool.registry.gymnasium_ids import register_gymnasium
    from parallel_pool.schema.running_statistics import RunningStatistics
    from parallel_pool.schema.texts import Texts
    from parallel_pool.threads.thread_pool import ThreadPool
    from parallel_pool.views.single import SingleEnv
    from parallel_pool.views.single_dm import SingleDmEnv

__version__ = "0.1.0"

_HOME = {
    "errors": (
        "AmbiguousEnvError",
        "LibraryError",
        "OptionError",
        "OversubscriptionWarning",
        "ParallelPoolError",
        "PluginError",
        "PluginWarning",
        "UnknownArgumentError",
        "UnknownEnvError",
        "LostInfoWarning",
        "WaitingEnvsWarning",
    ),
    "registry.gymnasium_ids": ("register_gymnasium",),
    "making": ("make", "make_dm", "make_gym", "make_gymnasium", "make_spec"),
    "plugin_api": ("EnvSpec",),
    "pool_errors": (
        "AlreadyPendingError",
        "ClosedPoolError",
        "EnvAccessError",
        "EnvBuildError",
        "EnvError",
        "EnvTimeoutError",
        "ForkedPoolError",
        "NothingPendingError",
        "NotOfferedError",
        "ResetNeededError",
        "StateError",
        "StuckEnvError",
        "ThreadPoolInUseError",
        "WorkerCrashWarning",
    ),
    "registry": ("list_all_envs", "register"),
    "schema.running_statistics": ("RunningStatistics",),
    "schema.texts": ("Texts",),
    "threads.thread_pool": ("ThreadPool",),
    "views.single": ("SingleEnv",),
    "views.single_dm": ("SingleDmEnv",),
}
_MODULES = ("envpool", "errors", "integrations", "learning", "plugin_api")
"""Of the package, for users; imported when first asked for. `distributed` is not: it needs Ray."""
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "AlreadyPendingError",
    "AmbiguousEnvError",
    "ClosedPoolError",
    "EnvAccessError",
    "EnvBuildError",
    "EnvError",
    "EnvSpec",
    "EnvTimeoutError",
    "ForkedPoolError",
    "LibraryError",
    "LostInfoWarning",
    "NotOfferedError",
    "NothingPendingError",
    "OptionError",
    "OversubscriptionWarning",
    "ParallelPoolError",
    "PluginError",
    "PluginWarning",
    "ResetNeededError",
    "RunningStatistics",
    "SingleDmEnv",
    "SingleEnv",
    "StateError",
    "StuckEnvError",
    "Texts",
    "ThreadPool",
    "ThreadPoolInUseError",
    "UnknownArgumentError",
    "UnknownEnvError",
    "WaitingEnvsWarning",
    "WorkerCrashWarning",
    "get_cmake_dir",
    "get_include",
    "list_all_envs",
    "make",
    "make_dm",
    "make_gym",
    "make_gymnasium",
    "make_spec",
    "register",
    "register_gymnasium",
]


def get_include() -> str:
    """The folder with `parallel_pool/env.hpp`, for builds that do not use CMake."""
    return str(_installed("include"))


def get_cmake_dir() -> str:
    """The folder with ParallelPoolConfig.cmake: pass it as ParallelPool_DIR."""
    return str(_installed("share/cmake/ParallelPool"))


def _installed(folder: str) -> Path:
    # An editable install has two folders: the sources, and what the build installed.
    for root in __path__:
        found = Path(root, folder)
        if found.is_dir():
            return found
    raise FileNotFoundError(
        f"parallel_pool has no {folder}: reinstall it, pip install --force-reinstall parallel-pool"
    )


# To a type checker the package has the names above and no others.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name not in _MODULE_OF and name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        from parallel_pool.imports.undisturbed import undisturbed

        module = undisturbed(import_module, f"{__name__}.{_MODULE_OF.get(name, name)}")
        value = module if name in _MODULES else getattr(module, name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        special = (name for name in globals() if name.startswith("__"))
        return sorted({*special, *__all__, *_MODULES})


def _enter_ids() -> None:
    from parallel_pool.registry.gymnasium_ids import register_on_import

    register_on_import()


def _ids_of(name: str) -> list[str]:
    from parallel_pool.registry.gymnasium_ids import ids_of

    return ids_of(name)


import_unfinished_anew()
# Gymnasium imports us for "parallel_pool:ParallelPool/CartPole-v1", and looks for the id next.
after_import("gymnasium", _enter_ids)
refuse_bare_ids(__name__, _ids_of)
