"""The libraries with adapters, and the oldest version of each that works."""

from __future__ import annotations

from dataclasses import dataclass

from parallel_pool.pool_api import imported


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
SKRL = Library("skrl", "skrl", "skrl", "skrl", "2", "2.1.1")
TORCHRL = Library("TorchRL", "torchrl", "torchrl", "torchrl", "0.14", "0.14.1")


def require(library: Library) -> None:
    """Imports `library`. Raises LibraryError with a command to run if it is missing or too old."""
    imported(
        library.module,
        library.least,
        f"the adapter for {library.title}, which is tested with {library.tested},",
        extra=library.extra,
    )
