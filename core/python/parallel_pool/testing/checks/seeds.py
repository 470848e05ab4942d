"""A trajectory is decided by the seed, the options and the actions; by nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np

from parallel_pool.registry import registry
from parallel_pool.testing.findings import Finding, Inapplicable
from parallel_pool.testing.subject import Row, Subject, first_difference, flatten


def determinism(subject: Subject) -> str | None:
    """The same seeds and actions give the same trajectory, in two pools of the same shape."""
    one, other = (subject.trajectories(3, seed=5, num_threads=1) for _ in range(2))
    for env in range(3):
        if difference := first_difference(one[env], other[env]):
            raise Finding(
                f"two pools with the same seed part in environment {env}: {difference}. Take random "
                "numbers from the pp::Rng that reset and step are given (never std::rand, the clock or "
                "std::random_device), and initialise every member"
            )
    return None


def seeding(subject: Subject) -> str | None:
    """Different seeds give different trajectories."""
    if "deterministic" in registry().resolve(subject.env_id).spec.tags:
        raise Inapplicable("tagged as deterministic")
    records = subject.trajectories(6, seed=[1, 2, 3, 4, 5, 6])
    again = subject.trajectories(6, seed=[11] * 6)
    # The actions differ between environments, so it is one environment with several seeds that counts.
    if all(first_difference(records[env], again[env]) is None for env in range(6)):
        raise Finding(
            "the seed changes nothing: six environments play the same with other seeds. If nothing in "
            "it is random, say so: EnvSpec(..., tags=('deterministic',))"
        )
    return None


def independence(subject: Subject) -> str | None:
    """Environments know nothing of each other: other sizes, threads, shards and orders change nothing."""
    envs = 8
    usual = subject.trajectories(envs, seed=3, num_threads=1)
    shapes: list[tuple[str, dict[str, Any]]] = [
        ("with 3 threads", {"num_threads": 3}),
        ("asynchronously, 4 at a time", {"batch_size": 4, "num_threads": 2}),
        ("asynchronously, one at a time", {"batch_size": 1, "num_threads": 1}),
    ]
    for words, arguments in shapes:
        _compare(usual, subject.trajectories(envs, seed=3, **arguments), words)
    alone = [_alone(subject, env, envs) for env in (0, envs - 1)]
    _compare([usual[0], usual[-1]], alone, "alone in its pool")
    return None


def _alone(subject: Subject, env: int, envs: int) -> list[Row]:
    """Environment `env` of a pool of `envs`, with its seed and actions, in a pool of its own."""
    table = subject.actions(envs)
    with subject.pool(num_envs=1, seed=[3 + env]) as pool:
        results: list[Any] = [pool.reset()]
        for step in range(table.steps):
            results.append(pool.step(table.rows(np.array([step]), np.array([env]))))
    return [{path: rows[0] for path, rows in flatten(result).items()} for result in results]


def _compare(usual: list[list[Row]], other: list[list[Row]], words: str) -> None:
    for env, (mine, theirs) in enumerate(zip(usual, other, strict=True)):
        common = min(len(mine), len(theirs))
        if difference := first_difference(mine[:common], theirs[:common]):
            raise Finding(
                f"environment {env} plays differently {words}: {difference}. Environments share "
                "something: a static or global variable, or a buffer of the shard. Make it a member, or, "
                "where a library keeps it, say `static constexpr bool exclusive = true`"
            )
