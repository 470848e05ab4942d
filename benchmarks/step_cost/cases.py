"""The steps whose cost is watched: which pools, how long they are stepped, what their clock shows.

Read by the process that measures and by those that are measured, which may have another build of
the packages: nothing is imported here.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Case:
    """A synchronous pool of the gymnasium view on one thread."""

    env_id: str
    num_envs: int
    warm_up: int
    """Steps before those that are counted: whatever happens once has happened then."""
    steps: int
    """Steps that are counted."""
    tick: int
    """Nanoseconds between two looks at the clock while instructions are counted: about what the
    step of one shard takes, for the pool goes another way where steps take long."""

    @property
    def name(self) -> str:
        """As "CartPole-v1 x 64"."""
        return f"{self.env_id} x {self.num_envs}"


CASES = (
    Case("CartPole-v1", 1, 200, 2000, 500),
    Case("CartPole-v1", 64, 200, 2000, 1_000),
    Case("CartPole-v1", 1024, 200, 500, 5_000),
    Case("CartPole-v1", 16384, 50, 50, 50_000),
    Case("Pong-v5", 8, 20, 30, 100_000),
    Case("Pong-v5", 32, 10, 10, 100_000),
    Case("Pong-v5", 128, 4, 4, 100_000),
    Case("Ant-v5", 8, 10, 20, 100_000),
)


def case_named(name: str) -> Case:
    """The case of this name."""
    return next(case for case in CASES if case.name == name)
