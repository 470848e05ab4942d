"""The libraries with adapters, and the oldest version of each that works."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from importlib import metadata

from parallel_pool.errors import LibraryError
from parallel_pool.libraries import release


@dataclass(frozen=True)
class Library:
    """A library: the name in texts, the module, and the distribution.

    `least`: the oldest version that works; `tested`: the version of the tests; `extra`: parallel-pool's extra
    that installs it.
    """

    title: str
    module: str
    package: str
    extra: str
    least: str
    tested: str


SB3 = Library("Stable-Baselines3", "stable_baselines3", "stable-baselines3", "sb3", "2.9", "2.9.2")

TIANSHOU = Library("Tianshou", "tianshou", "tianshou", "tianshou", "2.0", "2.0.1")
RLLIB = Library("RLlib", "ray", "ray", "rllib", "2.60", "2.60.0")
RL_GAMES = Library("rl_games", "rl_games", "rl-games", "rl-games", "1.6.5", "1.6.5")
TORCHRL = Library("TorchRL", "torchrl", "torchrl", "torchrl", "0.14", "0.14.1")


def require(library: Library) -> None:
    """Raises LibraryError with a command to run if `library` cannot be imported or is too old."""
    works = f"works with versions from {library.least} on and is tested with {library.tested}"
    if importlib.util.find_spec(library.module) is None:
        raise LibraryError(
            f"{library.title} is not installed; its adapter {works}: "
            f"pip install 'parallel-pool[{library.extra}]'",
            name=library.module,
        )
    try:
        installed = metadata.version(library.package)
    except metadata.PackageNotFoundError:  # a checkout on the path: nobody knows its version
        return
    if release(installed) < release(library.least):
        raise LibraryError(
            f"{library.title} {installed} is too old; its adapter {works}: "
            f"pip install --upgrade '{library.package}>={library.least}'",
            name=library.module,
        )
