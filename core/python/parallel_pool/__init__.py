"""ParallelPool steps many reinforcement-learning environments in parallel in C++.

    envs = parallel_pool.make("Pong-v5", num_envs=100)

Importing this package loads nothing: no plugin, no numpy, no compiled module. Builds of plugins import it
too, to find the headers.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from parallel_pool.imports.in_children import import_unfinished_anew

if TYPE_CHECKING:
    from parallel_pool.errors import (
        AmbiguousEnvError as AmbiguousEnvError,
        LibraryError as LibraryError,
        LostInfoWarning as LostInfoWarning,
        OptionError as OptionError,
        OversubscriptionWarning as OversubscriptionWarning,
        ParallelPoolError as ParallelPoolError,
        PluginError as PluginError,
        PluginWarning as PluginWarning,
        UnknownArgumentError as UnknownArgumentError,
        UnknownEnvError as UnknownEnvError,
        WaitingEnvsWarning as WaitingEnvsWarning,
    )
    from parallel_pool.evaluating import evaluate as evaluate
    from parallel_pool.making import (
        make as make,
        make_dm as make_dm,
        make_gym as make_gym,
        make_gymnasium as make_gymnasium,
        make_spec as make_spec,
    )
    from parallel_pool.plugin_api import EnvSpec as EnvSpec
    from parallel_pool.pool_errors import (
        AlreadyPendingError as AlreadyPendingError,
        ClosedPoolError as ClosedPoolError,
        EnvAccessError as EnvAccessError,
        EnvBuildError as EnvBuildError,
        EnvError as EnvError,
        EnvTimeoutError as EnvTimeoutError,
        ForkedPoolError as ForkedPoolError,
        NothingPendingError as NothingPendingError,
        NotOfferedError as NotOfferedError,
        ResetNeededError as ResetNeededError,
        SimulationError as SimulationError,
        StateError as StateError,
        StuckEnvError as StuckEnvError,
        ThreadPoolInUseError as ThreadPoolInUseError,
        WorkerCrashWarning as WorkerCrashWarning,
    )
    from parallel_pool.registry import list_all_envs as list_all_envs, register as register
    from parallel_pool.registry.gymnasium_ids import register_gymnasium as register_gymnasium
    from parallel_pool.schema.running_statistics import RunningStatistics as RunningStatistics
    from parallel_pool.schema.texts import Texts as Texts
    from parallel_pool.threads.thread_pool import ThreadPool as ThreadPool
    from parallel_pool.views.single import SingleEnv as SingleEnv
    from parallel_pool.views.single_dm import SingleDmEnv as SingleDmEnv

__version__ = "0.1.0"
# Modules by their old names: each raises an error that says its new one.
__path__.append(str(Path(__file__).parent / "moved"))

_HOME = {
    "errors": "AmbiguousEnvError LibraryError LostInfoWarning OptionError OversubscriptionWarning "
    "ParallelPoolError PluginError PluginWarning UnknownArgumentError UnknownEnvError WaitingEnvsWarning",
    "evaluating": "evaluate",
    "making": "make make_dm make_gym make_gymnasium make_spec",
    "plugin_api": "EnvSpec",
    "pool_errors": "AlreadyPendingError ClosedPoolError EnvAccessError EnvBuildError EnvError "
    "EnvTimeoutError ForkedPoolError NothingPendingError NotOfferedError ResetNeededError SimulationError "
    "StateError StuckEnvError ThreadPoolInUseError WorkerCrashWarning",
    "registry": "list_all_envs register",
    "registry.gymnasium_ids": "register_gymnasium",
    "schema.running_statistics": "RunningStatistics",
    "schema.texts": "Texts",
    "threads.thread_pool": "ThreadPool",
    "views.single": "SingleEnv",
    "views.single_dm": "SingleDmEnv",
}
"""By module, the names above that are its own, separated by spaces."""
_MODULES = ("author_api", "errors", "plugin_api", "pool_api")
"""Of the package, for users; imported when first asked for."""
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names.split()}


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
    __all__ = sorted([*_MODULE_OF, "get_cmake_dir", "get_include"])

    def __getattr__(name: str) -> Any:
        if name not in (*__all__, *_MODULES):
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


import_unfinished_anew()
